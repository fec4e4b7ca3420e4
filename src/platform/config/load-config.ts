import { trustsNobody } from './trusted-proxies.js';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { distance } from 'fastest-levenshtein';
import {
  type Config,
  type ErasureTiming,
  type PaymentSettings,
  type ScreeningSettings,
  type TelemetrySettings,
  type Timing,
} from './config.js';
import { endOf } from './certificates.js';
import { ConfigurationError, type ConfigurationFault } from './configuration-error.js';
import { nearestName } from '../../kernel/nearest-name.js';
import { hostOf, isLoopback, storesInClear } from './network.js';
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

/**
 * Other names of OpenTelemetry's specification, which its packages read from the environment or which concern other programs.
 * They resemble those that the service knows.
 */
const OF_OPEN_TELEMETRY =
  /^OTEL_(EXPORTER_OTLP_((TRACES|METRICS|LOGS)_)?(ENDPOINT|HEADERS|TIMEOUT|PROTOCOL|COMPRESSION|INSECURE|CERTIFICATE|CLIENT_CERTIFICATE|CLIENT_KEY)|EXPORTER_OTLP_METRICS_[A-Z_]+|LOGS_EXPORTER|METRIC_EXPORT_TIMEOUT|METRICS_EXEMPLAR_FILTER|(BSP|BLRP)_(SCHEDULE_DELAY|EXPORT_TIMEOUT|MAX_QUEUE_SIZE|MAX_EXPORT_BATCH_SIZE)|[A-Z_]+_LIMIT|LOG_LEVEL|PROPAGATORS|NODE_[A-Z_]+)$/;

/** Letters of a name that is too short to be distinguished from another. */
const MIN_SLIP_LENGTH = 4;

/** The file's names that the service does not know and that look like one of its variables. */
export const misspeltIn = (names: readonly string[]): readonly { readonly name: string; readonly meant: string }[] => {
  const known = new Set(Object.values<Variable<unknown>>(VARIABLES).map(({ name }) => name));
  return names.flatMap((name) => {
    const isKnown = known.has(name) || OF_OPEN_TELEMETRY.test(name);
    const meant = isKnown ? undefined : nearestName(name, known);
    return meant === undefined ? [] : [{ name, meant }];
  });
};

/** Names of the process's own environment that are a slip of one letter away from a variable, or lack its underscores. */
export const slipsIn = (names: readonly string[]): readonly { readonly name: string; readonly meant: string }[] => {
  const known = Object.values<Variable<unknown>>(VARIABLES).map(({ name }) => name);
  const isSlip = (name: string, meant: string): boolean =>
    name !== meant &&
    name.length > MIN_SLIP_LENGTH &&
    (distance(name, meant) === 1 || name.replaceAll('_', '').toUpperCase() === meant.replaceAll('_', ''));
  return names.flatMap((name) => {
    const meant = known.includes(name) ? undefined : known.find((variable) => isSlip(name, variable));
    return meant === undefined ? [] : [{ name, meant }];
  });
};

const isOpenToAll = (path: string): boolean => (statSync(path).mode & 0o004) !== 0;

/** What the service takes and what may be meant otherwise. No value of a misspelt name is shown. */
export const warningsOf = (
  config: Pick<
    Config,
    'environment' | 'keys' | 'verifier' | 'smtpUrl' | 'mailFrom' | 'eventStoreUrl' | 'databaseUrl' | 'redisUrl'
  >,
): readonly string[] => {
  const { environment, keys, verifier, smtpUrl, mailFrom } = config;
  const inClear = environment === 'production' ? storesInClear(config) : [];
  const word = (where: string, { name, meant }: { readonly name: string; readonly meant: string }): string =>
    `${where} sets ${name}, which the service does not know; did you mean ${meant}?`;
  return [
    ...(inClear.length === 0
      ? []
      : [
          `TRUSTED_NETWORK=true: without TLS goes what ${inClear.map(({ key }) => VARIABLES[key].name).join(', ')} names`,
        ]),
    ...misspeltIn(Object.keys(fileEnvironment())).map((slip) => word('.env', slip)),
    ...slipsIn(Object.keys(process.env)).map((slip) => word('the environment', slip)),
    ...(keys.file !== undefined && isOpenToAll(keys.file)
      ? [`every user of this machine may read KEY_FILE ${keys.file}: chmod o-r it`]
      : []),
    ...(verifier !== undefined && endOf(verifier.certFile) <= Date.now()
      ? [`the certificate in VERIFIER_CERT_FILE ${verifier.certFile} has ended: wallets refuse what it signs`]
      : []),
    ...(smtpUrl !== undefined && !/@[^@\s.]+\.[^@\s]+$/.test(mailFrom)
      ? [`MAIL_FROM ${mailFrom} has no domain that others know, so mail servers may refuse what it sends`]
      : []),
  ];
};

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
  offerLasts: settings.offerLasts,
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
  requiredLists,
  maxListAge,
  potentialScore,
  confirmedScore,
  listsSwitched,
}: Omit<Complete, 'pepDataset'> & Pick<Settings, 'pepDataset'>): ScreeningSettings => ({
  maxListAgeDays: maxListAge,
  thresholds: { potential: potentialScore, confirmed: confirmedScore },
  downloads: screeningDownloads === 'always' || screeningDownloads === environment,
  switchedWithin: listsSwitched,
  requiredLists,
  ...(pepDataset === undefined ? {} : { pepDataset }),
});

/** Seconds in which a balancer that asks every second or two has noticed. */
const SHUTDOWN_DELAY = 5;

const pairOf = (certFile: string | undefined, keyFile: string | undefined) =>
  certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };

const external = ({ oidcIssuer, oidcJwksUrl, oidcAudience, tlsCertFile, tlsKeyFile, ...rest }: Settings) => ({
  consoleClient:
    rest.oidcClientId === undefined || rest.oidcClientSecret === undefined
      ? undefined
      : { id: rest.oidcClientId, secret: rest.oidcClientSecret, scope: rest.oidcClientScope ?? 'openid' },
  identityProvider:
    oidcIssuer === undefined || oidcJwksUrl === undefined || oidcAudience === undefined
      ? undefined
      : { issuer: oidcIssuer, jwksUrl: oidcJwksUrl, audience: oidcAudience },
  tls: pairOf(tlsCertFile, tlsKeyFile),
  verifier: pairOf(rest.verifierCertFile, rest.verifierKeyFile),
  pidTrustAnchors: rest.pidTrustAnchors,
  eventStoreUrl: rest.eventStoreUrl,
  databaseUrl: rest.databaseUrl,
  redisUrl: rest.redisUrl,
  smtpUrl: rest.smtpUrl,
  managementPort: rest.managementPort,
  shutdownDelay: rest.shutdownDelay ?? (rest.environment === 'production' ? SHUTDOWN_DELAY : 0),
  publicUrl: rest.publicUrl?.replace(/\/+$/, ''),
  keys: { file: rest.keyFile, inline: rest.keys },
});

/**
 * A proxy on this machine makes every caller look local. So only the configuration can say whether others reach the service.
 */
const isLoopbackOnly = ({ host, publicUrl, trustProxy, tlsTerminatedByProxy }: Settings): boolean =>
  isLoopback(host ?? '') &&
  (publicUrl === undefined || isLoopback(hostOf(publicUrl))) &&
  (trustProxy === undefined || trustsNobody(trustProxy)) &&
  tlsTerminatedByProxy !== true;

const payments = (settings: Settings, { salesContact }: Complete): PaymentSettings => ({
  secretKey: settings.stripeSecretKey,
  webhookSecrets: new Set(settings.stripeWebhookSecret?.split(',').map((secret) => secret.trim())),
  apiUrl: settings.stripeApiUrl,
  salesContact,
});

/** The general endpoint is that of a collector, below which each kind has its path. */
const endpointOf = (own: string | undefined, general: string | undefined, path: string): string | undefined =>
  own ?? (general === undefined ? undefined : `${general.replace(/\/+$/, '')}${path}`);

const telemetry = (settings: Settings, complete: Complete): TelemetrySettings | undefined => {
  const { otlpEndpoint, otlpTracesEndpoint, otlpMetricsEndpoint, otlpHeaders, otelAttributes } = settings;
  const tracesUrl = endpointOf(otlpTracesEndpoint, otlpEndpoint, '/v1/traces');
  const metricsUrl = endpointOf(otlpMetricsEndpoint, otlpEndpoint, '/v1/metrics');
  const traced = complete.otelTraces === 'none' ? undefined : tracesUrl;
  const measured = complete.otelMetrics === 'none' ? undefined : metricsUrl;
  if (complete.otelDisabled || (traced === undefined && measured === undefined)) return undefined;
  return {
    traces:
      traced === undefined
        ? undefined
        : {
            url: traced,
            sampler: complete.otelSampler,
            share: complete.otelSamplerArg,
            maxQueueSize: complete.otelQueue,
            delay: complete.otelDelay,
          },
    metrics: measured === undefined ? undefined : { url: measured, every: complete.otelInterval },
    headers: otlpHeaders,
    serviceName: complete.otelServiceName,
    attributes: otelAttributes,
  };
};

const assemble = (settings: Settings): Config => {
  // Every variable with a fallback has a value here, since `readAll` would have reported a fault.
  const complete = settings as Complete;
  return {
    ...external(settings),
    environment: complete.environment,
    sandboxRateLimit: complete.sandboxRateLimit,
    fourEyesCredits: settings.fourEyesCredits,
    keepAlive: complete.keepAlive,
    host: complete.host,
    port: complete.port,
    dataDir: resolve(complete.dataDir),
    roles: complete.roles,
    eventStoreClient: complete.eventStoreClient,
    developmentProvider:
      complete.environment === 'sandbox' && settings.oidcIssuer === undefined && isLoopbackOnly(settings),
    tenantClaim: complete.tenantClaim,
    scopeClaim: complete.scopeClaim,
    mailFrom: complete.mailFrom,
    payments: payments(settings, complete),
    trustProxy: complete.trustProxy,
    allowLoopback:
      settings.allowLoopback ??
      (complete.environment === 'sandbox' && settings.databaseUrl === undefined && isLoopbackOnly(settings)),
    logLevel: complete.logLevel,
    issuancePolicy: complete.issuancePolicy,
    timing: timing(complete),
    erasure: erasure(complete),
    noticeDays: complete.noticeDays,
    checkpointEvery: complete.checkpointEvery,
    driftEvery: complete.driftEvery,
    screening: screening(complete),
    telemetry: telemetry(settings, complete),
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
