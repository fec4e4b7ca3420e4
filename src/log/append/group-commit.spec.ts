import { type Fate, PAGE, SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { MemorySnapshots } from '../../../test/support/memory-snapshots.js';
import { moves, type Purse, writer } from '../../../test/support/purse.js';
import { type Clock, systemClock } from '../../kernel/clock.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { AppendRefused } from '../../platform/eventstore/event-store.js';
import { type Decision, OutcomeUnknown } from './command-queue.js';
import { type SnapshotCodec } from './stream-load.js';

/** Each reading of pages fails behind its first whole page; answers where the readings began. */
const breakAfterEachPage = (store: SimulatedEventStore): (bigint | undefined)[] => {
  const froms: (bigint | undefined)[] = [];
  const readPages = store.readPages.bind(store);
  store.readPages = async function* (stream, options) {
    froms.push(options?.from);
    for await (const page of readPages(stream, options)) {
      yield page;
      if (page.length === PAGE) throw new Unavailable('event_store');
    }
  };
  return froms;
};

/** A writer for which time passes only in appends, each of at most ten commands and as long as `appendMs` says. */
const overloaded = (appendMs: () => number, whileAppending: () => void = () => undefined) => {
  let time = 0;
  const clock: Clock = { now: () => new Date(time), monotonic: () => time };
  const store = new SimulatedEventStore();
  const sizes: number[] = [];
  const append = store.append.bind(store);
  store.append = (stream, events, expected) => {
    whileAppending();
    sizes.push(events.length);
    time += appendMs();
    return append(stream, events, expected);
  };
  return { group: writer(store, undefined, { clock, weigh: () => 52_500 }), sizes, time: () => time };
};

describe('group commit', () => {
  it('appends what queues up during an append as one batch', async () => {
    let appends = 0;
    const store = new SimulatedEventStore({ delay: () => 3, fate: () => ((appends += 1), 'acknowledged') });
    const group = writer(store);
    await Promise.all(Array.from({ length: 500 }, (_, n) => group.submit({ id: `m${n}`, amount: 1 }, 5_000)));
    expect(moves(store)).toHaveLength(500);
    expect(appends).toBeLessThanOrEqual(2);
  });

  it('fails those alone whose append the store refuses, and goes on with the others', async () => {
    const store = new SimulatedEventStore();
    const append = store.append.bind(store);
    let behind: Promise<Decision<Purse>> | undefined;
    store.append = (stream, events, expected) => {
      const tooLarge = events.some(({ data }) => (data as { id: string }).id === 'large');
      if (!tooLarge) return append(stream, events, expected);
      behind = group.submit({ id: 'behind', amount: 1 }, 5_000);
      return Promise.reject(new AppendRefused(stream, 'too large'));
    };
    const group = writer(store);
    const together = ['large', 'neighbour'].map((id) => group.submit({ id, amount: 1 }, 5_000));
    const overdrawn = group.submit({ id: 'overdrawn', amount: -5 }, 5_000);
    const settled = await Promise.allSettled([...together, overdrawn]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    for (const refused of together) await expect(refused).rejects.toBeInstanceOf(AppendRefused);
    await expect(overdrawn).rejects.toMatchObject({ code: 'insufficient_credits' });
    expect((await behind)?.revision).toBe(0n);
    expect(moves(store)).toHaveLength(1);
  });

  it('never appends more than a thousand events at once', async () => {
    const sizes: number[] = [];
    const store = new SimulatedEventStore();
    const append = store.append.bind(store);
    store.append = (stream, events, expected) => (sizes.push(events.length), append(stream, events, expected));
    const group = writer(store);
    await Promise.all(Array.from({ length: 2_500 }, (_, n) => group.submit({ id: `m${n}`, amount: 1 }, 5_000)));
    expect(sizes).toEqual([1_000, 1_000, 500]);
  });

  it('gives each command its own accept or reject, in order', async () => {
    const group = writer(new SimulatedEventStore());
    const results = await Promise.allSettled([
      group.submit({ id: 'a', amount: 2 }, 5_000),
      group.submit({ id: 'b', amount: -3 }, 5_000),
      group.submit({ id: 'c', amount: -2 }, 5_000),
      group.submit({ id: 'd', amount: -1 }, 5_000),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value.revision : undefined))).toEqual([
      0n,
      undefined,
      1n,
      undefined,
    ]);
  });

  it('refuses only by a state that is current: what another writer put in is seen first', async () => {
    const store = new SimulatedEventStore();
    const [one, two] = [writer(store), writer(store)];
    await one.submit({ id: 'look', amount: 0 }, 5_000);
    await two.submit({ id: 'in', amount: 5 }, 5_000);
    const taken = await one.submit({ id: 'out', amount: -5 }, 5_000);
    expect(taken.state.balance).toBe(0);
  });

  it('judges a command that needs no event after one read of the tail, however fast another writer writes', async () => {
    const store = new SimulatedEventStore();
    const [one, two] = [writer(store), writer(store)];
    await two.submit({ id: 'first', amount: 1 }, 5_000);
    const read = store.read.bind(store);
    let reads = 0;
    store.read = async (stream, options) => {
      reads += 1;
      await two.submit({ id: `in${reads}`, amount: 1 }, 5_000);
      return read(stream, options);
    };
    const { state } = await one.submit({ id: 'look', amount: 0 }, 500);
    expect(state.balance).toBe(moves(store).length);
    expect(reads).toBeLessThan(5);
  });

  it('answers in time while the store hangs, and says whether the command may have been written', async () => {
    const store = new SimulatedEventStore();
    const group = writer(store);
    await group.submit({ id: 'a', amount: 5 }, 5_000);
    let release: () => void = () => undefined;
    store.append = () => new Promise((_, reject) => (release = () => reject(new Unavailable('event_store'))));
    const tried = group.submit({ id: 'b', amount: -1 }, 150);
    await new Promise((resume) => setTimeout(resume, 20));
    const queued = group.submit({ id: 'c', amount: -1 }, 150);
    await expect(tried).rejects.toBeInstanceOf(OutcomeUnknown);
    await expect(queued).rejects.not.toBeInstanceOf(OutcomeUnknown);
    store.append = SimulatedEventStore.prototype.append.bind(store);
    release();
    await group.submit({ id: 'd', amount: 0 }, 5_000);
    expect(moves(store).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('does not count a command as tried that an unreachable store was never sent', async () => {
    const store = new SimulatedEventStore();
    const group = writer(store);
    await group.submit({ id: 'a', amount: 5 }, 5_000);
    store.healthy = false;
    store.append = () => Promise.reject(new Unavailable('event_store'));
    const error: unknown = await group.submit({ id: 'b', amount: -1 }, 150).catch((failure: unknown) => failure);
    store.healthy = true;
    store.append = SimulatedEventStore.prototype.append.bind(store);
    expect(error).toBeInstanceOf(Unavailable);
    expect(error).not.toBeInstanceOf(OutcomeUnknown);
    await group.submit({ id: 'c', amount: -5 }, 5_000);
    expect(moves(store).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('tries nobody who would hear too late, so that an overload makes no refunds', async () => {
    const answered = { inTime: 0, late: 0 };
    let submitted = 0;
    const waiting: Promise<unknown>[] = [];
    // Twice as many as fit in an append ask during each, for ninety appends.
    const ask = (): void => {
      for (let n = 0; n < 20 && submitted < 1_800; n += 1, submitted += 1) {
        const deadline = world.time() + 1_500;
        const accepted = (): number => (world.time() > deadline ? (answered.late += 1) : (answered.inTime += 1));
        waiting.push(world.group.submit({ id: `m${submitted}`, amount: 1 }, 1_500).then(accepted, () => undefined));
      }
    };
    const world = overloaded(() => 320, ask);
    ask();
    while (!world.group.idle) await new Promise((resume) => setImmediate(resume));
    await Promise.all(waiting);
    // At most the very last, who is tried although there is little time, since it is all there is to do.
    expect(answered.late).toBeLessThanOrEqual(1);
    expect(answered.inTime).toBeGreaterThanOrEqual(900);
    expect(world.sizes.filter((size) => size < 10).length).toBeLessThanOrEqual(2);
  });

  it('goes on after an append that took longer than anybody has time for', async () => {
    const took = [3_000];
    const behind: Promise<Decision<Purse>>[] = [];
    const world = overloaded(
      () => took.shift() ?? 5,
      () => {
        for (let n = behind.length; n < 30; n += 1) {
          behind.push(world.group.submit({ id: `b${n}`, amount: 1 }, 4_500));
        }
      },
    );
    await world.group.submit({ id: 'a', amount: 1 }, 3_500);
    await Promise.all(behind);
    expect(world.sizes.slice(0, 3)).toEqual([1, 1, 1]);
    expect(world.sizes.slice(-2)).toEqual([10, expect.any(Number)]);
    expect(world.time()).toBeLessThan(3_100);
  });

  it('starts from a snapshot and reads only the tail; a snapshot of another version is ignored', async () => {
    const snapshots = new MemorySnapshots();
    const codec = (version: string): SnapshotCodec<Purse> => ({
      store: snapshots,
      version,
      encode: (state) => state,
      decode: (state: Purse) => state,
    });
    const store = new SimulatedEventStore();
    let now = 0;
    const first = writer(store, codec('v1'), { clock: { ...systemClock, monotonic: () => now } });
    const move = (from: number, count: number) =>
      Promise.all(Array.from({ length: count }, (_, n) => first.submit({ id: `${from + n}`, amount: 1 }, 90_000)));
    await move(0, 600);
    expect(snapshots.saved.get('purse-1')?.revision).toBe(599n);
    await move(600, 600);
    expect(snapshots.saved.get('purse-1')?.revision).toBe(599n);
    now = 5_000;
    await move(1_200, 300);
    expect(snapshots.saved.get('purse-1')?.revision).toBe(1_499n);
    now = 10_000;
    await move(1_500, 90);
    const froms: (bigint | undefined)[] = [];
    const readPages = store.readPages.bind(store);
    store.readPages = (stream, options) => (froms.push(options?.from), readPages(stream, options));
    const second = await writer(store, codec('v1')).submit({ id: 'look', amount: 0 }, 5_000);
    const third = await writer(store, codec('v2')).submit({ id: 'look', amount: 0 }, 5_000);
    expect([second.state.balance, third.state.balance]).toEqual([1_590, 1_590]);
    expect(froms[0]).toBe(1_500n);
    expect(froms.filter((from) => (from ?? 0n) < 1_500n)[0]).toBe(0n);
  });

  it('goes on with its first reading where the store broke it off, instead of beginning anew', async () => {
    const store = new SimulatedEventStore();
    const first = writer(store);
    for (let n = 0; n < 30; n += 1) await first.submit({ id: `${n}`, amount: 1 }, 5_000);
    const froms = breakAfterEachPage(store);
    const { state, revision } = await writer(store).submit({ id: 'taken', amount: -30 }, 5_000);
    expect({ state, revision }).toEqual({ state: { balance: 0 }, revision: 30n });
    expect(froms).toEqual([0n, 7n, 14n, 21n, 28n]);
  });

  it('takes a snapshot of a very busy stream before its pause is over', async () => {
    const snapshots = new MemorySnapshots();
    const codec = { store: snapshots, version: 'v1', encode: (state: Purse) => state, decode: (state: Purse) => state };
    const group = writer(new SimulatedEventStore(), codec, { clock: { ...systemClock, monotonic: () => 0 } });
    const moved = Array.from({ length: 6_000 }, (_, n) => group.submit({ id: `${n}`, amount: 1 }, 90_000));
    await Promise.all(moved);
    expect(snapshots.saved.get('purse-1')?.revision).toBe(5_999n);
  });

  it('reads what another process wrote meanwhile in pieces, and goes on where the store broke it off', async () => {
    const store = new SimulatedEventStore();
    const [one, two] = [writer(store), writer(store)];
    await one.submit({ id: 'first', amount: 1 }, 5_000);
    for (let n = 0; n < 60; n += 1) await two.submit({ id: `${n}`, amount: 1 }, 5_000);
    const froms = breakAfterEachPage(store);
    const { state, revision } = await one.submit({ id: 'all', amount: -61 }, 5_000);
    expect({ state, revision }).toEqual({ state: { balance: 0 }, revision: 61n });
    expect(froms).toEqual([33n, 40n, 47n, 54n, 61n]);
    expect(moves(store)).toHaveLength(62);
  });

  it.each([31, 32, 33])('goes on behind a tail of %i events of another process', async (count) => {
    const store = new SimulatedEventStore();
    const snapshots = new MemorySnapshots();
    let saves = 0;
    const encode = (state: Purse): Purse => ((saves += 1), state);
    const codec = { store: snapshots, version: 'v1', encode, decode: (state: Purse) => state };
    const [one, two] = [writer(store, codec), writer(store)];
    for (let round = 0; round < 4; round += 1) {
      await one.submit({ id: `one ${round}`, amount: 1 }, 5_000);
      const moved = Array.from({ length: count }, (_, n) => two.submit({ id: `${round}.${n}`, amount: 1 }, 5_000));
      await Promise.all(moved);
      const { state } = await one.submit({ id: 'look', amount: 0 }, 5_000);
      expect(state.balance).toBe((round + 1) * (count + 1));
    }
    // When 100 events were reached; the next is due 5 s later.
    expect(saves).toBe(1);
  });

  it('recognises a long batch of its own by every event of it', async () => {
    let lost = 1;
    const fate = (): Fate => (lost-- > 0 ? 'acknowledgement_lost' : 'acknowledged');
    const store = new SimulatedEventStore({ fate, recognisesRepeats: false });
    const group = writer(store);
    const moved = Array.from({ length: 50 }, (_, n) => group.submit({ id: `${n}`, amount: 1 }, 5_000));
    const decisions = await Promise.all(moved);
    expect(decisions.map(({ revision }) => revision)).toEqual(decisions.map((_, index) => BigInt(index)));
    expect(moves(store)).toHaveLength(50);
  });

  it('throws a snapshot away that is ahead of the log, as after a restore', async () => {
    const snapshots = new MemorySnapshots();
    const codec = { store: snapshots, version: 'v1', encode: (state: Purse) => state, decode: (state: Purse) => state };
    const store = new SimulatedEventStore();
    await writer(store).submit({ id: 'a', amount: 5 }, 5_000);
    await snapshots.save('purse-1', 'v1', 7n, { balance: 99 });
    const restored = writer(store, codec);
    await expect(restored.submit({ id: 'b', amount: -6 }, 500)).rejects.toMatchObject({ code: 'insufficient_credits' });
    const { state } = await restored.submit({ id: 'c', amount: -5 }, 500);
    expect(state.balance).toBe(0);
    expect(snapshots.saved.size).toBe(0);
  });
});

describe('group commit on a log that is put back while it runs', () => {
  it('begins anew from the log as it is', async () => {
    const store = new SimulatedEventStore();
    const group = writer(store);
    for (const id of ['a', 'b', 'c']) await group.submit({ id, amount: 5 }, 5_000);
    store.streams.set('purse-1', store.streams.get('purse-1')?.slice(0, 1) ?? []);
    let reads = 0;
    const readPages = store.readPages.bind(store);
    store.readPages = (stream, options) => ((reads += 1), readPages(stream, options));
    const { state, revision } = await group.submit({ id: 'd', amount: 1 }, 1_000);
    expect({ state, revision }).toEqual({ state: { balance: 6 }, revision: 1n });
    await expect(group.submit({ id: 'e', amount: -7 }, 1_000)).rejects.toMatchObject({ code: 'insufficient_credits' });
    expect(moves(store).map(({ id }) => id)).toEqual(['a', 'd']);
    expect(reads).toBeLessThan(10);
  });

  it('does not ask a replica without pause that lags behind the conflict it is asked about', async () => {
    const store = new SimulatedEventStore();
    const [one, two] = [writer(store), writer(store)];
    await one.submit({ id: 'a', amount: 1 }, 5_000);
    const read = store.read.bind(store);
    const lagging = [...(store.streams.get('purse-1') ?? [])];
    await two.submit({ id: 'b', amount: 1 }, 5_000);
    let reads = 0;
    store.read = async (_stream, options) => {
      reads += 1;
      await Promise.resolve();
      return lagging.filter(({ revision }) => revision >= (options?.from ?? 0n));
    };
    await expect(one.submit({ id: 'c', amount: 1 }, 400)).rejects.not.toBeInstanceOf(OutcomeUnknown);
    expect(reads).toBeLessThan(30);
    store.read = read;
    await expect(one.submit({ id: 'd', amount: 1 }, 5_000)).resolves.toMatchObject({ state: { balance: 3 } });
  });
});
