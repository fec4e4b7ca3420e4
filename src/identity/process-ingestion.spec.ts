import { jest } from '@jest/globals';
import fc from 'fast-check';
import { systemClock } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { newUuid } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { Hold } from '../../test/support/hold.js';
import { IdentityWorld, person, supplied } from '../../test/support/identity-world.js';
import { type Fate } from '../../test/support/simulated-event-store.js';
import { GRACE_PERIOD } from './domain/identity.js';
import { identityStream } from './domain/identity.events.js';
import { ingestionStream } from './domain/ingestion.events.js';
import { judgeBatch } from './http/batch.dto.js';

const named = (full_name: string) => supplied({ personal: { ...person(), full_name } });

const CAUSE = { requestId: 'retry', actor: { type: 'tenant', id: 'key-1' } } as const;

/** A record with every field at fault. */
const WORST = {
  email: 1,
  phone_number: 1,
  full_name: 1,
  date_of_birth: 1,
  kyc_status: 1,
  tier: 1,
  document_reference: 1,
  data_source_id: 1,
  kyc_expires_at: 1,
  extra_data: 1,
};

/** Of an event with its metadata, as JSON. */
const sizeOf = ({ type, data, metadata }: StoredEvent): number =>
  Buffer.byteLength(JSON.stringify({ type, data, metadata }));

describe('processing an ingestion', () => {
  let world: IdentityWorld;
  beforeEach(() => {
    world = new IdentityWorld();
  });

  const softDelete = () => world.command((identityId) => ({ kind: 'delete', identityId, now: world.clock.now() }));
  const restore = () => world.command((identityId) => ({ kind: 'restore', identityId, now: world.clock.now() }));
  const erase = async (): Promise<void> => {
    world.clock.advance(GRACE_PERIOD);
    const now = world.clock.now();
    const decided = await world.command((identityId) => ({
      kind: 'decide_erasure',
      identityId,
      now,
      inactiveSince: '',
      presentKeyIds: [],
    }));
    world.vault.destroy(decided.dataKeyIds);
    await world.command((identityId) => ({
      kind: 'complete_erasure',
      identityId,
      now,
      destroyed: [],
      backupsLastUntil: now.toISOString(),
      certificate: 'certificate',
    }));
  };

  const failFiveTries = async (ingestionId: string): Promise<void> => {
    world.vault.outage = new Unavailable('keys');
    for (let tries = 0; tries < 5; tries += 1) {
      await world.process(ingestionId);
      world.clock.advance(120_000);
    }
    world.vault.outage = undefined;
  };

  it('writes the record into the stream of its identity, sealed for its new place', async () => {
    const ended = await world.ingest(named('Maria'));
    expect(ended).toMatchObject({ status: 'completed', recordsProcessed: 1, identityId: world.identityId() });
    expect(await world.record()).toMatchObject({ full_name: 'Maria', email: 'maria@example.org' });
  });

  it('reads no stream of a person who is new, and of one who was erased what tells it', async () => {
    const read = jest.spyOn(world.store, 'read');
    const identitiesRead = () => read.mock.calls.filter(([stream]) => stream.startsWith('identity-')).length;
    await world.ingest(supplied());
    expect(identitiesRead()).toBe(0);
    const { ingestionId } = await world.accept([named('before')]);
    await softDelete();
    await erase();
    read.mockClear();
    await world.process(ingestionId);
    expect(identitiesRead()).toBeLessThanOrEqual(1);
    expect(await world.ingestion(ingestionId)).toMatchObject({ status: 'failed' });
    expect(await world.identity()).toMatchObject({ phase: 'erased' });
  });

  it('does nothing the second time, also at the same moment', async () => {
    const { ingestionId } = await world.accept([supplied()]);
    await Promise.all([world.process(ingestionId), world.process(ingestionId), world.process(ingestionId)]);
    await world.process(ingestionId);
    const streams = [identityStream(world.tenantId, world.identityId()), ingestionStream(world.tenantId, ingestionId)];
    const types = streams.map((stream) => world.store.streams.get(stream)?.map(({ type }) => type));
    expect(types).toEqual([
      ['IdentityIngested.v1', 'IdentityVerified.v1'],
      ['IngestionAccepted.v1', 'IngestionCompleted.v1'],
    ]);
  });

  it('has nothing to process where the audit entry could not be recorded', async () => {
    const ingestionId = newUuid();
    world.audit.outage = new Unavailable('event_store');
    await expect(world.accept([supplied()], ingestionId)).rejects.toThrow(Unavailable);
    await world.process(ingestionId);
    expect(world.store.streams.size).toBe(0);
    world.audit.outage = undefined;
    await world.accept([supplied()], ingestionId);
    await world.process(ingestionId);
    expect(await world.ingestion(ingestionId)).toMatchObject({ status: 'completed' });
    expect(world.audit.entries.size).toBe(1);
  });

  it('finds the first with the same id and leaves one audit entry', async () => {
    const first = await world.accept([supplied()]);
    world.clock.advance(5_000);
    expect(await world.accept([supplied()], first.ingestionId)).toEqual(first);
    expect(world.audit.entries.size).toBe(1);
  });

  it('lets an old ingestion that is retried after a newer one complete without a trace', async () => {
    const old = await world.accept([named('old')]);
    await failFiveTries(old.ingestionId);
    expect((await world.ingestion(old.ingestionId)).status).toBe('failed');
    await world.ingest(named('new'));
    const target = { tenantId: world.tenantId, ingestionId: old.ingestionId };
    await world.ingestions.execute(target, { kind: 'retry', now: world.clock.now() }, CAUSE);
    await world.process(old.ingestionId);
    expect(await world.ingestion(old.ingestionId)).toMatchObject({ status: 'completed', superseded: true });
    expect(await world.record()).toMatchObject({ full_name: 'new' });
  });

  it('fails what was accepted before a deletion and runs after it', async () => {
    await world.ingest(supplied());
    const { ingestionId } = await world.accept([named('late')]);
    await softDelete();
    await world.process(ingestionId);
    expect(await world.ingestion(ingestionId)).toMatchObject({
      status: 'failed',
      errors: [{ recordIndex: 0, code: 'IDENTITY_DELETED' }],
    });
    await restore();
    expect(await world.record()).toMatchObject({ full_name: 'maria' });
  });

  it('fails what was accepted before an erasure, and begins a new life with what came after it', async () => {
    await world.ingest(supplied());
    const before = await world.accept([named('before')]);
    await softDelete();
    await erase();
    await world.process(before.ingestionId);
    expect(await world.ingestion(before.ingestionId)).toMatchObject({
      status: 'failed',
      errors: [{ code: 'KEY_DESTROYED' }],
    });
    expect(await world.ingest(named('reborn'))).toMatchObject({ status: 'completed' });
    expect(await world.record()).toMatchObject({ full_name: 'reborn' });
  });

  it.each(['opened the record', 'sealed the record for its new place'])(
    'does not bring an erased person back by a worker that had %s and slept through the erasure',
    async (step) => {
      await world.ingest(supplied());
      const { ingestionId } = await world.accept([named('late')]);
      const asleep = step === 'opened the record' ? new Hold() : world.store.hold('IdentityIngested.v1');
      if (step === 'opened the record') world.vault.hold = asleep;
      const working = world.process(ingestionId);
      await asleep.reached;
      await softDelete();
      await erase();
      asleep.release();
      await working;
      expect(await world.ingestion(ingestionId)).toMatchObject({
        status: 'failed',
        errors: [{ code: 'IDENTITY_DELETED' }],
      });
      expect((await world.identity()).phase).toBe('erased');
      expect(await world.ingest(named('reborn'))).toMatchObject({ status: 'completed' });
    },
  );

  it('stays due through an outage of a store, without counting a try', async () => {
    const { ingestionId } = await world.accept([supplied()]);
    world.vault.outage = new Unavailable('postgres');
    for (let tries = 0; tries < 9; tries += 1) await expect(world.process(ingestionId)).rejects.toThrow(Unavailable);
    expect(await world.ingestion(ingestionId)).toMatchObject({ status: 'accepted', attempts: 0 });
  });

  it('counts one try for two workers at the same moment, and begins no other before it is due', async () => {
    const { ingestionId } = await world.accept([supplied()]);
    const written = () => world.store.streams.get(ingestionStream(world.tenantId, ingestionId))?.length;
    world.vault.outage = new Unavailable('keys');
    await Promise.all([world.process(ingestionId), world.process(ingestionId)]);
    await world.process(ingestionId);
    expect(written()).toBe(2);
    world.clock.advance(1_000);
    await world.process(ingestionId);
    expect(await world.ingestion(ingestionId)).toMatchObject({ status: 'accepted', attempts: 2 });
  });

  it('fails after five tries without the key, and keeps what it failed on encrypted', async () => {
    const { ingestionId } = await world.accept([supplied()]);
    await failFiveTries(ingestionId);
    expect(await world.ingestion(ingestionId)).toMatchObject({
      status: 'failed',
      errors: [{ recordIndex: 0, code: 'KEY_UNAVAILABLE' }],
    });
  });

  it('tells in a batch which records failed, and applies the others', async () => {
    await world.ingest(supplied());
    await softDelete();
    const other = supplied({ recordIndex: 1, personal: person('other') });
    const { ingestionId } = await world.accept([supplied(), other]);
    await world.process(ingestionId);
    expect(await world.ingestion(ingestionId)).toMatchObject({
      status: 'completed',
      recordsProcessed: 1,
      errors: [{ recordIndex: 0, code: 'IDENTITY_DELETED' }],
    });
    expect(await world.record(person('other'))).toMatchObject({ full_name: 'other' });
  });

  it('lets the last of several records of one person in a batch win', async () => {
    const records = ['first', 'second', 'third'].map((name, recordIndex) => ({ ...named(name), recordIndex }));
    const { ingestionId } = await world.accept(records);
    await world.process(ingestionId);
    expect(await world.record()).toMatchObject({ full_name: 'third' });
    expect(await world.ingestion(ingestionId)).toMatchObject({ status: 'completed', recordsProcessed: 3 });
  });

  it('does not write over one person again and again for a batch full of them', async () => {
    const records = Array.from({ length: 300 }, (_, recordIndex) => ({ ...named(`name ${recordIndex}`), recordIndex }));
    const { ingestionId } = await world.accept(records);
    await world.process(ingestionId);
    expect(await world.record()).toMatchObject({ full_name: 'name 299' });
    expect(await world.ingestion(ingestionId)).toMatchObject({ status: 'completed', recordsProcessed: 300 });
    const written = world.store.streams.get(identityStream(world.tenantId, world.identityId())) ?? [];
    expect(written.length).toBeLessThan(100);
  });

  it('takes a large batch in parts of at most 256 KiB, which mean nothing before the acceptance', async () => {
    const records = Array.from({ length: 60 }, (_, recordIndex) =>
      supplied({ recordIndex, personal: { ...person(`p${recordIndex}`), extra_data: { text: 'x'.repeat(12_000) } } }),
    );
    const { ingestionId } = await world.accept(records);
    const events = world.store.streams.get(ingestionStream(world.tenantId, ingestionId)) ?? [];
    expect(events.length).toBeGreaterThan(3);
    expect(events.at(-1)?.type).toBe('IngestionAccepted.v1');
    for (const { data } of events) expect(JSON.stringify(data).length).toBeLessThan(256 * 1_024);
    await world.process(ingestionId);
    expect(await world.ingestion(ingestionId)).toMatchObject({ status: 'completed', recordsProcessed: 60 });
  });

  it.each([
    [1, 0],
    [1, 12_000],
    [56, 12_000],
    [700, 0],
  ])('keeps every event within 256 KiB for %i good records of %i bytes and the worst others', async (good, bytes) => {
    const extra_data = { text: 'x'.repeat(bytes) };
    const sent = Array.from({ length: 1_000 }, (_, index) =>
      index < good ? { ...person(`p${index}`), kyc_status: 'APPROVED', extra_data } : WORST,
    );
    const { records, errors } = judgeBatch({ records: sent }, systemClock);
    expect([records.length, errors.length]).toEqual([good, 1_000 - good]);
    const { ingestionId } = await world.accept(records, newUuid(), errors);
    // Those that are good fail in the end, so that all that can be said is said.
    await failFiveTries(ingestionId);
    expect(await world.ingestion(ingestionId)).toMatchObject({ status: 'failed' });
    expect((await world.ingestion(ingestionId)).errors).toHaveLength(1_000);
    const events = world.store.streams.get(ingestionStream(world.tenantId, ingestionId)) ?? [];
    for (const event of events) expect(sizeOf(event)).toBeLessThanOrEqual(256 * 1_024);
    await world.ingestions.execute(
      { tenantId: world.tenantId, ingestionId },
      { kind: 'retry', now: world.clock.now() },
      CAUSE,
    );
    await world.process(ingestionId);
    expect(await world.ingestion(ingestionId)).toMatchObject({ status: 'completed', recordsProcessed: good });
  });

  it('goes on with a batch where a first attempt with the same id broke off', async () => {
    const records = Array.from({ length: 60 }, (_, recordIndex) =>
      supplied({ recordIndex, personal: { ...person(`p${recordIndex}`), extra_data: { text: 'x'.repeat(12_000) } } }),
    );
    const { ingestionId } = await world.accept(records);
    const stream = ingestionStream(world.tenantId, ingestionId);
    const whole = world.store.streams.get(stream) ?? [];
    const lost = new IdentityWorld({}, world);
    lost.store.streams.set(stream, whole.slice(0, 2));
    await lost.accept(records, ingestionId);
    await lost.process(ingestionId);
    expect(await lost.ingestion(ingestionId)).toMatchObject({ status: 'completed', recordsProcessed: 60 });
    expect(lost.store.streams.get(stream)?.length).toBe(whole.length + 1);
  });

  it('writes nothing personal in plain into any event', async () => {
    const personal = {
      ...person(),
      full_name: 'Señora Plain',
      date_of_birth: '1980-02-03',
      extra_data: { note: 'x1y2' },
    };
    const text: string[] = [];
    world.vault.seal = (key, place, value) => ({
      v: 1,
      alg: 'A256GCM',
      key: key.id,
      iv: JSON.stringify(place),
      ct: Buffer.from(JSON.stringify(value)).toString('base64url'),
    });
    world.vault.open = (_place, envelope) =>
      Promise.resolve(JSON.parse(Buffer.from(envelope.ct, 'base64url').toString()) as unknown);
    await world.ingest(supplied({ personal }));
    for (const events of world.store.streams.values())
      text.push(JSON.stringify(events, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)));
    for (const value of ['maria@example.org', '2025550123', 'Plain', '1980-02-03', 'x1y2']) {
      expect(text.join('\n')).not.toContain(value);
    }
  });
});

describe('ingestions under lost acknowledgements, conflicts and repeated jobs', () => {
  const PEOPLE = ['a', 'b', 'c'];
  const fates = fc.array(
    fc.constantFrom<Fate>('acknowledged', 'acknowledged', 'acknowledged', 'acknowledgement_lost', 'request_lost'),
    {
      minLength: 50,
      maxLength: 50,
    },
  );
  const plan = fc.array(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 12 });

  it('each end once, and every identity with the newest of its records', async () => {
    await fc.assert(
      fc.asyncProperty(
        plan,
        fates,
        fc.array(fc.nat({ max: 3 }), { minLength: 60, maxLength: 60 }),
        async (names, storeFates, delays) => {
          let calls = 0;
          const world = new IdentityWorld({
            fate: () => storeFates[calls++] ?? 'acknowledged',
            delay: () => delays[calls % delays.length] ?? 0,
          });
          const accepted: { readonly id: string; readonly name: string; readonly version: string }[] = [];
          await Promise.allSettled(
            names.map(async (name, index) => {
              const version = `${name} ${index}`;
              const { ingestionId } = await world.accept([
                supplied({ personal: { ...person(name), full_name: version } }),
              ]);
              accepted.push({ id: ingestionId, name, version });
            }),
          );
          // The queue delivers each job twice, at the same time, and the reconciler brings back what failed.
          for (let round = 0; round < 60; round += 1) {
            const rounds = await Promise.allSettled([...accepted, ...accepted].map(({ id }) => world.process(id)));
            if (rounds.every(({ status }) => status === 'fulfilled')) break;
          }
          await expectEachEndedOnce(
            world,
            accepted.map(({ id }) => id),
          );
          for (const name of new Set(accepted.map((entry) => entry.name))) await expectNewest(world, name);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  const expectEachEndedOnce = async (world: IdentityWorld, ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      expect((await world.ingestion(id)).status).toBe('completed');
      const events = world.store.streams.get(ingestionStream(world.tenantId, id)) ?? [];
      expect(events.filter(({ type }) => type === 'IngestionCompleted.v1')).toHaveLength(1);
    }
  };

  const expectNewest = async (world: IdentityWorld, name: string): Promise<void> => {
    const acceptances = [...world.store.streams.entries()]
      .filter(([stream]) => stream.startsWith(ingestionStream(world.tenantId, '')))
      .map(([, events]) => events)
      .filter((events) => events.some(({ type }) => type === 'IngestionCompleted.v1'))
      .map(([first]) => first)
      .filter((first) => JSON.stringify(first?.data).includes(`${name} `))
      .sort((one, other) => Number((one?.position ?? 0n) - (other?.position ?? 0n)));
    const newest = acceptances.at(-1);
    expect((await world.identity(person(name))).lastApplied?.position).toBe(newest?.position);
  };
});
