import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type MigrationBuilder, runner } from 'node-pg-migrate';
import pg from 'pg';
import { Unavailable } from '../../kernel/unavailable.js';
import { StartupError } from '@kyc/embedded-runtime/startup-error';

const FOLDER = join(import.meta.dirname, 'migrations');

/** Milliseconds. */
const CONNECT_BUDGET = 3_000;
/** Of one file, and of the wait for another instance that applies them; an index takes as long as its table is long. */
const BUDGET = 600_000;
/** Whoever waits for a table holds up all who want it after them: soon it is better to give way and try again. */
const TABLE_BUDGET = 3_000;
const SILENT = 3_000;

/** SQLSTATE: not a file's fault, but of the connection, the server, its resources, a deadlock, a lock. */
const PASSING = /^(08|53|57|58|40|55P03)/;

const LOG_NOTHING = { info: () => undefined, warn: () => undefined, error: () => undefined };

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_BUDGET,
    statement_timeout: BUDGET,
    query_timeout: BUDGET,
    keepAlive: true,
    application_name: 'migrations',
    // The server finds out soon that an instance's machine is gone, and frees its lock.
    options: '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2',
  });
  // A connection that breaks shows at its next use; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new Unavailable('postgres', { cause: error });
  }
  return client;
};

/** Tells the name of each file just before it is run, in a transaction of its own. */
const loaderThatTells = (onFile: (name: string) => void) => (paths: readonly string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const statements = await readFile(path, 'utf8');
      const up = (migration: MigrationBuilder): void => {
        onFile(basename(path));
        migration.sql(`SET LOCAL lock_timeout = ${TABLE_BUDGET};\n${statements}`);
      };
      return { id: path, filePaths: [path], actions: { up, down: false as const } };
    }),
  );

const stillAnswers = (client: pg.Client): Promise<boolean> => {
  const question = { text: 'SELECT 1', query_timeout: CONNECT_BUDGET };
  return client.query(question).then(
    () => true,
    (error: unknown) => error instanceof pg.DatabaseError && !PASSING.test(error.code ?? ''),
  );
};

const explain = async (error: unknown, client: pg.Client, file: string | undefined): Promise<Error> => {
  const passes = error instanceof pg.DatabaseError && PASSING.test(error.code ?? '');
  if (passes || !(await stillAnswers(client))) return new Unavailable('postgres', { cause: error });
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  const what = file === undefined ? 'The tables could not be looked at' : `The migration ${file} failed`;
  return new StartupError(
    `${what}: ${reason}. Nothing of it was kept, and instances of the version before serve on. See that the user of ` +
      'DATABASE_URL owns the tables and may create more, and what docs/operations.md says under "Tables"; then start again.',
    { cause: error },
  );
};

/**
 * Brings the tables up to date by the numbered files that this database has not seen yet, each whole or not at all. Part of every
 * start, before anything else uses a table: of instances that start at once one applies them, the others wait. Throws
 * Unavailable, or StartupError that names the file.
 */
export const applyMigrations = async (
  connectionString: string,
  say: (message: string) => void = () => undefined,
  folder = FOLDER,
): Promise<void> => {
  const client = await connect(connectionString);
  const silence = setTimeout(() => say('the tables are brought up to date, here or by another instance'), SILENT);
  let file: string | undefined;
  try {
    await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      schema: 'public',
      migrationsTable: 'table_migrations',
      advisoryLockMode: 'wait',
      // It goes by the time of day, which may step back.
      checkOrder: false,
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loaderThatTells((name) => (file = name)) }],
      logger: LOG_NOTHING,
    });
  } catch (error) {
    throw await explain(error, client, file);
  } finally {
    clearTimeout(silence);
    client.end().catch(() => undefined);
  }
};
