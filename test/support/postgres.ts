import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PostgresCluster } from '@kyc/embedded-runtime/postgres/cluster';
import { type Queryable } from '../../src/platform/postgres/database.js';
import { applyMigrations } from '../../src/platform/postgres/migrations.js';
import { ownPort } from './ports.js';
import { reached } from './faults/slow-stores.js';
import { eventually, READY_WITHIN } from './processes.js';

/** The process id of the whole run: jest itself when this is a worker, otherwise this process. */
const runOwner = (): number => {
  const parent = readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8');
  return parent.includes('jest') ? process.ppid : process.pid;
};

/** A database with the service's tables. A copy of it costs half of what the migrations cost. */
const SERVICE_TEMPLATE = 'service_template';

/** Ends the server and removes its folder after the run, however the run ended. */
const SEXTON = `
while kill -0 "$1" 2>/dev/null; do sleep 0.5; done
kill -s QUIT "$2" 2>/dev/null; sleep 1; kill -s KILL "$2" 2>/dev/null; rm -rf "$3"
`;

const detached = (options: Parameters<typeof spawn>[2]) => ({ ...options, detached: true, stdio: 'ignore' as const });

const startShared = async (folder: string, owner: number): Promise<string> => {
  const cluster = await PostgresCluster.prepare({
    directory: join(folder, 'postgres'),
    password: randomBytes(16).toString('hex'),
    port: await ownPort(),
    // Its launcher visits each database of a run once in this time, with a process of its own.
    settings: { max_connections: 400, fsync: 'off', full_page_writes: 'off', autovacuum_naptime: '30min' },
  });
  const { command, account, environment } = await cluster.command();
  const [program = '', ...args] = command;
  const server = spawn(program, args, detached({ cwd: '/', env: { ...environment }, ...account }));
  spawn('/bin/sh', ['-c', SEXTON, 'sh', String(owner), String(server.pid), folder], detached({})).unref();
  server.unref();
  const created = () => cluster.ensureDatabase('tests').then(() => true);
  await eventually('the Postgres of the tests', created, READY_WITHIN);
  await cluster.ensureDatabase(SERVICE_TEMPLATE);
  await applyMigrations(cluster.url(SERVICE_TEMPLATE));
  return cluster.url('tests');
};

/** One server serves all spec files of a run. The first worker that needs it starts it. The others wait for its address. */
const sharedUrl = async (): Promise<string> => {
  const owner = runOwner();
  const folder = join(tmpdir(), `kyc-tests-${owner}`);
  const address = join(folder, 'address');
  try {
    mkdirSync(folder, { mode: 0o711 });
  } catch {
    return eventually(
      'the Postgres of the tests, started by another worker',
      () => readFileSync(address, 'utf8'),
      2 * READY_WITHIN,
    );
  }
  try {
    const url = await startShared(folder, owner);
    writeFileSync(`${address}.new`, url, { mode: 0o600 });
    renameSync(`${address}.new`, address);
    return url;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};

let shared: Promise<string> | undefined;

const createFrom = async (template: string, name: string): Promise<string> => {
  shared ??= sharedUrl().then(reached);
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
