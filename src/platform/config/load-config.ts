import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import {
  type Config,
  type ErasureTiming,
  type PaymentSettings,
  type ScreeningSettings,
  type Timing,
} from './config.js';
import { ConfigurationError, type ConfigurationFault } from './configuration-error.js';
import { nearestName } from '../nearest-name.js';
import { hostOf, isLoopback } from './network.js';
import { RULES } from './rules.js';
import { type Variable } from './variable.js';
import { type Settings, VARIABLES } from './variables.js';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

const fileEnvironment = (): EnvironmentVariables => {
  try {
    return parseEnv(readFileSync(resolve('.env'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigurationError([{ variable: '.env', problem: `cannot be read: ${(error as Error).message}` }]);
  }
};

/** The process's environment, which overrides the file .env of the working folder if there is one. */
export const readEnvironment = (): EnvironmentVariables => ({ ...fileEnvironment(), ...process.env });

/** The file's names that the service does not know and that look like one of its variables. */
export const misspeltIn = (names: readonly string[]): readonly { readonly name: string; readonly meant: string }[] => {
  const known = new Set(Object.values<Variable<unknown>>(VARIABLES).map(({ name }) => name));
  return names.flatMap((name) => {
    const meant = known.has(name) ? undefined : nearestName(name, known);
    return meant === undefined ? [] : [{ name, meant }];
  });
};

/** A word for each misspelt name in .env, without its value. */
export const warningsOfFile = (): readonly string[] =>
  misspeltIn(Object.keys(fileEnvironment())).map(
    ({ name, meant }) => `.env sets ${name}, which the service does not know; did you mean ${meant}?`,
  );

const shown = (variable: Variable<unknown>, text: string): string =>
  variable.secret === true ? '' : `, but is ${JSON.stringify(text)}`;

/** An empty text counts as absent, since compose files pass one for a variable without a value. */
const readAll = (environment: EnvironmentVariables, faults: ConfigurationFault[]): Settings => {
  const settings: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const given = environment[variable.name]?.trim() ?? '';
    const text = given === '' ? variable.fallback : given;
    if (text === undefined) continue;
    settings[key] = variable.parse(text);
    if (settings[key] === undefined) {
      const problem = variable.mistake?.(text) ?? `takes ${variable.takes}${shown(variable, text)}`;
      faults.push({ variable: variable.name, problem });
    }
  }
  return settings as Settings;
};

type Complete = { readonly [Key in keyof Settings]-?: NonNullable<Settings[Key]> };

const timing = (settings: Complete): Timing => ({
  storeBudget: settings.storeBudget,
  operationDeadline: settings.operationDeadline,
  answerDeadline: settings.answerDeadline,
  settleWithin: settings.settleWithin,
  foreignDeduction: settings.foreignDeduction,
  sweepEvery: settings.sweepEvery,
});

const erasure = ({ gracePeriod, keysForgotten, ageEvery, purgeCheckEvery }: Complete): ErasureTiming => ({
  gracePeriod,
  keysForgotten,
  ageEvery,
  purgeCheckEvery,
});

const screening = ({
  environment,
  screeningDownloads,
  pepDataset,
  maxListAge,
  potentialScore,
  confirmedScore,
  listsSwitched,
}: Omit<Complete, 'pepDataset'> & Pick<Settings, 'pepDataset'>): ScreeningSettings => ({
  maxListAgeDays: maxListAge,
  thresholds: { potential: potentialScore, confirmed: confirmedScore },
  downloads: screeningDownloads === 'always' || screeningDownloads === environment,
  switchedWithin: listsSwitched,
  ...(pepDataset === undefined ? {} : { pepDataset }),
});

const external = ({ oidcIssuer, oidcJwksUrl, oidcAudience, tlsCertFile, tlsKeyFile, ...rest }: Settings) => ({
  identityProvider:
    oidcIssuer === undefined || oidcJwksUrl === undefined || oidcAudience === undefined
      ? undefined
      : { issuer: oidcIssuer, jwksUrl: oidcJwksUrl, audience: oidcAudience },
  tls:
    tlsCertFile === undefined || tlsKeyFile === undefined ? undefined : { certFile: tlsCertFile, keyFile: tlsKeyFile },
  eventStoreUrl: rest.eventStoreUrl,
  databaseUrl: rest.databaseUrl,
  redisUrl: rest.redisUrl,
  smtpUrl: rest.smtpUrl,
  managementPort: rest.managementPort,
  publicUrl: rest.publicUrl?.replace(/\/+$/, ''),
  keys: { file: rest.keyFile, inline: rest.keys },
});

/**
 * A proxy on this machine makes every caller look local. So only the configuration can tell whether others reach the service.
 */
const staysOnThisMachine = ({ host, publicUrl, trustProxy, tlsTerminatedByProxy }: Settings): boolean =>
  isLoopback(host ?? '') &&
  (publicUrl === undefined || isLoopback(hostOf(publicUrl))) &&
  trustProxy !== true &&
  tlsTerminatedByProxy !== true;

const payments = (settings: Settings, { salesContact }: Complete): PaymentSettings => ({
  secretKey: settings.stripeSecretKey,
  webhookSecrets: new Set(settings.stripeWebhookSecret?.split(',').map((secret) => secret.trim())),
  apiUrl: settings.stripeApiUrl,
  salesContact,
});

const assemble = (settings: Settings): Config => {
  // Every variable with a fallback has a value here, since `readAll` would have reported a fault.
  const complete = settings as Complete;
  return {
    ...external(settings),
    environment: complete.environment,
    host: complete.host,
    port: complete.port,
    dataDir: resolve(complete.dataDir),
    roles: complete.roles,
    eventStoreClient: complete.eventStoreClient,
    developmentProvider:
      complete.environment === 'sandbox' && settings.oidcIssuer === undefined && staysOnThisMachine(settings),
    tenantClaim: complete.tenantClaim,
    mailFrom: complete.mailFrom,
    payments: payments(settings, complete),
    trustProxy: complete.trustProxy,
    allowLoopback: settings.allowLoopback ?? (complete.environment === 'sandbox' && settings.databaseUrl === undefined),
    logLevel: complete.logLevel,
    issuancePolicy: complete.issuancePolicy,
    timing: timing(complete),
    erasure: erasure(complete),
    checkpointEvery: complete.checkpointEvery,
    driftEvery: complete.driftEvery,
    screening: screening(complete),
  };
};

/** Reads and checks the whole configuration. Throws ConfigurationError with every fault at once. */
export const loadConfig = (environment: EnvironmentVariables): Config => {
  const faults: ConfigurationFault[] = [];
  const settings = readAll(environment, faults);
  // A variable with an invalid text already has its fault. A second fault from the rules would only confuse.
  const wrong = new Set(faults.map(({ variable }) => variable));
  faults.push(...RULES.flatMap((rule) => rule(settings)).filter(({ variable }) => !wrong.has(variable)));
  if (faults.length > 0) throw new ConfigurationError(faults);
  return assemble(settings);
};
