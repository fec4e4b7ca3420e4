import { aggregatesOf } from '../support/aggregates.js';
import { jest } from '@jest/globals';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { type DueKind } from '../../projections/retention/retention.queries.js';
import { newUuid, type TenantId } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { identityStream } from '../../src/identity/domain/identity.events.js';
import { ingestionStream } from '../../src/identity/domain/ingestion.events.js';
import { surelyForgottenWithin } from '../../src/identity/identity-eraser.js';
import { IngestionRepository } from '../../src/identity/ingestion-repository.js';
import { IngestionStatuses } from '../../src/identity/ingestion-statuses.js';
import { destroyOldAnswerKeys } from '../../src/platform/crypto/response-keys.js';
import { DataKeyShredder } from '../../src/platform/crypto/data-key-shredder.js';
import { type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { person, supplied } from '../support/identity-world.js';
import { RetainedPeople } from '../support/retained-people.js';
import { inYears, type RetentionWorld } from '../support/retention-world.js';
import { type PurgeTimes, PurgePreview } from '../../src/retention/purge-preview.js';

jest.setTimeout(180_000);

const DAY = 24 * 3_600_000;
const FORGOTTEN = surelyForgottenWithin();

let aging: RetainedPeople;
let world: RetentionWorld;
let opened: OpenVault;
let people: RetainedPeople['people'];

beforeAll(async () => {
  aging = await RetainedPeople.open();
  ({ world, opened } = aging);
});

beforeEach(() => {
  aging.restart();
  ({ people } = aging);
});

afterAll(() => aging.close());

const purgeTimes = (tenantId: TenantId): Promise<PurgeTimes> =>
  new PurgePreview(world.readModels, world.aggregates, world.clock).times(tenantId);

const personStream = (): string => identityStream(people.tenantId, people.identityId());

const ingestionRows = async (): Promise<number> => {
  const rows = await world.database.query('SELECT 1 FROM ingestions WHERE tenant_id = $1', [people.tenantId]);
  return rows.length;
};

describe('a person without an identity', () => {
  it('is erased five years after the last ingestion that failed, with a certificate, and a rebuild has the same rows', async () => {
    await people.accept([supplied()]);
    people.clock.advance(DAY);
    await people.accept([supplied()]);
    await aging.record();
    expect(await aging.keysOf()).toBe(1);
    await aging.ageAt(inYears(5));
    await aging.ageAt(new Date(inYears(5, 1).getTime() - 1));
    expect(await aging.keysOf()).toBe(1);
    // The remains of the ingestion go at the beginning of that day.
    const midnight = new Date(inYears(5, 1).setUTCHours(0, 0, 0, 0));
    expect((await purgeTimes(people.tenantId)).nextPurge).toEqual(midnight);
    await aging.ageAt(inYears(5, 1));
    expect(await aging.keysOf()).toBe(0);
    await aging.ageAt(new Date(inYears(5, 1).getTime() + FORGOTTEN));
    expect(await aging.streamTypes(personStream())).toEqual(['IdentityErasureDecided.v1', 'IdentityErased.v1']);
    const [decided] = await world.store.read(personStream());
    const hash = opened.hashes.identityHash(person().email, person().phone_number);
    expect(decided?.data).toMatchObject({ identityHash: hash, reason: 'retention' });
    await world.expectRebuildEqual();
  });

  it('is erased where only parts of a batch were ever written', async () => {
    const names = Array.from({ length: 4 }, (_, index) => `p${index}`);
    const records = names.map((name, recordIndex) =>
      supplied({ recordIndex, personal: { ...person(name), extra_data: { text: 'x'.repeat(60_000) } } }),
    );
    const { ingestionId } = await people.accept(records);
    await aging.record(people, 'IngestionAccepted.v1');
    const stream = ingestionStream(people.tenantId, ingestionId);
    expect(new Set(await aging.streamTypes(stream))).toEqual(new Set(['IngestionRecordsReceived.v1']));
    const first = people.identityId(person('p0'));
    expect(await aging.keysOf(first)).toBe(1);
    await aging.ageAt(inYears(5));
    expect(await aging.keysOf(first)).toBe(0);
    await aging.ageAt(new Date(inYears(5).getTime() + FORGOTTEN));
    await world.purgeAt(inYears(5, 1));
    expect(await aging.streamTypes(stream)).toEqual([]);
    await world.expectRebuildEqual();
    await world.scavenge();
    await world.expectRebuildEqual();
  });

  it('is erased again where something was ingested in the middle of an erasure', async () => {
    await people.accept([supplied()]);
    await aging.record();
    await aging.ageAt(inYears(5));
    // An instance that does not hold the destroyed key makes a new one.
    const other = await aging.openAgain();
    const again = aging.instance(other, inYears(5), { tenantId: people.tenantId });
    await again.accept([supplied()]);
    other.close();
    await aging.record(again);
    await aging.ageAt(new Date(inYears(5).getTime() + FORGOTTEN));
    expect(await aging.keysOf()).toBe(1);
    await aging.ageAt(inYears(10));
    expect(await aging.keysOf()).toBe(0);
    await aging.ageAt(new Date(inYears(10).getTime() + FORGOTTEN));
    expect(await aging.streamTypes(personStream())).toHaveLength(4);
  });

  it('keeps an identity alive that was ingested later', async () => {
    await people.accept([supplied()]);
    people.clock.advance(DAY);
    await people.ingest(supplied());
    await aging.record();
    await aging.ageAt(inYears(5));
    expect(await aging.keysOf()).toBe(1);
  });
});

describe('an ended ingestion', () => {
  it('goes five years after, from log and rows, once nothing of its tenant waits to be erased', async () => {
    const { ingestionId } = await people.accept([supplied()]);
    await people.process(ingestionId);
    await people.accept([supplied({ personal: person('never processed') })]);
    await aging.record();
    const stream = ingestionStream(people.tenantId, ingestionId);
    await world.purgeAt(inYears(5, 1));
    expect(await aging.streamTypes(stream)).toHaveLength(2);
    await aging.ageAt(new Date(inYears(5, 1).getTime() + 1));
    await world.purgeAt(new Date(inYears(5, 1).getTime() + 2));
    expect(await aging.streamTypes(stream)).toEqual([]);
    // The other one was never processed: it is still due, and would be known to be erased.
    expect(await ingestionRows()).toBe(1);
    await world.expectRebuildEqual();
    expect(await world.scavenge()).toBeGreaterThan(0);
    await world.expectRebuildEqual();
  });

  it('leaves nothing to process or to tell of where it is retried at the very moment of its purge', async () => {
    const { ingestionId } = await people.accept([supplied()]);
    await people.process(ingestionId);
    await aging.record();
    await aging.ageAt(inYears(5, 1));
    const stream = ingestionStream(people.tenantId, ingestionId);
    const retry = async (revision: bigint): Promise<void> => {
      const actor = { type: 'tenant', id: 'key-1' } as const;
      const time = world.clock.now().toISOString();
      const metadata = { $correlationId: newUuid(), actor, time, schemaVersion: 1 };
      const event = { id: newUuid(), type: 'IngestionRetried.v1', data: { ingestionId, retriedAt: time }, metadata };
      await world.store.append(stream, [event], revision);
    };
    const truncate = world.store.truncateBefore.bind(world.store);
    let retried = false;
    world.store.truncateBefore = async (name, revision) => {
      if (name === stream && !retried) {
        retried = true;
        await retry(revision - 1n);
      }
      await truncate(name, revision);
    };
    await world.purgeAt(inYears(5, 1));
    world.store.truncateBefore = truncate;
    expect(retried).toBe(true);
    expect(await aging.streamTypes(stream)).toEqual([]);
    const ingestions = new IngestionRepository(aggregatesOf(world.store, world.clock));
    const statuses = new IngestionStatuses(new EligibilityQueries(world.readModels), ingestions, world.readModels);
    expect(await statuses.of(people.tenantId, ingestionId)).toBeUndefined();
    await world.expectRebuildEqual();
  });

  it('leaves the list of what to truncate with the end of a later run', async () => {
    const { ingestionId } = await people.accept([supplied()]);
    await people.process(ingestionId);
    await aging.record();
    await aging.ageAt(inYears(5, 1));
    await world.purgeAt(inYears(5, 1));
    const listed = async (completed: Date): Promise<number> => {
      const completedAt = completed.toISOString();
      const actor = { type: 'system', id: 'retention' } as const;
      const metadata = { $correlationId: newUuid(), actor, time: completedAt, schemaVersion: 1 };
      const data = { day: completedAt.slice(0, 10), completedAt };
      const event = { id: newUuid(), type: 'PurgeRunCompleted.v1', data, metadata };
      await world.store.append('purges-deployment', [event], 'any');
      await world.caughtUp();
      const stream = ingestionStream(people.tenantId, ingestionId);
      return (await world.database.query('SELECT 1 FROM purged_streams WHERE stream = $1', [stream])).length;
    };
    expect(await listed(inYears(5, 1))).toBe(1);
    expect(await listed(inYears(5, 3))).toBe(0);
    await world.expectRebuildEqual();
  });

  it('stays for five years to the day, and while it is under way', async () => {
    const { ingestionId } = await people.accept([supplied()]);
    await people.process(ingestionId);
    await aging.record();
    await world.purgeAt(inYears(5));
    expect(await ingestionRows()).toBe(1);
  });
});

describe('an approval', () => {
  it('holds up to kyc_expires_at to the millisecond, and is EXPIRED in the log from the next round on', async () => {
    const expiresAt = inYears(0, 1);
    const justBefore = new Date(expiresAt.getTime() - 1);
    const who = person('approved for a day');
    await people.ingest(supplied({ personal: who, kycExpiresAt: expiresAt }));
    await aging.record();
    const stream = identityStream(people.tenantId, people.identityId(who));
    const index = new EligibilityQueries(world.readModels);
    const hash = opened.hashes.identityHash(who.email, who.phone_number);
    expect(await index.find(hash, justBefore)).toMatchObject({ tier: 'Tier2' });
    expect(await index.find(hash, expiresAt)).toBeUndefined();
    await aging.ageAt(justBefore);
    expect(await aging.streamTypes(stream)).not.toContain('IdentityExpired.v1');
    await aging.ageAt(expiresAt);
    expect((await aging.streamTypes(stream)).at(-1)).toBe('IdentityExpired.v1');
  });
});

describe('a day on which very much is due', () => {
  /** So many at a time are due at the same moment. */
  const putDue = (kind: DueKind, count: number): Promise<unknown> =>
    world.database.query(
      `INSERT INTO retention_due (stream, kind, tenant_id, identity_id, identity_hash, due_at)
       SELECT 'identity-' || $1::text || '_' || id, $2, $1, 'idn_' || id, repeat('ab', 32), timestamptz '2020-01-01' + n / 700 * interval '1 s'
       FROM (SELECT n, lpad($2::text || n, 32, '0') AS id FROM generate_series(1, $3::int) AS n) AS numbered`,
      [people.tenantId, kind, count],
    );

  afterEach(() => world.database.query('DELETE FROM retention_due WHERE tenant_id = $1', [people.tenantId]));

  it('takes each of it once in one round, past those that fail', async () => {
    await putDue('erasure', 1_600);
    await putDue('expiry', 700);
    await putDue('purge', 1_100);
    const tried = new Map<string, number>();
    const order: string[] = [];
    await aging
      .jobsWith(({ data: { identityId, change } }) => {
        tried.set(identityId, (tried.get(identityId) ?? 0) + 1);
        if (order.at(-1) !== change) order.push(change);
        return change === 'erase' && tried.size % 2 === 0 ? Promise.reject(new Error('stuck')) : Promise.resolve();
      })
      .run();
    expect(tried.size).toBe(3_400);
    expect(new Set(tried.values())).toEqual(new Set([1]));
    // None of the kinds waits for the whole of another.
    expect(order.slice(0, 3)).toEqual(['expire', 'decide_erasure', 'erase']);
  });

  it('is left where it is by an instance that stops', async () => {
    await putDue('expiry', 1_100);
    let tried = 0;
    const stopping = new AbortController();
    const jobs = aging.jobsWith(() => {
      tried += 1;
      if (tried === 20) stopping.abort();
      return Promise.resolve();
    });
    await jobs.run(stopping.signal);
    expect(tried).toBeLessThan(40);
  });

  it('is not gone through while the stores are down', async () => {
    await putDue('expiry', 1_100);
    let tried = 0;
    const down = aging.jobsWith(() => {
      tried += 1;
      return Promise.reject(new Unavailable('event_store'));
    });
    await expect(down.run()).rejects.toThrow(Unavailable);
    expect(tried).toBe(500);
  });
});

describe('the key of a stored answer', () => {
  it('is another than the one that events are sealed under, goes with the person and else after three days', async () => {
    world.clock.set(new Date());
    const { email, phone_number: phone } = person();
    const subject = await opened.vault.subjectKey(people.tenantId, people.identityId());
    const answer = await opened.vault.answerKey(people.tenantId, email, phone);
    expect(answer.id).not.toBe(subject.id);
    const shredder = new DataKeyShredder(world.database);
    const now = world.clock.now();
    expect(await shredder.present(people.tenantId, people.identityId(), now)).toEqual(
      expect.arrayContaining([subject.id, answer.id]),
    );
    const left = async (after: number): Promise<string[]> => {
      await destroyOldAnswerKeys(world.database, new Date(now.getTime() + after));
      const rows = await world.database.query<{ id: string }>('SELECT id FROM data_keys WHERE tenant_id = $1', [
        people.tenantId,
      ]);
      return rows.map(({ id }) => id).sort();
    };
    expect(await left(3 * DAY - 60_000)).toEqual([subject.id, answer.id].sort());
    expect(await left(3 * DAY + 60_000)).toEqual([subject.id]);
  });
});
