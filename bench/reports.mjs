// Makes the CSV report of an account of many audit entries, as the service does: read, opened, sealed into chunks. Beside it,
// COPY … TO of the same rows of the same Postgres by the same process.
//   node bench/reports.mjs [--entries 1000000] [--format csv] [--dist dist]
// One entry in two is a charge. Entries name 10,000 people.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Writable } from 'node:stream';
import { clearInterval, setInterval } from 'node:timers';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { startPostgres } from './stage/postgres.mjs';

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000000' },
    format: { type: 'string', default: 'csv' },
    dist: { type: 'string', default: 'dist' },
  },
});
const load = (path) => import(join(resolve(values.dist), path));
const { Database } = await load('src/platform/postgres/database.js');
const { PostgresReadModels, readModelSearchPath } = await load('src/log/project/read-models.js');
const { prepareReadModels } = await load('src/log/project/runner.js');
const { applyMigrations } = await load('src/platform/postgres/migrations.js');
const { ledger } = await load('projections/ledger/ledger.projection.js');
const { newTenantId, tenantUuid } = await load('src/kernel/ids.js');
const { systemClock } = await load('src/kernel/clock.js');
const { openVault } = await load('src/platform/crypto/open-vault.js');
const { EncryptedFiles } = await load('src/reports/encrypted-files.js');
const { DataKeyShredder } = await load('src/platform/crypto/data-key-shredder.js');
const { SealedAuditEntries } = await load('src/audit/sealed-audit-entries.js');
const { ReportSource } = await load('src/reports/content/report-source.js');
const { REPORT_WRITERS } = await load('src/reports/content/report-formats.js');

const ENTRIES = Number(values.entries);
const AT_ONCE = 20_000;
const tenantId = newTenantId();
const tenant = tenantUuid(tenantId);
const PEOPLE = Array.from({ length: 10_000 }, () => randomBytes(32).toString('hex'));

const CHARGES = `
  INSERT INTO credit_transactions (tenant, revision, position, occurred_at, id, amount, balance_after, type, operation, request_id,
    action, result, actor, access)
  SELECT $1, n, n, '2026-01-01Z'::timestamptz + n * interval '10 seconds', id, -1, 1000, 'usage', 'check_eligibility', gen_random_uuid(),
    'eligibility_check', 'found', 'token', access FROM unnest($2::bigint[], $3::uuid[], $4::text[]) AS r(n, id, access)`;
const ACCESSES = `
  INSERT INTO audit_entries (event_id, tenant, position, ordinal, occurred_at, action, result, request_id, actor, access)
  SELECT id, $1, n, 0, '2026-01-01Z'::timestamptz + n * interval '10 seconds', 'data_ingested', 'ok', gen_random_uuid(), 'token', access
  FROM unnest($2::bigint[], $3::uuid[], $4::text[]) AS r(n, id, access)`;

const fill = async (database, vault) => {
  for (let from = 0; from < ENTRIES; from += AT_ONCE) {
    const key = await vault.tenantKey(tenantId, 'audit', AT_ONCE);
    for (const [even, text, category] of [
      [0, CHARGES, 'credits'],
      [1, ACCESSES, 'audit'],
    ]) {
      const numbers = Array.from({ length: AT_ONCE }, (_, index) => from + index).filter((n) => n % 2 === even);
      const ids = numbers.map(() => randomUUID());
      const sealed = numbers.map((n, index) => {
        const place = { tenantId, stream: `${category}-${tenantId}`, eventId: ids[index], field: 'access' };
        const identityHash = PEOPLE[n % PEOPLE.length];
        return JSON.stringify(vault.seal(key, place, { identityHash, ipAddress: '192.0.2.7', userAgent: 'bench/1.0' }));
      });
      await database.query(text, [tenant, numbers, ids, sealed]);
    }
  }
  await database.maintain('VACUUM ANALYZE', 600_000);
};

/** Seconds, and the greatest growth of the process' memory in MB. */
const measured = async (work) => {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const [from, used] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const seconds = (performance.now() - from) / 1_000;
  clearInterval(look);
  const { user, system } = process.cpuUsage(used);
  return { result, seconds, processor: (user + system) / 1e6, growth: (most - before) / 2 ** 20 };
};

const shown = ({ result, seconds, processor, growth }) =>
  `${seconds.toFixed(1)} s (${processor.toFixed(1)} s of this process' processor time), ${(result / 2 ** 20).toFixed(0)} MiB written, ${growth.toFixed(0)} MiB more memory`;

const postgres = await startPostgres({ databases: ['bench'], settings: { fsync: 'off', shared_buffers: '256MB' } });
const connectionString = postgres.url('bench');
const dataDir = mkdtempSync(join(tmpdir(), 'bench-keys-'));
await applyMigrations(connectionString);
await prepareReadModels(connectionString, [ledger]);
const searchPath = `public,${readModelSearchPath([ledger])}`;
const writer = new Database({ connectionString, budgetMs: 600_000, maxConnections: 1, searchPath });
const keys = await openVault({ keys: {}, dataDir }, writer, systemClock);
await fill(writer, keys.vault);
keys.close();
await writer.close();

const database = new Database({ connectionString, searchPath });
const { vault, keys: dataKeys, close } = await openVault({ keys: {}, dataDir }, database, systemClock);
const readModels = new PostgresReadModels({ database, store: { head: async () => 0n }, projections: [ledger] });
const files = new EncryptedFiles(database, dataKeys, new DataKeyShredder(database, 60_000), systemClock);

const report = async () => {
  const documentId = randomUUID();
  const draft = await files.create({ tenantId, documentId });
  const [start, end] = [new Date('2020-01-01Z'), new Date('2040-01-01Z')];
  const source = new ReportSource(
    { readModels, entries: new SealedAuditEntries(vault), name: (hashes) => draft.name(hashes) },
    { tenantId, start, end, upTo: 2n ** 62n },
  );
  const content = REPORT_WRITERS[values.format]({
    reportId: documentId,
    tenantId,
    accountName: 'Bench',
    period: { from: start.toISOString(), to: end.toISOString() },
    include: ['audit_log'],
    generatedAt: new Date().toISOString(),
    source,
  });
  let bytes = 0;
  for await (const part of content) {
    bytes += part.length;
    await draft.write(part);
  }
  await draft.finish();
  return bytes;
};

const copy = async () => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`SET search_path = ${searchPath}`);
  const rows = `SELECT event_id, occurred_at, action, result, access, request_id FROM audit_log
    WHERE tenant = '${tenant}' AND action IS NOT NULL ORDER BY occurred_at, position, ordinal`;
  let bytes = 0;
  const count = new Writable({ write: (part, _, done) => ((bytes += part.length), done()) });
  await pipeline(client.query(copyTo(`COPY (${rows}) TO STDOUT (FORMAT csv)`)), count);
  await client.end();
  return bytes;
};

console.log(`${ENTRIES} entries`);
console.log(`COPY … TO, sealed as it stands: ${shown(await measured(copy))}`);
console.log(`report in ${values.format}, opened, written and sealed: ${shown(await measured(report))}`);
close();
await database.close();
await postgres.stop();
rmSync(dataDir, { recursive: true });
// The vault watches its keys for as long as the process lives.
process.exit();
