import { AccessDeniedError } from '@eventstore/db-client';
import pg from 'pg';
import { type Config } from './platform/config/config.js';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { readConnectionString } from '@kyc/esdb-client/connection-settings';
import { GrpcEventStore, type GrpcEventStoreOptions } from './platform/eventstore/grpc-event-store.js';
import { pause } from './kernel/pause.js';
import { Unavailable } from './kernel/unavailable.js';

/** A store that is configured in place of the embedded one. */
export interface ExternalStore {
  readonly variable: 'DATABASE_URL' | 'EVENTSTORE_URL';
  /** Its address as host:port, never with credentials. */
  readonly place: string;
  /** Sends a request to the store. Throws StartupError if waiting is useless, and any other error if waiting may help. */
  readonly ask: () => Promise<void>;
  /** What this error says of the configuration, as a sentence after a blank. */
  readonly remedy?: (error: unknown) => string;
}

/** Milliseconds. */
export interface WaitBudget {
  readonly reportAfter: number;
  readonly total: number;
}

const WAIT_BUDGET_MS: WaitBudget = { reportAfter: 3_000, total: 15_000 };
const PAUSE_MS = 250;

/** A driver's message may quote its connection string; its error code does not. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Unavailable && error.cause !== undefined ? error.cause : error;
  const { code } = cause as { readonly code?: unknown };
  return typeof code === 'string' ? ` (${code})` : '';
};

/**
 * Waits until the store responds, and reports the wait after a while. Throws StartupError that names the variable and the
 * remedy. Own code: p-retry gives up at a TypeError, and a driver may throw anything.
 */
export const untilItAnswers = async (
  { variable, place, ask, remedy }: ExternalStore,
  say: (message: string) => void,
  { reportAfter, total }: WaitBudget = WAIT_BUDGET_MS,
): Promise<void> => {
  const began = performance.now();
  let reported = false;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (error instanceof StartupError) throw error;
      const waited = performance.now() - began;
      if (waited >= total) {
        throw new StartupError(
          `${variable}: nothing that can be used answers at ${place}${reasonOf(error)}, after ${Math.round(waited / 1_000)} s. ` +
            `Start the server there, see that this machine reaches it, or correct ${variable}; then start again.${remedy?.(error) ?? ''}`,
          { cause: error },
        );
      }
      if (!reported && waited >= reportAfter) {
        say(`${variable}: waiting for ${place}, which does not answer yet${reasonOf(error)}`);
        reported = true;
      }
      await pause(PAUSE_MS);
    }
  }
};

/** By SQLSTATE, the errors with which a running server refuses the connection. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'refuses the user or the password: correct them in DATABASE_URL',
  '28000': 'refuses the user, or this machine (pg_hba.conf): correct DATABASE_URL or let it in',
  '3D000': 'has no database of that name: create it, or correct DATABASE_URL',
  '42501': 'lets the user do too little: grant it CONNECT, or correct DATABASE_URL',
};

const askPostgres = async (connectionString: string, place: string, budgetMs: number): Promise<void> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: budgetMs, query_timeout: budgetMs });
  // If the connection breaks after its use, an unhandled error event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } catch (error) {
    const refusal = error instanceof pg.DatabaseError ? REFUSALS[error.code ?? ''] : undefined;
    if (refusal === undefined) throw error;
    throw new StartupError(`DATABASE_URL: the server at ${place} ${refusal}.`, { cause: error });
  } finally {
    client.end().catch(() => undefined);
  }
};

const postgresAt = (connectionString: string, budgetMs: number): ExternalStore => {
  try {
    const { host, port } = new pg.Client({ connectionString });
    const place = `${host}:${port}`;
    return { variable: 'DATABASE_URL', place, ask: () => askPostgres(connectionString, place, budgetMs) };
  } catch (error) {
    throw new StartupError(
      'DATABASE_URL cannot be read: it takes postgresql://user:password@host:port/database, with files that exist.',
      { cause: error },
    );
  }
};

const placeOfEventStore = (connectionString: string): string => {
  const { membership } = readConnectionString(connectionString);
  const endpoints =
    'endpoints' in membership
      ? membership.endpoints
      : ['discover' in membership ? membership.discover : membership.endpoint];
  return endpoints.map((one) => (typeof one === 'string' ? one : `${one.address}:${one.port}`)).join(', ');
};

/** What a client with TLS makes of a server without it. */
const WITHOUT_TLS = 'ERR_HTTP2_STREAM_CANCEL';

const tlsRemedy = (error: unknown, { connectionString }: GrpcEventStoreOptions): string =>
  reasonOf(error).includes(WITHOUT_TLS) && !/[?&]tls=false\b/i.test(connectionString)
    ? ' A server without TLS answers so: it takes tls=false in EVENTSTORE_URL.'
    : '';

/** Throws StartupError with the sentence where the server denies access. */
const unlessDenied = async (asking: Promise<unknown>, place: string, sentence: string): Promise<void> => {
  try {
    await asking;
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error;
    throw new StartupError(`EVENTSTORE_URL: the server at ${place} ${sentence}`, { cause: error });
  }
};

const DENIED = 'refuses the user or the password: correct them in EVENTSTORE_URL.';

/** Only administrators may read $all by default. The read models follow it. */
const DENIED_ALL =
  'lets this user read no $all, which the read models follow. As an administrator, add the user to the access list of the ' +
  'stream $all, by an event of the type $metadata on the stream $$$all with the data {"$acl":{"$r":["$admins","kyc"]}} ' +
  '(for a user named kyc); then start again.';

const askEventStore = async (options: GrpcEventStoreOptions, place: string): Promise<void> => {
  const store = new GrpcEventStore(options);
  try {
    await unlessDenied(store.read('deployment-main', { maxCount: 1 }), place, DENIED);
    await unlessDenied(store.head(), place, DENIED_ALL);
  } finally {
    await store.close();
  }
};

const eventStoreAt = (options: GrpcEventStoreOptions): ExternalStore => {
  try {
    const place = placeOfEventStore(options.connectionString);
    return {
      variable: 'EVENTSTORE_URL',
      place,
      ask: () => askEventStore(options, place),
      remedy: (error) => tlsRemedy(error, options),
    };
  } catch (error) {
    throw new StartupError(
      'EVENTSTORE_URL cannot be read: it takes esdb://user:password@host:port?tls=true (or kurrentdb://), of the leader, with certificate files that exist.',
      { cause: error },
    );
  }
};

type StoresConfig = Pick<Config, 'databaseUrl' | 'eventStoreUrl' | 'eventStoreClient' | 'timing'>;

/** Waits for the configured stores before anything that uses them starts. Throws StartupError if one of them cannot be used. */
export const untilStoresAnswer = async (
  { databaseUrl, eventStoreUrl, eventStoreClient, timing }: StoresConfig,
  say: (message: string) => void,
): Promise<void> => {
  const stores = [
    ...(databaseUrl === undefined ? [] : [postgresAt(databaseUrl, timing.storeBudget)]),
    ...(eventStoreUrl === undefined
      ? []
      : [eventStoreAt({ connectionString: eventStoreUrl, client: eventStoreClient, budgetMs: timing.storeBudget })]),
  ];
  await Promise.all(stores.map((store) => untilItAnswers(store, say)));
};
