import { systemClock } from '../../src/kernel/clock.js';
import { aggregatesOf } from '../support/aggregates.js';
import { jest } from '@jest/globals';
import { CarryBalanceForward, PurchaseCredits } from '../../src/credits/domain/credits.commands.js';
import { CreditRepository } from '../../src/credits/credit-repository.js';
import { ingestionStream } from '../../src/identity/domain/ingestion.events.js';
import { identityStream } from '../../src/identity/domain/identity.events.js';
import { newUuid, type TenantId } from '../../src/kernel/ids.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { PostgresSnapshots } from '../../src/log/append/snapshots.js';
import { Database } from '../../src/platform/postgres/database.js';
import { Deployment, LONG_STORE_BUDGET_MS, SCALED_ERASURE } from '../support/load/deployment.js';
import { type Tenant } from '../support/load/tenants.js';
import { type Service, startService } from '../support/service.js';
import { eventually, redisInstalled } from '../support/stack.js';

jest.setTimeout(240_000);

const DAY = 24 * 3_600_000;
/** Midnight may pass while the test runs. */
const NOW = new Date();
const ago = (years: number, days: number): Date => {
  const date = new Date(NOW);
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return new Date(date.getTime() - days * DAY);
};
/** The start of the day after the one that lies so many years after. */
const dueAfter = (date: Date, years: number): string => {
  const due = new Date(date);
  due.setUTCFullYear(due.getUTCFullYear() + years);
  due.setUTCHours(24, 0, 0, 0);
  return due.toISOString();
};

const envelope = { v: 1, alg: 'A256GCM', key: newUuid(), iv: 'i', ct: 'c' } as const;
const at = (time: Date) => ({
  $correlationId: newUuid(),
  actor: { type: 'tenant' as const, id: 'key' },
  time: time.toISOString(),
  schemaVersion: 1,
});

const accessed = (time: Date) => ({
  id: newUuid(),
  type: 'AccessRecorded.v1',
  data: {
    action: 'eligibility_check',
    result: 'found',
    access: envelope,
  },
  metadata: at(time),
});

const IDENTITY_ID = `idn_${'0'.repeat(31)}1`;

const failedIngestion = (ingestionId: string, time: Date) => {
  const record = { recordIndex: 0, identityId: IDENTITY_ID, identityHash: 'ab'.repeat(32), personal: envelope };
  const records = [{ ...record, kycStatus: 'APPROVED', tier: 'Tier1', kycExpiresAt: null }];
  const receivedAt = time.toISOString();
  const failed = { failedAt: receivedAt, code: 'PROCESSING_FAILED', recordsProcessed: 0, errors: [] };
  return [
    {
      id: newUuid(),
      type: 'IngestionAccepted.v1',
      data: { ingestionId, kind: 'single', receivedAt, recordsReceived: 1, records, errors: [] },
      metadata: at(time),
    },
    { id: newUuid(), type: 'IngestionFailed.v1', data: { ingestionId, ...failed }, metadata: at(time) },
  ];
};

const describeWithRedis = redisInstalled ? describe : describe.skip;

describeWithRedis('the daily purge through Bull on a real Redis', () => {
  let deployment: Deployment;
  let store: GrpcEventStore;
  let database: Database;
  const workers: Service[] = [];

  beforeAll(async () => {
    const env = { ...LONG_STORE_BUDGET_MS, ...SCALED_ERASURE, PROCESS_ROLES: 'api,projections' };
    deployment = await Deployment.start({ redis: true, env });
    store = new GrpcEventStore({ connectionString: deployment.eventStore.connectionString, budgetMs: 10_000 });
    database = new Database({ connectionString: deployment.databaseUrl, budgetMs: 10_000 });
  }, 120_000);

  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    for (const worker of workers) worker.remove();
    await store.close();
    await database.close();
    await deployment.stop();
  }, 60_000);

  const newTenant = async (): Promise<Tenant & { readonly id: TenantId }> => {
    const tenant = await deployment.operator.tenant();
    return { ...tenant, id: tenant.tenantId as TenantId };
  };
  const policyOf = async ({ apiKey }: Tenant): Promise<Record<string, unknown>> =>
    (await deployment.http.expect(200, { path: '/api/v1/compliance/retention', apiKey })).json;
  const lengthOf = async (stream: string): Promise<number> => (await store.read(stream)).length;

  const billFor = async (tenantId: TenantId, time: Date): Promise<void> => {
    const clock = { now: () => time, monotonic: () => 0 };
    const snapshots = new PostgresSnapshots(database, (error) => {
      throw error;
    });
    const ledger = new CreditRepository(store, aggregatesOf(store, clock, snapshots), systemClock);
    const metadata = { requestId: 'r', actor: { type: 'system', id: 'spec' } } as const;
    const bought = { package: 'small', credits: 1_000, amountMinor: 12_000, origin: 'checkout' } as const;
    const order = { reference: newUuid(), ...bought };
    await ledger.execute(new PurchaseCredits(tenantId, order, metadata), 10_000);
    const at = time.toISOString();
    await ledger.execute(new CarryBalanceForward(tenantId, { period: at.slice(0, 7), time: at }, metadata), 10_000);
  };

  it('happens once, by one of two instances, purges each kind of data, and tells every tenant of it over HTTP', async () => {
    const [audited, billed, ingested] = await Promise.all([newTenant(), newTenant(), newTenant()]);
    const kept = ago(6, 200);
    await store.append(`audit-${audited.id}`, [accessed(ago(7, 3)), accessed(kept)], 'no_stream');
    await billFor(billed.id, ago(7, 3));
    const ingestionId = newUuid();
    const stream = ingestionStream(ingested.id, ingestionId);
    await store.append(stream, failedIngestion(ingestionId, ago(5, 3)), 'no_stream');
    await eventually('the next purge', async () => (await policyOf(audited))['next_purge'] !== null, 20_000);
    expect(await policyOf(audited)).toMatchObject({ last_purge: null, next_purge: dueAfter(ago(7, 3), 7) });
    const env = { ...deployment.env, PROCESS_ROLES: 'jobs', TIMING_PURGE_CHECK_EVERY_MS: '1000' };
    workers.push(...(await Promise.all([startService({ env }), startService({ env })])));
    const runs = async (): Promise<string[]> => (await store.read('purges-deployment')).map(({ type }) => type);
    const ended = eventually(
      'the end of the run',
      async () => (await runs()).includes('PurgeRunCompleted.v1'),
      120_000,
    );
    // A run in which a step failed is taken up ten minutes later.
    await ended.catch((cause: unknown) => {
      throw new Error(workers.map((worker) => worker.output()).join('\n'), { cause });
    });
    // Once a day, of which a second may have begun.
    const days = (await store.read('purges-deployment')).map(
      ({ type, data }) => `${type} ${(data as { day: string }).day}`,
    );
    expect(new Set(days).size).toBe(days.length);
    expect(days.slice(0, 2).map((day) => day.split(' ')[0])).toEqual(['PurgeRunStarted.v1', 'PurgeRunCompleted.v1']);
    expect(await lengthOf(`audit-${audited.id}`)).toBe(1);
    expect(await lengthOf(stream)).toBe(0);
    const [oldest] = await store.read(`credits-${billed.id}`);
    expect(oldest?.type).toBe('BalanceCarriedForward.v1');
    const erased = await store.read(identityStream(ingested.id, IDENTITY_ID));
    expect(erased.map(({ type }) => type)).toEqual(['IdentityErasureDecided.v1', 'IdentityErased.v1']);
    for (const tenant of [audited, billed, ingested]) {
      await eventually('the last purge', async () => (await policyOf(tenant))['last_purge'] !== null, 20_000);
    }
    expect((await policyOf(audited))['next_purge']).toBe(dueAfter(kept, 7));
    const gone = { path: `/api/v1/ingest/${ingestionId}`, apiKey: ingested.apiKey };
    await eventually('its status is gone', async () => (await deployment.http.send(gone)).status === 404, 5_000);
  });
});
