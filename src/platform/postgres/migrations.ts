import { isLasting, isPassing } from './sql-states.js';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import { type MigrationBuilder } from 'node-pg-migrate';
import pg from 'pg';
import { Unavailable } from '../../kernel/unavailable.js';
import { StartupError } from '@kyc/embedded-runtime/startup-error';

const FOLDER = join(import.meta.dirname, 'migrations');

/** Milliseconds. */
const CONNECT_BUDGET_MS = 3_000;
/**
 * Milliseconds for one file, and for the wait for another instance that applies them. It is long, because an index on a
 * large table takes long.
 */
const BUDGET = 600_000;
/**
 * Milliseconds to wait for a table lock. A waiting lock request blocks all later ones, so a migration gives up soon and
 * retries.
 */
const TABLE_BUDGET_MS = 3_000;
const NOTICE_AFTER = 3_000;

const MIGRATIONS_TABLE = 'table_migrations';

const LOG_NOTHING = { info: () => undefined, warn: () => undefined, error: () => undefined };

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_BUDGET_MS,
    statement_timeout: BUDGET,
    query_timeout: BUDGET,
    keepAlive: true,
    application_name: 'migrations',
    // Lets the server notice soon that an instance's machine is gone, and free its lock.
    options: '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2',
  });
  // A broken connection fails its next use. Without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new Unavailable('postgres', { cause: error });
  }
  return client;
};

/** Reports the name of each file just before it runs in its own transaction. */
const reportingLoader = (onFile: (name: string) => void) => (paths: readonly string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const statements = await readFile(path, 'utf8');
      const up = (migration: MigrationBuilder): void => {
        onFile(basename(path));
        migration.sql(`SET LOCAL lock_timeout = ${TABLE_BUDGET_MS};\n${statements}`);
      };
      return { id: path, filePaths: [path], actions: { up, down: false as const } };
    }),
  );

const stillAnswers = (client: pg.Client): Promise<boolean> => {
  const question = { text: 'SELECT 1', query_timeout: CONNECT_BUDGET_MS };
  return client.query(question).then(() => true, isLasting);
};

const explain = async (error: unknown, client: pg.Client, file: string | undefined): Promise<Error> => {
  if (isPassing(error) || !(await stillAnswers(client))) return new Unavailable('postgres', { cause: error });
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  const what = file === undefined ? 'The tables could not be looked at' : `The migration ${file} failed`;
  return new StartupError(
    `${what}: ${reason}. Nothing of it was kept, and instances of the version before serve on. See that the user of ` +
      'DATABASE_URL owns the tables and may create more, and what docs/operations.md says under "Tables"; then start again.',
    { cause: error },
  );
};

const wereEverApplied = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('public.${MIGRATIONS_TABLE}') IS NOT NULL AS exists`,
  );
  return rows[0]?.exists === true;
};

/** Whether a service was ever started on this database. Throws Unavailable. */
export const isOfDeployment = async (connectionString: string): Promise<boolean> => {
  const client = await connect(connectionString);
  try {
    return await wereEverApplied(client);
  } finally {
    client.end().catch(() => undefined);
  }
};

/** Most starts have nothing to apply. They need neither the lock nor the package, which takes long to load. */
const areApplied = async (client: pg.Client, folder: string): Promise<boolean> => {
  if (!(await wereEverApplied(client))) return false;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM public.${MIGRATIONS_TABLE}`);
  const applied = new Set(rows.map(({ name }) => name));
  return (await readdir(folder)).every((file) => applied.has(parse(file).name));
};

/**
 * Applies the numbered files that this database has not seen yet, each completely or not at all. Every start runs it
 * before anything else uses a table. Of instances that start at once, one applies them and the others wait. Throws
 * Unavailable, or StartupError that names the file.
 */
export const applyMigrations = async (
  connectionString: string,
  say: (message: string) => void = () => undefined,
  folder = FOLDER,
): Promise<void> => {
  const client = await connect(connectionString);
  const noticeTimer = setTimeout(
    () => say('the tables are brought up to date, here or by another instance'),
    NOTICE_AFTER,
  );
  let file: string | undefined;
  try {
    if (await areApplied(client, folder)) return;
    const { runner } = await import('node-pg-migrate');
    await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      schema: 'public',
      migrationsTable: MIGRATIONS_TABLE,
      advisoryLockMode: 'wait',
      // The check compares times of day, which may step back.
      checkOrder: false,
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: reportingLoader((name) => (file = name)) }],
      logger: LOG_NOTHING,
    });
  } catch (error) {
    throw await explain(error, client, file);
  } finally {
    clearTimeout(noticeTimer);
    client.end().catch(() => undefined);
  }
};
