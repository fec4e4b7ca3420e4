import './platform/least-tls.js';
import './boot/contract.js';
import { endWithNpm } from '@kyc/embedded-runtime/end-with-npm';
import 'reflect-metadata';
import { destination, type Logger } from 'pino';
import { banner, shownPath } from './banner.js';
import { Unavailable } from './kernel/unavailable.js';
import { completesWithin } from './kernel/completes-within.js';
import { type Config } from './platform/config/config.js';
import { ConfigurationError } from './platform/config/configuration-error.js';
import { type EnvironmentVariables, loadConfig, readEnvironment, warningsOf } from './platform/config/load-config.js';
import { KeyMaterialError } from './kernel/key-material.js';
import { readDemoAccount } from './accounts/demo-account-file.js';
import { assertCanListen, explainListening } from './http/listening.js';
import { type Runtime, startEmbedded } from '@kyc/embedded-runtime/runtime';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { createLogger, lineageOf } from './observability/logging.js';
import { untilSignalled } from './shutdown.js';

/** Milliseconds: 30 s for the requests in flight, and 10 s for the writes after their end. */
const CLOSE_MS = 40_000;
/** Milliseconds for the stores' own shutdown. After that they end by themselves. */
const STORES_MS = 15_000;

interface Service {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

const startApplication = async (config: Config, runtime: Runtime, log: Logger): Promise<Service> => {
  const { createApplication } = await import('./application.js');
  const application = await createApplication(config, runtime);
  const close = async (): Promise<void> => {
    if (!(await completesWithin(CLOSE_MS + config.shutdownDelay * 1_000, application.close())))
      log.warn('what was left to write took too long and is cut off');
  };
  try {
    return { baseUrl: await application.listen(), stop: close };
  } catch (error) {
    await close();
    throw explainListening(error, config) ?? error;
  }
};

/** Loads the drivers only if a store is configured, which keeps an embedded start quick. */
const storesAnswer = async (config: Config, log: Logger): Promise<void> => {
  if (config.databaseUrl === undefined && config.eventStoreUrl === undefined) return;
  const { untilStoresAnswer } = await import('./external-stores.js');
  await untilStoresAnswer(config, (message) => log.warn(message));
};

/** Shows who waits for an embedded start what it does. Elsewhere the output is log lines alone. */
const showStep = (config: Config, step: string): void => {
  if (config.databaseUrl === undefined) process.stdout.write(`${process.uptime().toFixed(1).padStart(5)} s  ${step}\n`);
};

const startService = async (config: Config, log: Logger): Promise<Service> => {
  await assertCanListen(config);
  await storesAnswer(config, log);
  showStep(config, `starting Postgres and the event store, with their data in ${shownPath(config.dataDir)}`);
  const runtime = await startEmbedded(config, ({ level, message }) => log[level](message));
  const stopStores = async (): Promise<void> => {
    if (!(await completesWithin(STORES_MS, runtime.stop())))
      log.warn('the embedded stores take long to stop; they end by themselves');
  };
  showStep(config, 'opening the service: tables, keys, read models');
  try {
    const application = await startApplication(config, runtime, log);
    const stop = async (): Promise<void> => {
      try {
        await application.stop();
      } finally {
        await stopStores();
      }
    };
    return { baseUrl: application.baseUrl, stop };
  } catch (error) {
    await stopStores();
    throw error;
  }
};

const PART_OF: Readonly<Record<Unavailable['part'], string>> = {
  postgres: 'Postgres (DATABASE_URL, where it is set)',
  event_store: 'the event store (EVENTSTORE_URL, where it is set)',
  read_models: 'the read models (npm run projections -- status)',
  screening_lists: 'the screening lists (npm run screening -- status)',
  redis: 'Redis (REDIS_URL)',
  keys: 'the keys (KEY_FILE or KEYS)',
  identity_provider: 'the identity provider (OIDC_JWKS_URL)',
  credential_status: 'the list of an issuer of credentials',
  payments: 'the payment provider (STRIPE_SECRET_KEY, STRIPE_API_URL)',
};

/** One message with the fault and its remedy; the error's name and message only for an unexpected error. */
const explainFailure = (error: unknown): string => {
  if (error instanceof ConfigurationError || error instanceof StartupError) return error.message;
  if (error instanceof KeyMaterialError)
    return `The keys do not fit: ${error.message}. They come from KEY_FILE or KEYS, or from keys.json in DATA_DIR.`;
  if (error instanceof Unavailable)
    return `The service could not start: ${PART_OF[error.part]} stopped answering. See that it runs, then start again.`;
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  return `The service could not start. ${name}: ${message}`;
};

const run = async (environment: EnvironmentVariables): Promise<void> => {
  const config = loadConfig(environment);
  const log = createLogger(config.logLevel, destination({ dest: 1, sync: true }), lineageOf(config.roles));
  // The reader of the output may be gone. That must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  for (const warning of warningsOf(config)) log.warn(warning);
  const signalled = untilSignalled(() => process.exit(1));
  endWithNpm(environment);
  const starting = startService(config, log);
  if ((await Promise.race([starting.then(() => undefined), signalled])) === undefined) {
    const { baseUrl } = await starting;
    process.stdout.write(banner(config, baseUrl, process.uptime(), await readDemoAccount(config.dataDir)));
  }
  log.info(`${await signalled}: finishing what runs, then stopping`);
  await (await starting).stop();
  log.info('stopped');
};

const main = async (): Promise<number> => {
  try {
    await run(readEnvironment());
    return 0;
  } catch (error) {
    process.stderr.write(`\n${explainFailure(error)}\n\n`);
    return 1;
  }
};

// Node’s own status of a program that nothing keeps alive before it has ended.
process.exitCode = 13;
void main().then((status) => process.exit(status));
