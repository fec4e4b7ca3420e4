import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from './configuration-error.js';
import { type EnvironmentVariables, loadConfig, misspeltIn } from './load-config.js';
import { environmentExample } from './environment-example.js';
import { VARIABLES } from './variables.js';

const faultsOf = (environment: EnvironmentVariables): Record<string, string> => {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return Object.fromEntries(error.faults.map(({ variable, problem }) => [variable, problem]));
    }
    throw error;
  }
  return {};
};

const file = import.meta.filename;
const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const thirtyTwo = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const keyFile = fileOf('keys.json', `{"index_root":"${thirtyTwo(1)}","encryption_keys":{"1":"${thirtyTwo(2)}"}}`);

const pem = (label: string, base64: string): string => `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
/** Self-signed, for kyc.example. */
const certFile = fileOf(
  'tls.crt',
  pem(
    'CERTIFICATE',
    'MIIBhDCCASmgAwIBAgIUNE1+4KhxoA0qrThz3rVL0EwyOskwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLa3ljLmV4YW1wbGUwIBcNMjYxMTIxMTUzOTE1WhgPMjEyNjEwMjgxNTM5MTVaMBYxFDASBgNVBAMMC2t5Yy5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAElLyJTPt6LIhwdOcLV+CCQ/IyRAGUaQTgVRT8iEz+rx8/Ibs1h4jRz/Cm6U6gkzIzDz+0sHbpT/zJXJBhp5u0aqNTMFEwHQYDVR0OBBYEFJQrimOSKHHxQiNBGdqwVGBh4xfMMB8GA1UdIwQYMBaAFJQrimOSKHHxQiNBGdqwVGBh4xfMMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAP9hXwPsutQ6uDd0F/KwE/QLMn3t1x8JfAJbFkRifAxWAiEA04Y00JJMf6gEMySCEWlQROv+IqZGvUs6tdQdrq9yySk=',
  ),
);
const certKeyFile = fileOf(
  'tls.key',
  pem(
    'PRIVATE KEY',
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSTZEWpqffk6K9/QT/kQThto/OatbuDGeiXDTovR+C3OhRANCAASUvIlM+3osiHB05wtX4IJD8jJEAZRpBOBVFPyITP6vHz8huzWHiNHP8KbpTqCTMjMPP7SwdulP/MlckGGnm7Rq',
  ),
);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const otherKeyFile = fileOf('other.key', privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);

const EXTERNAL = {
  EVENTSTORE_URL: 'esdb://one:2113,two:2113?tls=true',
  DATABASE_URL: 'postgresql://kyc:secret@postgres:5432/kyc?sslmode=verify-full',
  REDIS_URL: 'rediss://redis:6379/0',
  SMTP_URL: 'smtps://mail.example.org',
  OIDC_ISSUER: 'https://login.example.org',
  OIDC_JWKS_URL: 'https://login.example.org/keys',
  OIDC_AUDIENCE: 'kyc',
  KEY_FILE: keyFile,
  STRIPE_SECRET_KEY: 'sk_of_a_shop',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_a_shop',
};

const BEHIND_PROXY = { TLS_TERMINATED_BY_PROXY: 'true', TRUST_PROXY: 'true' };

describe('an empty environment', () => {
  it('means everything embedded, on loopback, in every role', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      environment: 'sandbox',
      host: '127.0.0.1',
      port: 3000,
      logLevel: 'info',
      trustProxy: { hops: 0, ranges: [] },
    });
    expect([config.eventStoreUrl, config.databaseUrl, config.redisUrl, config.identityProvider]).toEqual(
      Array(4).fill(undefined),
    );
    expect([...config.roles]).toEqual(['api', 'projections', 'jobs']);
    expect(config.dataDir).toBe(join(process.cwd(), '.data'));
    expect(config.timing).toEqual({
      storeBudget: 1_500,
      operationDeadline: 30_000,
      answerDeadline: 40_000,
      settleWithin: 5_000,
      foreignDeduction: 45_000,
      sweepEvery: 5_000,
      offerLasts: 900_000,
    });
    expect(config.erasure).toEqual({
      gracePeriod: 30 * 24 * 3_600_000,
      keysForgotten: 60_000,
      ageEvery: 5_000,
      purgeCheckEvery: 60_000,
    });
  });

  it('lets webhooks go to this machine only while nobody else reaches the service', () => {
    const loopback = (environment: Record<string, string>) => loadConfig(environment).allowLoopback;
    expect(loopback({})).toBe(true);
    expect(loopback({ HOST: '0.0.0.0', ALLOW_EMBEDDED: 'true' })).toBe(false);
    expect(loopback({ PUBLIC_URL: 'https://kyc.example.com' })).toBe(false);
    expect(loopback({ PUBLIC_URL: 'https://kyc.example.com', WEBHOOKS_ALLOW_LOOPBACK: 'true' })).toBe(true);
  });

  it('counts an empty text as absent', () => {
    expect(loadConfig({ PORT: '', EVENTSTORE_URL: ' ' })).toEqual(loadConfig({}));
  });
});

describe('faults', () => {
  it('are all named at once, each with what the variable takes', () => {
    const faults = faultsOf({
      PORT: '80x',
      ENVIRONMENT: 'prod',
      TRUST_PROXY: 'yes',
      PROCESS_ROLES: 'api,web',
      DATABASE_URL: 'mysql://x',
    });
    expect(faults).toEqual({
      PORT: 'takes a port, a whole number from 0 to 65535, but is "80x"',
      ENVIRONMENT: 'takes sandbox or production, but is "prod"',
      TRUST_PROXY:
        'takes false, true (one proxy), a number of proxies from 1 to 32, or their addresses and ranges with commas between them, but is "yes"',
      PROCESS_ROLES: 'takes one or more of api, projections, jobs, separated by commas, but is "api,web"',
      DATABASE_URL: 'takes a URL that begins with postgres:// or postgresql://',
    });
  });

  it.each(['{', '{}', `{"index_root":"${thirtyTwo(1)}","encryption_keys":{"1":"c2hvcnQ="}}`])(
    'of key material stand beside the others, without the key material: %s',
    (KEYS) => {
      const faults = faultsOf({ KEYS, PORT: 'x', TLS_CERT_FILE: file, TLS_KEY_FILE: file });
      expect(Object.keys(faults).sort()).toEqual(['KEYS', 'PORT', 'TLS_CERT_FILE', 'TLS_KEY_FILE']);
      expect(faults['KEYS']).toMatch(/^must hold /);
      expect(JSON.stringify(faults)).not.toMatch(/c2hvcnQ|AQEB/);
    },
  );

  it('never show the value of a secret', () => {
    const secrets = Object.values(VARIABLES).filter((variable) => 'secret' in variable && variable.secret);
    const environment = Object.fromEntries(secrets.map(({ name }) => [name, 'hunter2 ://']));
    expect(secrets.length).toBeGreaterThan(3);
    const collectors = secrets.filter(({ name }) => name.startsWith('OTEL_EXPORTER_OTLP_'));
    expect(collectors.map(({ name }) => name.replace(/.*_/, ''))).toEqual([
      ...Array<string>(3).fill('ENDPOINT'),
      'HEADERS',
    ]);
    expect(JSON.stringify(faultsOf(environment))).not.toContain('hunter2');
  });

  it.each([
    [{ OIDC_ISSUER: 'https://login.example.org' }, ['OIDC_AUDIENCE', 'OIDC_JWKS_URL']],
    [{ STRIPE_SECRET_KEY: 'sk_of_a_shop' }, ['STRIPE_WEBHOOK_SECRET']],
    [{ STRIPE_SECRET_KEY: 'sk_live_of_a_shop', STRIPE_WEBHOOK_SECRET: 'one,two' }, ['STRIPE_SECRET_KEY']],
    [{ STRIPE_WEBHOOK_SECRET: 'one,two,three' }, ['STRIPE_WEBHOOK_SECRET']],
    [{ STRIPE_API_URL: 'http://127.0.0.1:12111' }, ['STRIPE_SECRET_KEY']],
    [{ TLS_KEY_FILE: certKeyFile }, ['TLS_CERT_FILE']],
    [{ KEY_FILE: keyFile, KEYS: '{}' }, ['KEYS']],
    [{ KEY_FILE: file }, ['KEY_FILE']],
    [{ TLS_CERT_FILE: file, TLS_KEY_FILE: certKeyFile }, ['TLS_CERT_FILE']],
    [{ TLS_CERT_FILE: certFile, TLS_KEY_FILE: certFile }, ['TLS_KEY_FILE']],
    [{ TLS_CERT_FILE: certFile, TLS_KEY_FILE: otherKeyFile }, ['TLS_KEY_FILE']],
    [{ KEY_FILE: '/nowhere/keys.json' }, ['KEY_FILE']],
    [{ VERIFIER_KEY_FILE: certKeyFile }, ['VERIFIER_CERT_FILE']],
    [{ VERIFIER_CERT_FILE: certFile, VERIFIER_KEY_FILE: certKeyFile }, ['VERIFIER_CERT_FILE']],
    [{ VERIFIER_CERT_FILE: certFile, VERIFIER_KEY_FILE: otherKeyFile }, ['VERIFIER_KEY_FILE']],
    [{ PID_TRUST_ANCHORS: '/nowhere/anchors.pem' }, ['PID_TRUST_ANCHORS']],
    [{ PID_TRUST_ANCHORS: certKeyFile }, ['PID_TRUST_ANCHORS']],
    [{ PORT: '4000', MANAGEMENT_PORT: '4000' }, ['MANAGEMENT_PORT']],
    [{ TIMING_ANSWER_DEADLINE_MS: '30000' }, ['TIMING_ANSWER_DEADLINE_MS']],
    [{ TIMING_FOREIGN_DEDUCTION_MS: '40000' }, ['TIMING_FOREIGN_DEDUCTION_MS']],
    [{ HOST: '0.0.0.0' }, ['HOST']],
    [{ TLS_TERMINATED_BY_PROXY: 'true' }, ['TRUST_PROXY']],
  ])('of variables that depend on one another: %j', (environment, variables) => {
    expect(Object.keys(faultsOf(environment)).sort()).toEqual(variables);
  });
});

describe('the development identity provider', () => {
  it.each([{}, { HOST: '::1' }, { HOST: 'localhost' }, { PUBLIC_URL: 'http://localhost:8080' }])(
    'signs tokens where only this machine reaches the service: %j',
    (environment) => expect(loadConfig(environment).developmentProvider).toBe(true),
  );

  it.each([
    { HOST: '0.0.0.0' },
    { HOST: '192.168.1.9' },
    { PUBLIC_URL: 'https://kyc.example.org' },
    { TRUST_PROXY: 'true' },
    BEHIND_PROXY,
    { ENVIRONMENT: 'production', ...BEHIND_PROXY },
    { ENVIRONMENT: 'production', TLS_CERT_FILE: certFile, TLS_KEY_FILE: certKeyFile },
    { OIDC_ISSUER: EXTERNAL.OIDC_ISSUER, OIDC_JWKS_URL: EXTERNAL.OIDC_JWKS_URL, OIDC_AUDIENCE: 'kyc' },
  ])('is not there otherwise: %j', (environment) =>
    expect(loadConfig({ ALLOW_EMBEDDED: 'true', ...environment }).developmentProvider).toBe(false),
  );
});

describe('production', () => {
  it('keeps deleted identities for 30 days, whatever tests may do', () => {
    const scaled = { TIMING_GRACE_PERIOD_MS: '1000' };
    expect(loadConfig(scaled).erasure.gracePeriod).toBe(1_000);
    expect(faultsOf({ ...EXTERNAL, ENVIRONMENT: 'production', ...scaled })).toHaveProperty('TIMING_GRACE_PERIOD_MS');
  });

  it('refuses every embedded part and plain HTTP', () => {
    expect(Object.keys(faultsOf({ ENVIRONMENT: 'production' })).sort()).toEqual([
      'DATABASE_URL',
      'EVENTSTORE_URL',
      'KEY_FILE or KEYS',
      'OIDC_ISSUER',
      'REDIS_URL',
      'SMTP_URL',
      'STRIPE_SECRET_KEY',
      'TLS_CERT_FILE',
    ]);
  });

  it('accepts embedded parts where that is said', () => {
    expect(faultsOf({ ENVIRONMENT: 'production', ALLOW_EMBEDDED: 'true', ...BEHIND_PROXY })).toEqual({});
  });

  it('accepts external parts, on every address', () => {
    const config = loadConfig({
      ...EXTERNAL,
      ENVIRONMENT: 'production',
      HOST: '0.0.0.0',
      TLS_CERT_FILE: certFile,
      TLS_KEY_FILE: certKeyFile,
    });
    expect(config.tls).toEqual({ certFile, keyFile: certKeyFile });
    expect(config.eventStoreUrl).toBe(EXTERNAL.EVENTSTORE_URL);
  });

  it('refuses each embedded part that is left', () => {
    const { KEY_FILE, ...rest } = EXTERNAL;
    expect(KEY_FILE).toBe(keyFile);
    expect(Object.keys(faultsOf({ ...rest, ENVIRONMENT: 'production', ...BEHIND_PROXY }))).toEqual([
      'KEY_FILE or KEYS',
    ]);
  });

  const inProduction = (environment: EnvironmentVariables) =>
    faultsOf({ ...EXTERNAL, ENVIRONMENT: 'production', ...BEHIND_PROXY, ...environment });

  it.each([
    { EVENTSTORE_URL: 'esdb://eventstore:2113?tls=false' },
    { EVENTSTORE_URL: 'esdb://admin:pass@127.0.0.1:2113,two:2113/?connectionName=a&T-LS=false' },
    { DATABASE_URL: 'postgresql://kyc:secret@postgres:5432/kyc' },
    { DATABASE_URL: 'postgresql://kyc:secret@postgres:5432/kyc?sslmode=disable' },
    { DATABASE_URL: 'postgresql://kyc:secret@postgres/kyc?sslmode=prefer' },
    { DATABASE_URL: 'postgresql://kyc:secret@postgres/kyc?sslmode=no-verify' },
    { DATABASE_URL: 'postgresql://kyc:secret@postgres/kyc?sslmode=require&uselibpqcompat=true' },
    { DATABASE_URL: 'postgresql://kyc:secret@127.0.0.1/kyc?host=postgres' },
    { DATABASE_URL: 'postgresql://kyc:secret@postgres/kyc?sslmode=verify-full&sslmode=disable' },
    { DATABASE_URL: 'postgresql://kyc:secret@one:5432,two:5432/kyc' },
    { REDIS_URL: 'redis://:secret@redis:6379/0' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://:secret@collector:4318' },
  ])('refuses a store that is reached in clear, unless the network is trusted: %j', (store) => {
    const [variable = '', value = ''] = Object.entries(store)[0] ?? [];
    const faults = inProduction({ [variable]: value });
    expect(Object.keys(faults)).toEqual([variable]);
    expect(faults[variable]).toContain('TRUSTED_NETWORK=true');
    expect(JSON.stringify(faults)).not.toContain(':secret');
    expect(inProduction({ [variable]: value, TRUSTED_NETWORK: 'true' })).toEqual({});
    expect(faultsOf({ [variable]: value })).toEqual({});
  });

  it.each([
    { DATABASE_URL: 'postgresql://kyc:hunter@2@postgres:5432/kyc' },
    { DATABASE_URL: 'postgresql://kyc:12/hunter2@postgres:5432/kyc' },
    { DATABASE_URL: 'postgresql://kyc:hunter#2@postgres:5432/kyc' },
    { EVENTSTORE_URL: 'esdb://admin:hunter@2@es:2113?tls=true' },
    { REDIS_URL: 'rediss://:9?hunter2@redis:6379/0' },
    { SMTP_URL: 'smtps://mailer@example.org:hunter2@mail:465' },
  ])('says how to write a password that is not encoded: %j', (store) => {
    const [variable = ''] = Object.keys(store);
    const faults = faultsOf(store);
    expect(faults[variable]).toBe('has a password with @, /, ? or # as it is: write %40, %2F, %3F and %23');
    expect(JSON.stringify(faults)).not.toContain('hunter');
  });

  it('refuses options of the event store that nobody would heed, and says no password', () => {
    const faults = faultsOf({ EVENTSTORE_URL: 'esdb://admin:hunter2@es:2113?tlsVerifyCert=false' });
    expect(faults).toEqual({ EVENTSTORE_URL: expect.stringContaining('tlsVerifyCert=false') });
    expect(JSON.stringify(faults)).not.toContain('hunter2');
  });

  it.each([
    { EVENTSTORE_URL: 'esdb://127.0.0.1:2113,localhost:2114?tls=false' },
    { EVENTSTORE_URL: 'esdb+discover://cluster.example.org' },
    { DATABASE_URL: 'postgresql://kyc:secret@127.0.0.1:5432/kyc' },
    { DATABASE_URL: 'postgresql://kyc:secret@[::1]:5432/kyc?sslmode=disable' },
    { DATABASE_URL: 'postgresql://kyc@somewhere/kyc?host=/var/run/postgresql' },
    { DATABASE_URL: 'postgresql://kyc:secret@postgres/kyc?ssl=true' },
    { DATABASE_URL: 'postgresql://kyc:secret@postgres/kyc?sslmode=require' },
    { DATABASE_URL: 'postgresql://kyc:secret@postgres/kyc?sslmode=verify-full&uselibpqcompat=true' },
    { REDIS_URL: 'redis://localhost:6379' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' },
    { OIDC_ISSUER: 'http://127.0.0.1:8080/realms/kyc', OIDC_JWKS_URL: 'http://localhost:8080/keys' },
  ])('accepts TLS, and this machine without: %j', (environment) => {
    expect(inProduction({ ...environment })).toEqual({});
  });

  it('takes the keys of the identity provider over TLS alone, whatever the network of the stores', () => {
    const plain = { OIDC_ISSUER: 'http://login.example.org', OIDC_JWKS_URL: 'http://login.example.org/keys' };
    expect(Object.keys(inProduction({ ...plain, TRUSTED_NETWORK: 'true' }))).toEqual(Object.keys(plain));
    expect(faultsOf({ ...plain, OIDC_AUDIENCE: 'kyc' })).toEqual({});
  });
});

describe('.env.example', () => {
  it('shows every variable as the table has it', () => {
    const path = join(import.meta.dirname, '..', '..', '..', '.env.example');
    expect(readFileSync(path, 'utf8')).toBe(environmentExample());
  });

  it('gives examples that are accepted', () => {
    const examples = Object.values(VARIABLES).flatMap((variable) => {
      const example = variable.fallback ?? ('example' in variable ? variable.example : undefined);
      return example === undefined ? [] : [[variable.name, example] as const];
    });
    expect(examples).toHaveLength(Object.keys(VARIABLES).length);
    const others = examples.filter(([name, value]) => name !== 'KEYS' && !/^\/(run|etc)\//.test(value));
    // KEYS, and files that are not here.
    expect(examples.length - others.length).toBe(7);
    expect(faultsOf(Object.fromEntries(others))).toEqual({});
  });
});

describe('telemetry', () => {
  const telemetryOf = (environment: EnvironmentVariables) => loadConfig(environment).telemetry;
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };

  it('is off without an endpoint, whatever else is set, and where it is disabled', () => {
    expect(telemetryOf({ OTEL_SERVICE_NAME: 'kyc', OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined();
    expect(telemetryOf({ ...collector, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
    expect(telemetryOf({ ...collector, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' })).toBeUndefined();
  });

  it('goes to the paths of the specification below a collector, or to an address of its own', () => {
    expect(telemetryOf(collector)).toMatchObject({
      traces: { url: 'http://127.0.0.1:4318/v1/traces', sampler: 'parentbased_always_on', share: 1 },
      metrics: { url: 'http://127.0.0.1:4318/v1/metrics', every: 60_000 },
      serviceName: 'kyc-attestation-network',
    });
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/traces' };
    expect(telemetryOf({ ...collector, ...own })).toMatchObject({ traces: { url: 'http://127.0.0.1:1/traces' } });
    expect(telemetryOf(own)).toMatchObject({ traces: { url: 'http://127.0.0.1:1/traces' }, metrics: undefined });
  });

  it.each([
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer of-a-secret'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=b,c'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
  ])('refuses %s=%s, without the text of a secret', (variable, text) => {
    const problem = faultsOf({ [variable]: text })[variable];
    expect(problem).toContain('takes ');
    expect(problem).not.toContain('of-a-secret');
  });
});

describe('names in .env', () => {
  it('that look like a variable of the service are told, with the variable', () =>
    expect(misspeltIn(['DATABSE_URL', 'REDIS-URL', 'PORTT'])).toEqual([
      { name: 'DATABSE_URL', meant: 'DATABASE_URL' },
      { name: 'REDIS-URL', meant: 'REDIS_URL' },
      { name: 'PORTT', meant: 'PORT' },
    ]));

  it('that are the service’s own, or of other programs, are not', () =>
    expect(misspeltIn(['DATABASE_URL', 'POSTGRES_PASSWORD', 'COMPOSE_PROJECT_NAME', 'PATH'])).toEqual([]));

  it('of OpenTelemetry are told where no program knows them', () => {
    const standard = ['OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', 'OTEL_BSP_EXPORT_TIMEOUT'];
    expect(misspeltIn([...standard, 'OTEL_SERVICE_NAME', 'OTEL_PROPAGATORS'])).toEqual([]);
    expect(misspeltIn(['OTEL_EXPORTER_OTPL_ENDPOINT'])).toEqual([
      { name: 'OTEL_EXPORTER_OTPL_ENDPOINT', meant: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
    ]);
  });
});

it.each([['SCREENING_CONFIRMED_SCORE', { SCREENING_POTENTIAL_SCORE: '0.97', SCREENING_CONFIRMED_SCORE: '0.9' }]])(
  'refuses %s in %j',
  (variable, environment) => {
    expect(faultsOf(environment)[variable]).toMatch(/^must be /);
  },
);
