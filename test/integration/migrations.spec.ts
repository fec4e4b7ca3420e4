import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PG_MIGRATE_LOCK_ID } from 'node-pg-migrate';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { Database } from '../../src/platform/postgres/database.js';
import { applyMigrations } from '../../src/platform/postgres/migrations.js';
import { createDatabase, eventually } from '../support/stack.js';

const FOLDER = join(import.meta.dirname, '../../src/platform/postgres/migrations');

let url: string;
let database: Database;
let folder: string;

const noReport = (): void => undefined;

/** Everything that the catalogues say of the service's tables, in the order of their columns. */
const schemaOf = async (of: Database): Promise<unknown> => {
  const ours = "('public', 'projections')";
  return {
    columns: await of.query(
      `SELECT table_schema, table_name, ordinal_position, column_name, data_type, is_nullable, column_default
       FROM information_schema.columns WHERE table_schema IN ${ours} ORDER BY 1, 2, 3`,
    ),
    indexes: await of.query(
      `SELECT schemaname, indexname, indexdef FROM pg_indexes WHERE schemaname IN ${ours} ORDER BY 1, 2`,
    ),
    constraints: await of.query(
      `SELECT conrelid::regclass::text AS of, conname, pg_get_constraintdef(oid) AS says FROM pg_constraint
       WHERE connamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ${ours}) ORDER BY 1, 2`,
    ),
    options: await of.query(
      `SELECT relname, relkind, reloptions FROM pg_class
       WHERE relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ${ours}) ORDER BY 1`,
    ),
  };
};

const schemaOfEmpty = async (): Promise<unknown> => {
  const empty = await createDatabase();
  await applyMigrations(empty);
  const other = new Database({ connectionString: empty });
  return schemaOf(other).finally(() => other.close());
};

const applied = async (): Promise<string[]> =>
  (await database.query<{ name: string }>('SELECT name FROM table_migrations ORDER BY id')).map(({ name }) => name);

const namesIn = async (path: string): Promise<string[]> =>
  (await readdir(path)).sort().map((name) => name.replace(/\.sql$/, ''));

const failureOf = (applying: Promise<void>): Promise<unknown> =>
  applying.then(
    () => undefined,
    (error: unknown) => error,
  );

beforeEach(async () => {
  url = await createDatabase();
  database = new Database({ connectionString: url, budgetMs: 10_000 });
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
}, 60_000);

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

describe('migrations', () => {
  it('are applied once by eight instances that start at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => applyMigrations(url)));
    expect(await applied()).toEqual(await namesIn(FOLDER));
    expect(await schemaOf(database)).toEqual(await schemaOfEmpty());
  }, 60_000);

  it('that an older instance does not know do not keep it from starting', async () => {
    for (const name of await readdir(FOLDER)) await copyFile(join(FOLDER, name), join(folder, name));
    await writeFile(join(folder, '9001-newer.sql'), 'CREATE TABLE newer (id int)');
    await applyMigrations(url, noReport, folder);
    await applyMigrations(url);
    expect(await applied()).toEqual(await namesIn(folder));
  });

  it('end the start where one fails, with its name; nothing of it is kept, and what came before it is', async () => {
    await writeFile(join(folder, '0001-first.sql'), 'CREATE TABLE first (id int)');
    await writeFile(
      join(folder, '0002-second.sql'),
      'CREATE TABLE second (id int); ALTER TABLE nowhere ADD COLUMN a int',
    );
    const failure = await failureOf(applyMigrations(url, noReport, folder));
    expect(failure).toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(
        /migration 0002-second\.sql failed: .*"nowhere" does not exist.*start again/,
      ) as string,
    });
    expect(await applied()).toEqual(['0001-first']);
    expect(await database.query("SELECT to_regclass('second') AS second")).toEqual([{ second: null }]);

    await writeFile(join(folder, '0002-second.sql'), 'CREATE TABLE second (id int)');
    await applyMigrations(url, noReport, folder);
    expect(await applied()).toEqual(['0001-first', '0002-second']);
  });

  it('give way to whoever holds a table for long, and are Unavailable, so that the start tries again', async () => {
    await database.query('CREATE TABLE held (id int)');
    await writeFile(join(folder, '0001-held.sql'), 'ALTER TABLE held ADD COLUMN more int');
    await database.transaction(async (transaction) => {
      await transaction.query('SELECT * FROM held');
      expect(await failureOf(applyMigrations(url, noReport, folder))).toBeInstanceOf(Unavailable);
    });
    await applyMigrations(url, noReport, folder);
    expect(await applied()).toEqual(['0001-held']);
  });

  it('say so where the user may not create tables', async () => {
    const user = `reader_${new URL(url).pathname.slice(1)}`;
    await database.query(`CREATE USER ${user} PASSWORD 'p'`);
    const refused = new URL(url);
    [refused.username, refused.password] = [user, 'p'];
    const failure = await failureOf(applyMigrations(refused.href));
    expect(failure).toMatchObject({
      name: 'StartupError',
      message: expect.stringContaining('permission denied') as string,
    });
  });

  it('wait for the instance that applies them, and say so', async () => {
    const reported: string[] = [];
    let waiting: Promise<void> | undefined;
    await database.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [PG_MIGRATE_LOCK_ID]);
      waiting = applyMigrations(url, (message) => reported.push(message));
      await eventually('a word about the wait', () => reported.length > 0);
      expect(await database.query("SELECT to_regclass('table_migrations') AS table")).toEqual([{ table: null }]);
    });
    await waiting;
    expect(reported).toEqual([expect.stringContaining('another instance')]);
    expect(await applied()).toEqual(await namesIn(FOLDER));
  }, 60_000);

  it('are Unavailable while nothing answers', async () => {
    const away = new URL(url);
    away.port = '1';
    expect(await failureOf(applyMigrations(away.href))).toBeInstanceOf(Unavailable);
  });
});
