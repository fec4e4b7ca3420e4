import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config } from '../../src/platform/config/config.js';
import { ConfigurationError } from '../../src/platform/config/configuration-error.js';
import { type EnvironmentVariables, loadConfig } from '../../src/platform/config/load-config.js';
import { VARIABLES } from '../../src/platform/config/variables.js';
import { certificateFolder, verifierFiles } from '../support/certificate.js';
import { membersRead } from './members-read.js';
import { sourceFiles } from './source-files.js';

const { folder, certFile, keyFile } = certificateFolder();
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const someKey = Buffer.alloc(32).toString('base64');
const keyMaterial = JSON.stringify({ index_root: someKey, encryption_keys: { 1: someKey } });
const tls = certificateFolder();
const [verifier, otherVerifier] = [verifierFiles(), verifierFiles()];
afterAll(() => {
  for (const each of [folder, tls.folder]) rmSync(each, { recursive: true });
});

/** What goes together stands here, so that each variable can be changed by itself. */
const BASE: EnvironmentVariables = {
  ALLOW_EMBEDDED: 'true',
  TRUST_PROXY: 'true',
  OIDC_ISSUER: 'https://login.example.org',
  OIDC_JWKS_URL: 'https://login.example.org/keys',
  OIDC_AUDIENCE: 'kyc',
  PUBLIC_URL: 'https://kyc.example.org',
  OIDC_CLIENT_ID: 'kyc-console',
  OIDC_CLIENT_SECRET: 'a secret',
  TLS_CERT_FILE: certFile,
  TLS_KEY_FILE: keyFile,
  VERIFIER_CERT_FILE: verifier.certFile,
  VERIFIER_KEY_FILE: verifier.keyFile,
  STRIPE_SECRET_KEY: 'sk_of_a_shop',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_a_shop',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.org',
};

/** Another value than the one of BASE, or by default. */
const OTHERWISE: EnvironmentVariables = {
  ENVIRONMENT: 'production',
  HOST: '::1',
  PORT: '4000',
  DATA_DIR: 'elsewhere',
  PROCESS_ROLES: 'api',
  LOG_LEVEL: 'warn',
  EXPIRY_NOTICE_DAYS: '60,14',
  ISSUANCE_POLICY: 'open',
  EVENTSTORE_CLIENT: 'official',
  TRUST_PROXY: 'false',
  SCREENING_DOWNLOADS: 'always',
  SCREENING_REQUIRED_LISTS: 'UK_SANCTIONS',
  SCREENING_POTENTIAL_SCORE: '0.9',
  SCREENING_CONFIRMED_SCORE: '0.97',
  PUBLIC_URL: 'https://elsewhere.example.org',
  OIDC_TENANT_CLAIM: 'organisation',
  OIDC_CLIENT_ID: 'another-console',
  OIDC_CLIENT_SECRET: 'another secret',
  KEY_FILE: fileOf('keys.json', keyMaterial),
  KEYS: keyMaterial,
  WEBHOOKS_ALLOW_LOOPBACK: 'true',
  TLS_CERT_FILE: tls.certFile,
  TLS_KEY_FILE: tls.keyFile,
  PID_TRUST_ANCHORS: tls.certFile,
  VERIFIER_CERT_FILE: otherVerifier.certFile,
  VERIFIER_KEY_FILE: otherVerifier.keyFile,
  STRIPE_SECRET_KEY: 'rk_of_a_shop',
  OTEL_TRACES_EXPORTER: 'none',
  OTEL_METRICS_EXPORTER: 'none',
  OTEL_TRACES_SAMPLER: 'always_off',
  OTEL_SERVICE_NAME: 'another',
};

/** They decide nothing but whether a start is refused; each with a configuration that needs it. */
const PERMISSIONS: Readonly<Record<string, EnvironmentVariables>> = {
  ALLOW_EMBEDDED: { HOST: '0.0.0.0' },
  TRUSTED_NETWORK: { ...BASE, ENVIRONMENT: 'production', REDIS_URL: 'redis://redis' },
  TLS_TERMINATED_BY_PROXY: { ENVIRONMENT: 'production', ALLOW_EMBEDDED: 'true', TRUST_PROXY: 'true' },
};

const otherValueOf = ({ name, fallback, example }: { name: string; fallback: string | undefined; example?: string }) =>
  OTHERWISE[name] ??
  (fallback === undefined ? example : /^\d+$/.test(fallback) ? String(Number(fallback) - 1) : 'true');

/** Every value of a configuration by the path of its member. */
const leavesOf = (value: unknown, path = ''): Map<string, string> => {
  if (typeof value !== 'object' || value === null) return new Map([[path, String(value)]]);
  if (value instanceof Set) return new Map([[path, [...value].join()]]);
  return new Map(
    Object.entries(value).flatMap(([name, member]) => [...leavesOf(member, path === '' ? name : `${path}.${name}`)]),
  );
};

const decidedBy = (changed: Config, base: Config): string[] => {
  const before = leavesOf(base);
  return [...leavesOf(changed)].filter(([path, value]) => before.get(path) !== value).map(([path]) => path);
};

const isRefused = (environment: EnvironmentVariables): boolean => {
  try {
    loadConfig(environment);
    return false;
  } catch (error) {
    if (error instanceof ConfigurationError) return true;
    throw error;
  }
};

const variables = Object.values(VARIABLES).map((variable) => [variable.name, variable] as const);

describe('a variable of the configuration', () => {
  const program = sourceFiles('src').map(({ path }) => path);
  const readers = program.filter((path) => !path.startsWith('src/platform/config/') && !path.endsWith('.spec.ts'));
  const read = membersRead('src/platform/config/config.ts', 'Config', readers);

  it.each(variables.filter(([name]) => !(name in PERMISSIONS)))(
    '%s decides something that the program reads',
    (name, variable) => {
      const decided = decidedBy(loadConfig({ ...BASE, [name]: otherValueOf(variable) }), loadConfig(BASE));
      expect(decided).not.toEqual([]);
      expect(decided.filter((path) => !read.has(path))).toEqual([]);
    },
  );

  it.each(Object.entries(PERMISSIONS))('%s lets a start succeed that is refused otherwise', (name, needing) => {
    expect(isRefused(needing)).toBe(true);
    expect(isRefused({ ...needing, [name]: 'true' })).toBe(false);
  });
});
