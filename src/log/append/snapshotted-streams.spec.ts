import fc from 'fast-check';
import { MemorySnapshots } from '../../../test/support/memory-snapshots.js';
import { SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { newUuid } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { SHORT_STREAM, SnapshottedStreams, type StreamFold } from './snapshotted-streams.js';

interface Sum {
  readonly total: number;
  readonly revision: bigint;
}

const sum: StreamFold<Sum> = {
  version: 'sum.1',
  initialState: () => ({ total: 0, revision: -1n }),
  evolve: ({ total, revision }, event) => {
    if (event.revision !== revision + 1n) throw new Error('an event was left out, or came twice');
    return { total: total + (event.data as { readonly amount: number }).amount, revision: event.revision };
  },
  encode: ({ total, revision }) => ({ total, revision: Number(revision) }),
  decode: (kept: { readonly total: number; readonly revision: number }) => ({
    total: kept.total,
    revision: BigInt(kept.revision),
  }),
  isKept: ({ total }) => total !== 13,
};

const STREAM = 'sum-1';
const eventOf = (amount: number) => ({
  id: newUuid(),
  type: 'Added',
  data: { amount },
  metadata: { $correlationId: 'c', actor: { type: 'system', id: 's' }, time: '', schemaVersion: 1 } as const,
});
const totalIn = (store: SimulatedEventStore): number =>
  (store.streams.get(STREAM) ?? []).reduce(
    (total, { data }) => total + (data as { readonly amount: number }).amount,
    0,
  );

const worldOf = async (events: number) => {
  const store = new SimulatedEventStore();
  const snapshots = new MemorySnapshots();
  const add = (...amounts: number[]) => store.append(STREAM, amounts.map(eventOf), 'any');
  for (let n = 0; n < events; n += 1) await add(1);
  const streams = new SnapshottedStreams(store, snapshots, sum);
  return { store, snapshots, streams, add };
};

describe('a stream that is read from its snapshot', () => {
  const someStep = fc.oneof(
    fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ kind: fc.constant('load' as const), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('lose the snapshot' as const), count: fc.constant(0) }),
    fc.record({ kind: fc.constant('put the log back' as const), count: fc.integer({ min: 1, max: 20 }) }),
  );

  it('comes to what all of its events come to, whatever became of log and snapshots', () =>
    fc.assert(
      fc.asyncProperty(fc.array(someStep, { maxLength: 30 }), async (steps) => {
        const { store, snapshots, streams, add } = await worldOf(0);
        for (const { kind, count } of steps) {
          if (kind === 'append') await add(...Array.from({ length: count }, (_, index) => index - 3));
          if (kind === 'lose the snapshot') await snapshots.discard(STREAM);
          if (kind === 'put the log back') store.streams.get(STREAM)?.splice(-count);
          for (let n = 0; kind === 'load' && n < count; n += 1) {
            const { view, revision, tail } = await streams.load(STREAM);
            expect(view.total).toBe(totalIn(store));
            expect([view.revision, tail.at(-1)?.revision ?? -1n]).toEqual([revision, revision]);
          }
        }
      }),
      { numRuns: 300 },
    ));

  it('is read anew where the log was put back and has grown again', async () => {
    const { store, streams, add } = await worldOf(20);
    await streams.load(STREAM);
    store.streams.get(STREAM)?.splice(15);
    await add(...Array.from({ length: 30 }, () => 100));
    expect((await streams.load(STREAM)).view.total).toBe(3_015);
  });

  it('costs no more however long it is, and no snapshot where it is short', async () => {
    const costOf = async (events: number): Promise<{ readonly events: number; readonly snapshots: number }> => {
      const { store, snapshots, streams } = await worldOf(events);
      await streams.load(STREAM);
      let read = 0;
      const reading = store.read.bind(store);
      store.read = async (...args) => {
        const found = await reading(...args);
        read += found.length;
        return found;
      };
      snapshots.loads = 0;
      await streams.load(STREAM);
      return { events: read, snapshots: snapshots.loads };
    };
    expect((await costOf(3)).snapshots).toBe(0);
    expect((await costOf(2_000)).events).toBeLessThanOrEqual(2 * SHORT_STREAM);
  });

  it('is read anew where the fold has changed', async () => {
    const { store, snapshots, streams } = await worldOf(50);
    await streams.load(STREAM);
    const doubled: StreamFold<Sum> = {
      ...sum,
      version: 'sum.2',
      evolve: (view, event) => ({ ...sum.evolve(view, event), total: view.total + 2 }),
    };
    expect((await new SnapshottedStreams(store, snapshots, doubled).load(STREAM)).view.total).toBe(100);
    expect(snapshots.saved.get(STREAM)?.version).toBe('sum.2');
  });

  it('leaves no snapshot of a state that must not be kept, and goes on without', async () => {
    const { snapshots, streams, add } = await worldOf(13);
    expect((await streams.load(STREAM)).view.total).toBe(13);
    expect(snapshots.saved.size).toBe(0);
    await add(1);
    await streams.load(STREAM);
    expect(snapshots.saved.get(STREAM)?.revision).toBe(13n);
  });

  it('goes on where its reading broke off, if it is a long one', async () => {
    const { store, streams, add } = await worldOf(0);
    for (let n = 0; n < 12; n += 1) await add(...Array.from({ length: 1_000 }, () => 1));
    const from: (bigint | undefined)[] = [];
    const readPages = store.readPages.bind(store);
    let pages = 900;
    store.readPages = async function* (stream, options) {
      from.push(options?.from);
      for await (const page of readPages(stream, options)) {
        if ((pages -= 1) < 0) throw new Unavailable('event_store');
        yield page;
      }
    };
    await expect(streams.load(STREAM)).rejects.toThrow(Unavailable);
    pages = Infinity;
    expect((await streams.load(STREAM)).view.total).toBe(12_000);
    expect(from[0]).toBe(0n);
    expect(from[1]).toBeGreaterThan(4_999n);
  });
});
