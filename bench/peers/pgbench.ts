import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Latencies } from '../load/latencies.js';

export interface PgbenchJob {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly tenants: number;
  readonly clients: number;
  readonly seconds: number;
  /**
   * Transactions per second of an open loop. Latency then counts from the moment at which each was due. Absent: a closed loop.
   */
  readonly rate?: number | undefined;
}

export interface PgbenchResult {
  readonly transactions: number;
  /** Transactions per second while all clients were connected. */
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const SCHEMA = `
  DROP TABLE IF EXISTS pgbench_balance, pgbench_entry;
  CREATE TABLE pgbench_balance (tenant integer PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0));
  CREATE TABLE pgbench_entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tenant integer NOT NULL, amount integer NOT NULL,
    balance_after bigint NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
`;

/** One statement, so that the row stays locked for no round trip of the client. */
const debitScript = (tenants: number): string => `\\set tenant random(1, ${tenants})
WITH debit AS (UPDATE pgbench_balance SET balance = balance - 1 WHERE tenant = :tenant AND balance >= 1 RETURNING tenant, balance)
INSERT INTO pgbench_entry (tenant, amount, balance_after) SELECT tenant, -1, balance FROM debit;
`;

export const pgbenchInstalled = (): boolean => spawnSync('pgbench', ['--version']).status === 0;

const prepare = async ({ databaseUrl, tenants }: PgbenchJob): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(SCHEMA);
    await client.query(
      'INSERT INTO pgbench_balance SELECT tenant, 1000000000 FROM generate_series(1, $1::integer) AS tenant',
      [tenants],
    );
  } finally {
    await client.end();
  }
};

/** The log has one line for each transaction: client, number, microseconds, … */
const latenciesIn = (folder: string): Latencies => {
  const latencies = new Latencies();
  for (const name of readdirSync(folder).filter((file) => file.startsWith('log'))) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const microseconds = Number(line.split(' ', 3)[2] ?? Number.NaN);
      if (!Number.isNaN(microseconds)) latencies.record(microseconds / 1_000);
    }
  }
  return latencies;
};

/** Runs an atomic balance update with an entry in Postgres' own load tool. */
export const runPgbench = async (job: PgbenchJob): Promise<PgbenchResult> => {
  await prepare(job);
  mkdirSync(job.folder, { recursive: true });
  const folder = mkdtempSync(join(job.folder, 'pgbench-'));
  const script = join(folder, 'debit.sql');
  writeFileSync(script, debitScript(job.tenants));
  const open = job.rate === undefined ? [] : ['--rate', String(Math.max(1, Math.round(job.rate)))];
  const run = spawn(
    'pgbench',
    ['--no-vacuum', '--protocol', 'prepared', '--client', String(job.clients), '--time', String(job.seconds)].concat([
      '--file',
      script,
      '--log',
      '--log-prefix',
      join(folder, 'log'),
      ...open,
      job.databaseUrl,
    ]),
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let report = '';
  let complaint = '';
  run.stdout.on('data', (text) => (report += String(text)));
  run.stderr.on('data', (text) => (complaint += String(text)));
  const [status] = (await once(run, 'close')) as [number | null];
  const latencies = latenciesIn(folder);
  rmSync(folder, { recursive: true, force: true });
  if (status !== 0) throw new Error(`pgbench failed:\n${complaint}`);
  const [p50 = 0, p99 = 0] = latencies.quantiles(0.5, 0.99);
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(report)?.[1] ?? Number.NaN);
  return { transactions: latencies.count, perSecond, p50, p99 };
};
