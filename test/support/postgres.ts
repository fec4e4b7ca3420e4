import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { PostgresCluster } from '@kyc/embedded-runtime/postgres/cluster';
import { type Queryable } from '../../src/platform/postgres/database.js';
import { applyMigrations } from '../../src/platform/postgres/migrations.js';
import { type Ground, ofTheRun } from './of-the-run.js';
import { ownPort } from './ports.js';
import { reached } from './faults/slow-stores.js';
import { eventually, READY_WITHIN } from './processes.js';

/** A database with the service's tables. A copy of it costs half of what the migrations cost. */
const SERVICE_TEMPLATE = 'service_template';

/** One server serves all spec files of a run. */
const startShared = async ({ folder, run }: Ground): Promise<string> => {
  const cluster = await PostgresCluster.prepare({
    directory: join(folder, 'postgres'),
    password: randomBytes(16).toString('hex'),
    port: await ownPort(),
    // Its launcher visits each database of a run once in this time, with a process of its own.
    settings: { max_connections: 400, fsync: 'off', full_page_writes: 'off', autovacuum_naptime: '30min' },
  });
  const { command, account, environment } = await cluster.command();
  run({ command, signal: 'QUIT', options: { cwd: '/', env: { ...environment }, ...account } });
  const created = () => cluster.ensureDatabase('tests').then(() => true);
  await eventually('the Postgres of the tests', created, READY_WITHIN);
  await cluster.ensureDatabase(SERVICE_TEMPLATE);
  await applyMigrations(cluster.url(SERVICE_TEMPLATE));
  return cluster.url('tests');
};

let shared: Promise<string> | undefined;

const createFrom = async (template: string, name: string): Promise<string> => {
  shared ??= ofTheRun('postgres', startShared).then(reached);
  const url = new URL(await shared);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${template}`);
  } finally {
    await client.end();
  }
  url.pathname = `/${name}`;
  return url.href;
};

const freshName = (): string => `test_${randomBytes(8).toString('hex')}`;

/** Creates an empty database on a real Postgres. Returns its connection string. */
export const createDatabase = (name = freshName()): Promise<string> => createFrom('template1', name);

/** Creates a database with the service's tables. */
export const createServiceDatabase = (): Promise<string> => createFrom(SERVICE_TEMPLATE, freshName());

/** Waits until `count` sessions of the database wait for a lock. */
export const lockWaiters = async (database: Queryable, count = 1): Promise<void> => {
  const text = `SELECT count(*)::int AS waiting FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await eventually(`${count} that wait for a lock`, async () => {
    const [row] = await database.query<{ waiting: number }>(text);
    return (row?.waiting ?? 0) >= count;
  });
};
