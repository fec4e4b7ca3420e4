// Measures the reads of /billing for an account of many transactions beside one of few, in one database.
//   node bench/billing-reads.mjs [--many 10000000] [--few 10000] [--rounds 2000] [--dist dist]
// The rows are made by SQL. What the log adds to an overview, one read of the stream's end, is not in the figures.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from './stage/postgres.mjs';

const { values } = parseArgs({
  options: {
    many: { type: 'string', default: '10000000' },
    few: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '2000' },
    dist: { type: 'string', default: 'dist' },
  },
});
const load = (path) => import(join(resolve(values.dist), path));
const { Database } = await load('src/platform/postgres/database.js');
const { PostgresReadModels, readModelSearchPath } = await load('src/platform/projections/read-models.js');
const { prepareReadModels } = await load('src/platform/projections/runner.js');
const { applyMigrations } = await load('src/platform/postgres/migrations.js');
const { ledger } = await load('projections/ledger/ledger.projection.js');
const { transactionAt, transactionPage, usageBetween } = await load('projections/ledger/billing.queries.js');
const { tenantUuid } = await load('src/kernel/ids.js');

const ROUNDS = Number(values.rounds);
const ACCOUNTS = [
  { tenantId: `t0${'1'.repeat(25)}`, transactions: Number(values.many) },
  { tenantId: `t0${'2'.repeat(25)}`, transactions: Number(values.few) },
];

const ROWS = `
  INSERT INTO credit_transactions
    (tenant, revision, position, occurred_at, id, amount, balance_after, type, operation, request_id)
  SELECT $1::uuid, n, n, '2026-01-01'::timestamptz + n * interval '1 second', gen_random_uuid(), -1, 1000000000 - n, 'usage',
    'check_eligibility', 'request'
  FROM generate_series(0, $2::bigint - 1) AS n`;

const USAGE = `
  INSERT INTO usage_by_day (tenant_id, day, operation, credits)
  SELECT $1::text, '2026-11-30'::date - day::integer, operation, 100
  FROM generate_series(0, 365) AS day, unnest('{check_eligibility,assess_risk,verify_credential,report}'::text[]) AS operation`;

const fill = async (database) => {
  for (const { tenantId, transactions } of ACCOUNTS) {
    await database.query(ROWS, [tenantUuid(tenantId), transactions]);
    await database.query(USAGE, [tenantId]);
    const balance = [tenantId, tenantUuid(tenantId), 1_000_000_000 - transactions, transactions];
    await database.query(
      'INSERT INTO balances (tenant_id, tenant, balance, transactions) VALUES ($1, $2, $3, $4)',
      balance,
    );
  }
  await database.maintain('VACUUM ANALYZE', 600_000);
};

const random = (below) => Math.floor(Math.random() * below);

/** The reads of one call each. */
const READS = {
  'overview, usage of the month': (models, { tenantId }) => usageBetween(models, tenantId, '2026-11-01', '2026-11-30'),
  'usage of 366 days': (models, { tenantId }) => usageBetween(models, tenantId, '2025-11-30', '2026-11-30'),
  'newest page of 100': (models, { tenantId }) => transactionPage(models, tenantId, { limit: 101, offset: 0 }),
  'page of 100 by a cursor anywhere': (models, { tenantId, transactions }) =>
    transactionPage(models, tenantId, { limit: 101, offset: 0, below: random(transactions) }),
  'page of 100 after an offset up to 10,000': (models, { tenantId, transactions }) =>
    transactionPage(models, tenantId, { limit: 101, offset: random(Math.min(10_000, transactions)) }),
  'one transaction': (models, { tenantId, transactions }) => transactionAt(models, tenantId, random(transactions)),
};

const measure = async (read) => {
  const times = [];
  for (let round = -100; round < ROUNDS; round += 1) {
    const from = performance.now();
    await read();
    if (round >= 0) times.push(performance.now() - from);
  }
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.floor(times.length * share)].toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
};

const postgres = await startPostgres({ databases: ['bench'], settings: { fsync: 'off', shared_buffers: '512MB' } });
const connection = { connectionString: postgres.url('bench'), budgetMs: 600_000, maxConnections: 1 };
await applyMigrations(connection.connectionString);
await prepareReadModels(connection.connectionString, [ledger]);
const searchPath = readModelSearchPath([ledger]);
const writer = new Database({ ...connection, searchPath });
await fill(writer);
await writer.close();
const database = new Database({ ...connection, budgetMs: 10_000, searchPath });
const models = new PostgresReadModels({ database, store: { head: async () => 0n }, projections: [ledger] });
for (const [name, read] of Object.entries(READS)) {
  for (const account of ACCOUNTS) {
    const figures = await measure(() => read(models, account));
    console.log(`${name}, ${account.transactions} transactions: ${figures}`);
  }
}
await database.close();
await postgres.stop();
