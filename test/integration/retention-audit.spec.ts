import { EventStoreDBClient } from '@eventstore/db-client';
import { jest } from '@jest/globals';
import { type StreamPurged } from '../../src/retention/domain/retention.events.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid, type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { chunk } from '../../src/kernel/chunk.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { inYears, RetentionWorld } from '../support/retention-world.js';
import { type PurgeTimes, PurgePreview } from '../../src/retention/purge-preview.js';

jest.setTimeout(180_000);

let world: RetentionWorld;

const purgeTimes = (tenantId: TenantId): Promise<PurgeTimes> =>
  new PurgePreview(world.readModels, world.aggregates, world.clock).times(tenantId);
beforeAll(async () => {
  world = await RetentionWorld.open();
});
beforeEach(() => world.restart());
afterAll(() => world.close());

const accessed = (time: Date, id = newUuid()) => ({
  id,
  type: 'AccessRecorded.v1',
  data: {
    action: 'eligibility_check',
    result: 'found',
    access: { v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: newUuid() },
  },
  metadata: {
    $correlationId: newUuid(),
    actor: { type: 'tenant' as const, id: 'k' },
    time: time.toISOString(),
    schemaVersion: 1,
  },
});

const charged = (time: Date, balance: number) => {
  const { data, ...rest } = accessed(time);
  const what = { chargeId: rest.id, operation: 'check_eligibility', amount: 1, balance, requestId: 'r' };
  const { action, result, access } = data;
  return { ...rest, type: 'OperationCharged.v1', data: { ...what, action, result, access } };
};

const purchased = (time: Date, credits = 100) => ({
  ...accessed(time),
  type: 'CreditsPurchased.v1',
  data: { reference: 'p', package: 'small', credits, amountMinor: 1, currency: 'USD' },
});

const transactionsOf = (tenantId: TenantId) =>
  world.database.query<{ balance_after: string; forgotten: boolean }>(
    'SELECT balance_after, access IS NULL AS forgotten FROM credit_transactions WHERE tenant = $1 ORDER BY revision',
    [tenantUuid(tenantId)],
  );

const entriesOf = async (tenantId: TenantId): Promise<Date[]> => {
  const rows = await world.database.query<{ at: Date }>(
    'SELECT occurred_at AS at FROM audit_log WHERE tenant = $1 AND action IS NOT NULL ORDER BY occurred_at',
    [tenantUuid(tenantId)],
  );
  return rows.map(({ at }) => at);
};

const daysOf = (tenantId: TenantId) =>
  world.database.query<{ entries: string }>('SELECT entries FROM audit_days WHERE tenant_id = $1 ORDER BY day', [
    tenantId,
  ]);

describe('audit entries', () => {
  const recordYears = async (tenantId: TenantId): Promise<void> => {
    const twin = newUuid();
    const old = [accessed(inYears(0), twin), accessed(inYears(0)), accessed(inYears(0), twin)];
    const young = [accessed(inYears(0, 1)), accessed(inYears(3))];
    // At an expected revision, where the store takes an id for the second time.
    for (const [index, event] of [...old, ...young].entries()) {
      await world.store.append(`audit-${tenantId}`, [event], index === 0 ? 'no_stream' : BigInt(index - 1));
    }
    await world.caughtUp();
  };

  it('go when they are seven years old to the day, from the log and from the rows, and a rebuild has the same rows', async () => {
    const tenantId = newTenantId();
    await recordYears(tenantId);
    world.clock.set(inYears(7));
    await world.purge.run();
    await world.caughtUp();
    expect(await entriesOf(tenantId)).toHaveLength(4);
    world.clock.set(inYears(7, 1));
    await world.purge.run();
    await world.caughtUp();
    const kept = await world.store.read(`audit-${tenantId}`);
    expect(kept.map(({ metadata }) => metadata.time)).toEqual(
      [inYears(0, 1), inYears(3)].map((at) => at.toISOString()),
    );
    expect(await entriesOf(tenantId)).toEqual([inYears(0, 1), inYears(3)]);
    expect(await daysOf(tenantId)).toEqual([{ entries: '1' }, { entries: '1' }]);
    await world.expectRebuildEqual();
    expect(await world.scavenge()).toBeGreaterThan(0);
    await world.expectRebuildEqual();
    expect(await world.store.read(`audit-${tenantId}`)).toEqual(kept);
  });

  it('go when a crash came between the event and the truncation', async () => {
    const tenantId = newTenantId();
    await recordYears(tenantId);
    world.clock.set(inYears(7, 1));
    world.store.breaksOff = true;
    await expect(world.purge.run()).rejects.toBeInstanceOf(Unavailable);
    await world.caughtUp();
    world.store.breaksOff = false;
    expect(await world.store.read(`audit-${tenantId}`)).toHaveLength(5);
    await world.purge.run();
    expect(await world.store.read(`audit-${tenantId}`)).toHaveLength(2);
    await world.expectRebuildEqual();
  });

  it('go in pieces where there are many, all of them, and the stream goes on behind them', async () => {
    const tenantId = newTenantId();
    for (let part = 0; part < 11; part += 1) {
      const events = Array.from({ length: 500 }, () => accessed(inYears(0)));
      await world.store.append(`audit-${tenantId}`, events, 'any');
    }
    await world.caughtUp();
    world.clock.set(inYears(8));
    await world.purge.run();
    await world.caughtUp();
    expect(await world.store.read(`audit-${tenantId}`)).toEqual([]);
    expect(await entriesOf(tenantId)).toEqual([]);
    const { revision } = await world.store.append(`audit-${tenantId}`, [accessed(inYears(8))], 'any');
    expect(revision).toBe(5_500n);
    await world.expectRebuildEqual();
    await world.scavenge();
    await world.expectRebuildEqual();
  });

  it('go in pieces also where one event holds many of them', async () => {
    const tenantId = newTenantId();
    for (let part = 0; part < 11; part += 1) {
      const entries = Array.from({ length: 600 }, (_, index) => ({ index, access: { ct: String(index) } }));
      const data = { action: 'data_ingested', result: 'ok', batchId: newUuid(), entries };
      const event = { ...accessed(inYears(0)), type: 'AccessesRecorded.v1', data };
      await world.store.append(`audit-${tenantId}`, [event], 'any');
    }
    await world.caughtUp();
    expect(await entriesOf(tenantId)).toHaveLength(6_600);
    world.clock.set(inYears(8));
    await world.purge.run();
    await world.caughtUp();
    expect(await world.store.read(`retention-${tenantId}`)).toHaveLength(2);
    expect(await entriesOf(tenantId)).toEqual([]);
    expect(await daysOf(tenantId)).toEqual([]);
    await world.expectRebuildEqual();
  });

  it('of charges go when they are as old, of which the transactions stay as long as billing records do', async () => {
    const tenantId = newTenantId();
    const charges = [charged(inYears(0), 99), charged(inYears(3), 98)];
    await world.store.append(`credits-${tenantId}`, [purchased(inYears(0)), ...charges], 'no_stream');
    await recordYears(tenantId);
    expect(await entriesOf(tenantId)).toHaveLength(6);
    await world.purgeAt(inYears(7, 1));
    expect(await entriesOf(tenantId)).toEqual([inYears(0, 1), inYears(3), inYears(3)]);
    expect(await daysOf(tenantId)).toEqual([{ entries: '1' }, { entries: '2' }]);
    expect(await transactionsOf(tenantId)).toEqual([
      { balance_after: '100', forgotten: true },
      { balance_after: '99', forgotten: true },
      { balance_after: '98', forgotten: false },
    ]);
    await world.expectRebuildEqual();
    await world.scavenge();
    await world.expectRebuildEqual();
  });

  it('go also where a tenant has only charges, day by day', async () => {
    const tenantId = newTenantId();
    const charges = [0, 0, 1, 2].map((days, index) => charged(inYears(0, days), 99 - index));
    await world.store.append(`credits-${tenantId}`, [purchased(inYears(0)), ...charges], 'no_stream');
    await world.purgeAt(inYears(7));
    expect(await entriesOf(tenantId)).toHaveLength(4);
    await world.purgeAt(inYears(7, 1));
    expect(await entriesOf(tenantId)).toEqual([inYears(0, 1), inYears(0, 2)]);
    expect(await daysOf(tenantId)).toEqual([{ entries: '1' }, { entries: '1' }]);
    expect(await world.store.read(`audit-${tenantId}`)).toEqual([]);
    await world.expectRebuildEqual();
    await world.purgeAt(inYears(7, 3));
    expect(await entriesOf(tenantId)).toEqual([]);
    expect((await transactionsOf(tenantId)).map(({ forgotten }) => forgotten)).toEqual(Array(5).fill(true));
    await world.expectRebuildEqual();
  });

  it('of charges go in pieces where there are many, beside those of accesses that are no charges', async () => {
    const tenantId = newTenantId();
    const at = (index: number): Date => new Date(inYears(0).getTime() + Math.floor(index / 3));
    const times = Array.from({ length: 12_000 }, (_, index) => at(index));
    await world.store.append(`credits-${tenantId}`, [purchased(inYears(0), 20_000)], 'no_stream');
    for (const group of chunk([...times.entries()], 1_000)) {
      const charges = group.map(([index, time]) => charged(time, 19_999 - index));
      await world.store.append(`credits-${tenantId}`, charges, 'any');
    }
    await world.store.append(`audit-${tenantId}`, [accessed(at(0)), accessed(at(11_999))], 'any');
    await world.purgeAt(inYears(7, 1));
    expect(await entriesOf(tenantId)).toEqual([]);
    expect(await daysOf(tenantId)).toEqual([]);
    const purges = (await world.store.read(`retention-${tenantId}`)) as unknown as StoredEvent<StreamPurged>[];
    const cuts = purges.map(({ data }) => new Date(data.occurredBefore).getTime());
    const sizes = cuts.map(
      (cut, index) => times.filter((time) => time.getTime() >= (cuts[index - 1] ?? 0) && time.getTime() < cut).length,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(12_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5_000);
    expect(purges.map(({ data }) => data.firstKept)).toEqual([0, 0, 2]);
    await world.expectRebuildEqual();
    await world.scavenge();
    await world.expectRebuildEqual();
  });

  it('of charges go although more of them than a piece holds have one time', async () => {
    const tenantId = newTenantId();
    for (let part = 0; part < 6; part += 1) {
      const charges = Array.from({ length: 1_000 }, () => charged(inYears(0), 1));
      await world.store.append(`credits-${tenantId}`, charges, 'any');
    }
    await world.purgeAt(inYears(7, 1));
    expect(await entriesOf(tenantId)).toEqual([]);
    await world.expectRebuildEqual();
  });

  it('of operators go too', async () => {
    const acted = (time: Date) => ({
      ...accessed(time),
      type: 'OperatorActed.v1',
      data: { action: 'GET /admin/accounts', tenantId: null, roles: [] },
    });
    await world.store.append('audit-operators', [acted(inYears(0)), acted(inYears(2))], 'any');
    world.clock.set(inYears(7, 1));
    await world.purge.run();
    const kept = await world.store.read('audit-operators');
    expect(kept.map(({ metadata }) => metadata.time)).toEqual([inYears(2).toISOString()]);
  });

  it('tell when they were purged last and will be next', async () => {
    const tenantId = newTenantId();
    await recordYears(tenantId);
    expect(await purgeTimes(tenantId)).toEqual({
      lastPurge: null,
      nextPurge: new Date('2033-01-11T00:00:00.000Z'),
    });
    world.clock.set(inYears(7, 1));
    await world.purge.run();
    await world.caughtUp();
    expect(await purgeTimes(tenantId)).toEqual({
      lastPurge: inYears(7, 1),
      nextPurge: new Date('2033-01-12T00:00:00.000Z'),
    });
  });
});

describe('a truncation', () => {
  it('never brings back what was hidden', async () => {
    const stream = `audit-${newTenantId()}`;
    await world.store.append(
      stream,
      Array.from({ length: 5 }, () => accessed(inYears(0))),
      'no_stream',
    );
    await world.store.truncateBefore(stream, 3n);
    await world.store.truncateBefore(stream, 1n);
    expect((await world.store.read(stream)).map(({ revision }) => revision)).toEqual([3n, 4n]);
  });

  it('keeps the other metadata of the stream', async () => {
    const stream = `audit-${newTenantId()}`;
    await world.store.append(stream, [accessed(inYears(0)), accessed(inYears(0))], 'no_stream');
    const client = EventStoreDBClient.connectionString(world.connectionString);
    const others = { maxCount: 100, cacheControl: 7, owner: 'compliance', acl: { readRoles: ['auditors'] } };
    await client.setStreamMetadata(stream, others);
    await world.store.truncateBefore(stream, 1n);
    const { metadata } = await client.getStreamMetadata(stream);
    await client.dispose();
    expect(metadata).toEqual({ ...others, truncateBefore: 1 });
  });
});
