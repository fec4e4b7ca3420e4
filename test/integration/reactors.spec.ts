import { type StoredEvent } from '../../src/kernel/events.js';
import { newUuid } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { reactorsCommand } from '../../src/cli/reactors.js';
import { Leadership } from '../../src/platform/leadership/leadership.js';
import { Database } from '../../src/platform/postgres/database.js';
import { type ReactionContext, type ReactorOptions } from '../../src/kernel/reaction.js';
import { ReactorFollower } from '../../src/log/react/reactor-follower.js';
import { parkedCounts, rewindReactorsAhead } from '../../src/log/react/reactor-rows.js';
import { closeLog, log, newCategory, openLog, store } from './projections-world.js';
import { Hold } from '../support/hold.js';
import { createServiceDatabase, eventually, sleep } from '../support/stack.js';
import { unrecorded } from '../support/unrecorded.js';

const TYPES = ['Ordered.v1'];

let url: string;
let database: Database;
let category: string;
const ending: (() => Promise<void>)[] = [];

beforeAll(openLog, 120_000);
afterAll(closeLog, 120_000);

beforeEach(async () => {
  url = await createServiceDatabase();
  database = new Database({ connectionString: url, budgetMs: 10_000 });
  category = newCategory();
}, 60_000);

afterEach(async () => {
  await Promise.all(ending.splice(0).map((end) => end()));
  await database.close();
}, 60_000);

const append = async (stream: string, value: unknown, type = 'Ordered.v1'): Promise<string> => {
  const id = newUuid();
  const actor = { type: 'system', id: 's' } as const;
  const metadata = { $correlationId: newUuid(), actor, time: '2026-01-01T00:00:00.000Z', schemaVersion: 1 };
  await store.append(`${category}-${stream}`, [{ id, type, data: { value }, metadata }], 'any', { budgetMs: 10_000 });
  return id;
};

interface Effect {
  readonly value: unknown;
  readonly effectId: string;
  readonly instance: string;
}

type Handle = (event: StoredEvent, context: ReactionContext) => Promise<void> | void;
const valueOf = (event: StoredEvent): unknown => (event.data as { value: unknown }).value;

/** One process; what it did is noted once the handle has let it. */
const start = (effects: Effect[], options: { handle?: Handle; instance?: string } & Partial<ReactorOptions> = {}) => {
  const { handle = () => undefined, instance = 'one', ...changes } = options;
  const leadership = new Leadership({ database: url, beatMs: 200, onFault: () => undefined });
  const counts = { done: 0, retried: 0, parked: 0 };
  const follower = new ReactorFollower({
    reactor: {
      name: 'orders',
      version: 1,
      streamPrefixes: [`${category}-`],
      eventTypes: TYPES,
      startsAt: 'beginning',
      attempts: 2,
      ...changes,
    },
    reaction: {
      handle: async (event, context) => {
        await handle(event, context);
        effects.push({ value: valueOf(event), effectId: context.effectId, instance });
      },
    },
    leadership,
    store,
    log: log as never,
    count: (_, outcome) => (counts[outcome] += 1),
  });
  follower.start();
  let ended = false;
  const end = (how: () => Promise<void>) => async (): Promise<void> => {
    if (ended) return;
    ended = true;
    await how();
  };
  const stop = end(() => follower.stop().then(() => leadership.close()));
  ending.push(stop);
  // A process that dies writes nothing more, and its connection ends.
  const die = end(() => leadership.close());
  return { follower, counts, stop, die };
};

const checkpoint = async (): Promise<bigint | undefined> => {
  const [row] = await database.query<{ position: string | null }>('SELECT position FROM reactor_checkpoints');
  return typeof row?.position === 'string' ? BigInt(row.position) : undefined;
};
const values = (effects: readonly Effect[]): unknown[] => effects.map(({ value }) => value);

describe('a reactor', () => {
  it('reacts to its types in its streams once each, in the order of each stream', async () => {
    for (let round = 0; round < 20; round += 1) {
      await append('a', round);
      await append('b', 100 + round);
      await append('a', 'noise', 'Other.v1');
    }
    const effects: Effect[] = [];
    start(effects, { handle: () => sleep(Math.random() * 5) });
    await eventually('all effects', () => effects.length === 40);
    await append('a', 20);
    await eventually('the live one', () => effects.length === 41);
    const seen = values(effects) as number[];
    expect(seen.filter((value) => value < 100)).toEqual(Array.from({ length: 21 }, (_, index) => index));
    expect(seen.filter((value) => value >= 100)).toEqual(Array.from({ length: 20 }, (_, index) => 100 + index));
    expect(new Set(effects.map(({ effectId }) => effectId)).size).toBe(41);
  }, 60_000);

  it('repeats after a crash between effect and checkpoint, under the same id, and goes on from there after a stop', async () => {
    await append('a', 1);
    const effects: Effect[] = [];
    const first = start(effects);
    await eventually('the effect', () => effects.length === 1);
    await first.die();
    const second = start(effects, { instance: 'two' });
    await eventually('the effect again', () => effects.length === 2);
    expect(effects[1]).toEqual({ ...effects[0], instance: 'two' });
    await second.stop();
    await append('a', 2);
    const third = start(effects, { instance: 'three' });
    await eventually('the next effect', () => effects.length === 3);
    expect(effects[2]).toMatchObject({ value: 2, instance: 'three' });
    await third.stop();
  }, 60_000);

  it('is run by one instance, and by another one within seconds after that has died', async () => {
    const effects: Effect[] = [];
    const one = start(effects, { instance: 'one' });
    await eventually('the first leader', () => one.follower.status().state === 'live');
    const two = start(effects, { instance: 'two' });
    await append('a', 1);
    await eventually('the effect', () => effects.length === 1);
    await sleep(500);
    expect(two.follower.status().state).toBe('standby');
    expect(effects).toHaveLength(1);
    await one.die();
    await append('a', 2);
    await eventually('the other’s effect', () => effects.some(({ value }) => value === 2), 5_000);
    expect(effects.find(({ value }) => value === 2)?.instance).toBe('two');
  }, 60_000);

  it('parks what fails for good, while others and what follows go on, until an operator has it tried again', async () => {
    const effects: Effect[] = [];
    let broken = true;
    const handle: Handle = (event) => {
      if (broken && valueOf(event) === 'poison') throw new Error('cannot be done');
    };
    const { follower, counts } = start(effects, { handle });
    const poison = await append('a', 'poison');
    await append('a', 'behind it');
    await append('b', 'beside it');
    await eventually('the others', () => effects.length === 2);
    expect(values(effects)).toEqual(['beside it', 'behind it']);
    expect(counts).toEqual({ done: 2, retried: 1, parked: 1 });
    await eventually('the checkpoint', async () => (await checkpoint()) === (await store.head()));
    expect(await parkedCounts(database)).toEqual([{ reactor: 'orders', parked: 1, wanted: 0 }]);
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const command = (words: string) =>
      reactorsCommand(words.split(' '), { print, open: (work) => work({ database, store, print, ...unrecorded }) });
    expect(await command('status')).toBe(0);
    expect(lines.join('\n')).toContain(poison);
    expect(await command('retry orders')).toBe(0);
    await follower.retryWanted();
    expect(await parkedCounts(database)).toEqual([{ reactor: 'orders', parked: 1, wanted: 0 }]);
    broken = false;
    expect(await command(`retry orders ${poison}`)).toBe(0);
    await follower.retryWanted();
    expect(values(effects)).toEqual(['beside it', 'behind it', 'poison']);
    expect(await parkedCounts(database)).toEqual([]);
    expect(await command('retry orders')).toBe(1);
    expect(await command('retry orders everything')).toBe(2);
    expect(lines.join('\n')).toContain('It takes the UUID of a parked event');
  }, 60_000);

  it('waits for a store that is away for as long as it takes, and tells how long its effects are behind', async () => {
    const effects: Effect[] = [];
    let away = true;
    const handle: Handle = () => {
      if (away) throw new Unavailable('redis');
    };
    const { follower, counts } = start(effects, { handle, attempts: 1 });
    await append('a', 1);
    await eventually('tries', () => counts.retried >= 3);
    expect(follower.status().lagSeconds).toBeGreaterThan(1);
    expect(counts.parked).toBe(0);
    away = false;
    await eventually('the effect', () => effects.length === 1);
    await eventually('no lag', () => follower.status().lagSeconds === 0);
  }, 60_000);

  it('gives up a try that takes too long', async () => {
    const effects: Effect[] = [];
    const cutOff: boolean[] = [];
    const handle: Handle = async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      cutOff.push(signal.aborted);
      throw new Error('aborted');
    };
    const { counts } = start(effects, { handle, budgetMs: 100, attempts: 1 });
    await append('a', 1);
    await eventually('the event to be parked', () => counts.parked === 1);
    expect(cutOff).toEqual([true]);
  }, 60_000);

  it('lets what runs end when it stops, and does not begin again what is done', async () => {
    const effects: Effect[] = [];
    const hold = new Hold();
    const { stop } = start(effects, { handle: () => hold.pass() });
    await append('a', 1);
    await append('a', 2);
    await hold.reached;
    const stopped = stop();
    hold.release();
    await stopped;
    expect(values(effects)).toEqual([1]);
    start(effects);
    await eventually('the rest', () => effects.length === 2);
    expect(values(effects)).toEqual([1, 2]);
  }, 60_000);

  it('starts now where it says so, and with a new version at the beginning again where it says that', async () => {
    await append('a', 'old');
    const now: Effect[] = [];
    const one = start(now, { name: 'from-now', startsAt: 'now' });
    await eventually('the start', () => one.follower.status().state === 'live');
    await append('a', 'new');
    await eventually('the new one', () => now.length === 1);
    expect(values(now)).toEqual(['new']);
    const all: Effect[] = [];
    const first = start(all, { name: 'from-start' });
    await eventually('both', () => all.length === 2);
    await first.stop();
    start(all, { name: 'from-start', version: 2 });
    await eventually('both again', () => all.length === 4);
    expect(all[2]?.effectId).toBe(all[0]?.effectId);
  }, 60_000);

  it('rests where a newer version has run, and leaves it the lead', async () => {
    const effects: Effect[] = [];
    const newer = start(effects, { version: 2 });
    await eventually('the newer one', () => newer.follower.status().state === 'live');
    await newer.stop();
    const older = start(effects);
    await eventually('the older one', () => older.follower.status().state === 'superseded');
    const again = start(effects, { version: 2 });
    await eventually('the newer one again', () => again.follower.status().state === 'live');
  }, 60_000);

  it('passes nothing over after a log was restored from an older back-up', async () => {
    const { follower, stop } = start([]);
    await eventually('the start', () => follower.status().state === 'live');
    await stop();
    const head = (await store.head()) ?? 0n;
    await database.query('UPDATE reactor_checkpoints SET position = $1', [head + 1_000_000n]);
    expect(await rewindReactorsAhead(database, () => store.head())).toEqual(['orders']);
    expect(await rewindReactorsAhead(database, () => store.head())).toEqual([]);
    const effects: Effect[] = [];
    start(effects);
    await append('a', 'after');
    await eventually('the effect', () => effects.length === 1);
    expect(values(effects)).toEqual(['after']);
  }, 60_000);

  it('keeps a checkpoint that a leader saves while another instance looks for restored logs', async () => {
    await database.query(`INSERT INTO reactor_checkpoints (reactor, version, position) VALUES ('orders', 1, 10)`);
    const savesMeanwhile = (head: bigint, saved: bigint) => async (): Promise<bigint> => {
      await database.query('UPDATE reactor_checkpoints SET position = $1', [saved]);
      return head;
    };
    expect(await rewindReactorsAhead(database, savesMeanwhile(15n, 20n))).toEqual([]);
    expect(await checkpoint()).toBe(20n);
    expect(await rewindReactorsAhead(database, savesMeanwhile(15n, 30n))).toEqual([]);
    expect(await checkpoint()).toBe(30n);
    expect(await rewindReactorsAhead(database, () => Promise.resolve(undefined))).toEqual(['orders']);
    expect(await checkpoint()).toBeUndefined();
  }, 60_000);
});
