import fc from 'fast-check';
import { IdentityWorld, person, supplied } from '../../test/support/identity-world.js';
import { type Recorded } from '../kernel/events.js';
import { newUuid } from '../kernel/ids.js';
import { SHORT_STREAM } from '../log/append/snapshotted-streams.js';
import { type IdentityEvent, identityStream } from './domain/identity.events.js';
import { GRACE_PERIOD } from './domain/identity.js';
import { identityHistory, identitySnapshots } from './domain/identity-history.js';
import { IdentityReader } from './identity-reader.js';

const VERSIONS = 100_000;
const access = { requestId: newUuid(), ipAddress: '192.0.2.1', userAgent: 'spec', actorId: 'key-1', startedAt: 0 };

/** What an operation asks of the stores, and how many events it is given. */
interface Work {
  readonly questions: number;
  readonly events: number;
}

/** An identity that was ingested so often, as its stream holds it; the first half under another data key. */
const worldOf = async (versions: number) => {
  const world = new IdentityWorld();
  await world.ingest(supplied());
  const stream = identityStream(world.tenantId, world.identityId());
  const events = world.store.streams.get(stream) ?? [];
  const first = events.map((event) => ({ ...event }));
  for (let version = 1; version < versions; version += 1) {
    for (const event of first) {
      const type = event.type === 'IdentityIngested.v1' ? 'IdentityUpdated.v1' : event.type;
      const { personal } = event.data as { readonly personal?: { readonly key: string } };
      const key = version < versions / 2 ? 'an earlier key' : personal?.key;
      const data = personal === undefined ? event.data : { ...(event.data as object), personal: { ...personal, key } };
      events.push({ ...event, type, data, id: `e${events.length}`, revision: BigInt(events.length) });
    }
  }
  const { identities, vault, hashes, audit, clock, tenantId, store, snapshots } = world;
  const reader = new IdentityReader(identities, vault, hashes, audit, clock);
  const measure = async (operation: () => Promise<unknown>): Promise<Work> => {
    let [questions, given] = [0, 0];
    const { read, append } = store;
    const { load } = snapshots;
    const inIdentity = (name: string): boolean => name === stream;
    store.read = async (name, options) => {
      const found = await read.call(store, name, options);
      if (inIdentity(name)) [questions, given] = [questions + 1, given + found.length];
      return found;
    };
    store.append = (name, ...rest) => {
      if (inIdentity(name)) questions += 1;
      return append.call(store, name, ...rest);
    };
    snapshots.load = (...args) => ((questions += 1), load.apply(snapshots, args));
    await operation();
    Object.assign(store, { read, append });
    Object.assign(snapshots, { load });
    return { questions, events: given };
  };
  return {
    world,
    measure,
    read: () => reader.read(tenantId, world.identityId(), access),
    update: (name: string) => world.ingest(supplied({ personal: { ...person(), full_name: name } })),
    remove: () => world.command((identityId) => ({ kind: 'delete', identityId, now: clock.now() })),
  };
};

describe('an identity of a hundred thousand versions', () => {
  it('costs at most twice what a fresh one costs to update, read and delete', async () => {
    const costs = async (versions: number): Promise<readonly Work[]> => {
      const { world, measure, read, update, remove } = await worldOf(versions);
      await world.identity();
      const costs = [await measure(() => update('again')), await measure(read), await measure(remove)];
      expect((await world.identity()).phase).toBe('deleted');
      return costs;
    };
    const [fresh, old] = [await costs(1), await costs(VERSIONS)];
    for (const [index, { questions, events }] of old.entries()) {
      expect(questions).toBeLessThanOrEqual(2 * (fresh[index]?.questions ?? 0));
      expect(events).toBeLessThanOrEqual(SHORT_STREAM);
    }
  });

  it('is read as it was last ingested, and its erasure names every key that it was ever sealed under', async () => {
    const { world, read, update, remove } = await worldOf(1_000);
    await update('first');
    for (let version = 0; version < 20; version += 1) await update(`version ${version}`);
    expect((await read())?.personal.full_name).toBe('version 19');
    const { dataKeyIds } = await world.identity();
    expect(dataKeyIds).toHaveLength(2);
    await remove();
    world.clock.advance(GRACE_PERIOD);
    const erasing = await world.command((identityId) => ({
      kind: 'decide_erasure',
      identityId,
      now: world.clock.now(),
      inactiveSince: '2000-01-01T00:00:00.000Z',
      presentKeyIds: [],
    }));
    expect(erasing.dataKeyIds).toEqual(dataKeyIds);
    expect(dataKeyIds).toContain('an earlier key');
  });

  it('finds the restoration that an earlier attempt made long ago, and leaves a later deletion alone', async () => {
    const { world, remove, update } = await worldOf(1);
    const changeId = newUuid();
    const cause = { requestId: newUuid(), actor: { type: 'tenant', id: 'key-1' } } as const;
    const { tenantId, clock } = world;
    const identityId = world.identityId();
    const restore = (repeated: boolean) =>
      world.identities.execute({ tenantId, identityId }, { kind: 'restore', identityId, now: clock.now() }, cause, {
        firstEventId: changeId,
        repeated,
      });
    await remove();
    expect((await restore(false)).appended).toHaveLength(1);
    for (let version = 0; version < 20; version += 1) await update(`version ${version}`);
    await remove();
    expect((await restore(true)).appended).toEqual([]);
    expect((await world.identity()).phase).toBe('deleted');
  });
});

describe('the snapshot of an identity', () => {
  const someLife = fc.array(fc.constantFrom('ingest', 'delete', 'restore', 'erase'), { minLength: 1, maxLength: 40 });

  it('comes to what the events come to, through all lives, and holds no envelope', () =>
    fc.assert(
      fc.asyncProperty(someLife, async (steps) => {
        const world = new IdentityWorld();
        for (const step of steps) {
          const now = world.clock.now();
          const erasure = { now, inactiveSince: '2100-01-01', presentKeyIds: [] } as const;
          const end = { now, destroyed: [], backupsLastUntil: '', certificate: 'signed' } as const;
          const carry = async (): Promise<void> => {
            if (step === 'ingest') await world.ingest(supplied());
            if (step === 'delete') await world.command((identityId) => ({ kind: 'delete', identityId, now }));
            if (step === 'restore') await world.command((identityId) => ({ kind: 'restore', identityId, now }));
            if (step !== 'erase') return;
            await world.command((identityId) => ({ kind: 'decide_erasure', identityId, ...erasure }));
            await world.command((identityId) => ({ kind: 'complete_erasure', identityId, ...end }));
          };
          await carry().catch(() => undefined);
          world.clock.advance(1_000);
        }
        const events = (world.store.streams.get(identityStream(world.tenantId, world.identityId())) ??
          []) as readonly Recorded<IdentityEvent>[];
        const { initialState, evolve } = identityHistory;
        const history = events.reduce((state, event) => evolve(state, event), initialState(''));
        const loaded = await world.identities.load(world.tenantId, world.identityId());
        expect(loaded.state).toEqual(history);
        const kept = JSON.stringify(identitySnapshots.encode(history));
        expect(identitySnapshots.decode(JSON.parse(kept) as never, '')).toEqual(history);
        expect(kept).not.toMatch(/A256GCM|"ct"|personal/);
      }),
      { numRuns: 60 },
    ));
});
