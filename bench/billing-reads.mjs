// Measures the reads of /billing over HTTP, for an account of many transactions beside one of few, of the same service.
//   node bench/billing-reads.mjs [--many 10000000] [--few 10000] [--rounds 1000] [--connections 4] [--dist dist]
// The rows are made by SQL, beside the service. Everything is embedded, in a folder that is removed at the end.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { announcedStores } from '@kyc/embedded-runtime/running-stores';
import { startEmbeddedService } from './stage/embedded-service.mjs';

const { values } = parseArgs({
  options: {
    many: { type: 'string', default: '10000000' },
    few: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '4' },
    dist: { type: 'string', default: 'dist' },
  },
});
const dist = resolve(values.dist);
const load = (path) => import(join(dist, path));
const { Database } = await load('src/platform/postgres/database.js');
const { readModelSearchPath } = await load('src/log/project/read-models.js');
const { ledger } = await load('projections/ledger/ledger.projection.js');
const { tenantUuid } = await load('src/kernel/ids.js');

const ROUNDS = Number(values.rounds);
const width = Number(values.connections);
const WARM_UP = 20;

// The newest is of this second, so that the present month has some too.
const ROWS = `
  INSERT INTO credit_transactions
    (tenant, revision, position, occurred_at, id, amount, balance_after, type, operation, request_id)
  SELECT $1::uuid, n, n, now() - ($2::bigint - n) * interval '1 second', gen_random_uuid(), -1, 1000000000 - n, 'usage',
    'check_eligibility', 'request'
  FROM generate_series(1, $2::bigint) AS n`;

const USAGE = `
  INSERT INTO usage_by_day (tenant_id, day, operation, credits)
  SELECT $1::text, current_date - day::integer, operation, 100
  FROM generate_series(0, 365) AS day, unnest('{check_eligibility,assess_risk,verify_credential,report}'::text[]) AS operation`;

const BALANCE = `
  INSERT INTO balances (tenant_id, tenant, balance, transactions) VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant_id) DO UPDATE SET balance = $3, transactions = $4`;

const fill = async (database, { tenantId, transactions }) => {
  await database.query(ROWS, [tenantUuid(tenantId), transactions]);
  await database.query(USAGE, [tenantId]);
  await database.query(BALANCE, [tenantId, tenantUuid(tenantId), 1_000_000_000 - transactions, transactions]);
};

const random = (below) => Math.floor(Math.random() * below);

/** The calls, each with the cursors that pages of the account gave. */
const CALLS = {
  overview: () => '/billing/overview',
  'usage of 366 days': () => '/billing/usage?days=366',
  'newest page of 100': () => '/billing/transactions?limit=100',
  'page of 100 by a cursor': ({ cursors }) =>
    `/billing/transactions?limit=100&cursor=${encodeURIComponent(cursors[random(cursors.length)])}`,
  'page of 100 after an offset up to 10,000': ({ transactions }) =>
    `/billing/transactions?limit=100&offset=${random(Math.min(10_000, transactions))}`,
};

/** A machine that does much else makes some calls fail: they are counted apart. */
const measure = async (work) => {
  const times = [];
  let left = ROUNDS;
  let failed = 0;
  const worker = async () => {
    while ((left -= 1) >= 0) {
      const from = performance.now();
      const done = await work().then(
        () => true,
        () => false,
      );
      if (done) times.push(performance.now() - from);
      else failed += 1;
    }
  };
  for (let round = 0; round < WARM_UP; round += 1) await work().catch(() => undefined);
  await Promise.all(Array.from({ length: width }, worker));
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.floor(times.length * share)].toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms${failed === 0 ? '' : `, ${failed} calls failed`}`;
};

const service = await startEmbeddedService({ dist, width });
const { expectJson } = service;

const newAccount = async (name, transactions) => {
  const body = { name, contact_email: 'bench@example.org' };
  const { tenant_id: tenantId, api_key: apiKey } = await expectJson('/admin/accounts', body, service.operator);
  await service.unlimited(tenantId);
  return { tenantId, transactions, key: { 'x-api-key': apiKey }, cursors: [] };
};

/** Cursors from all depths: those that follow pages at growing offsets. */
const collectCursors = async (account) => {
  const depths = [0, 0.0001, 0.001, 0.01, 0.1, 0.5, 0.9].map((share) =>
    Math.floor(share * (account.transactions - 200)),
  );
  for (const offset of depths) {
    const path = `/billing/transactions?limit=100&offset=${offset}`;
    const { pagination } = await expectJson(path, undefined, account.key, 'GET');
    account.cursors.push(pagination.next_cursor);
  }
};

try {
  const accounts = [await newAccount('few', Number(values.few)), await newAccount('many', Number(values.many))];
  const { databaseUrl } = await announcedStores(service.dataDir);
  const database = new Database({
    connectionString: databaseUrl,
    budgetMs: 900_000,
    searchPath: readModelSearchPath([ledger]),
  });
  try {
    for (const account of accounts) await fill(database, account);
    await database.maintain('VACUUM ANALYZE', 900_000);
  } finally {
    await database.close();
  }
  for (const account of accounts) await collectCursors(account);
  for (const [name, pathOf] of Object.entries(CALLS)) {
    for (const account of accounts) {
      const figures = await measure(() => expectJson(pathOf(account), undefined, account.key, 'GET'));
      console.log(`${name}, ${account.transactions} transactions: ${figures}`);
    }
  }
} finally {
  await service.stop();
}
