import { jest } from '@jest/globals';
import { type NewEvent } from '../../src/kernel/events.js';
import { newUuid } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type Delivery, WrongExpectedRevision } from '../../src/platform/eventstore/event-store.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { type EventStoreNode, startEventStore } from '../support/stack.js';

jest.setTimeout(90_000);

const event = (value: unknown): NewEvent => ({
  id: newUuid(),
  type: 'Happened.v1',
  data: { value },
  metadata: {
    $correlationId: 'c',
    actor: { type: 'system', id: 's' },
    time: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
  },
});

const stream = (category = 'test'): string => `${category}-${newUuid().replaceAll('-', '')}`;
const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

let node: EventStoreNode;
let store: GrpcEventStore;

beforeEach(async () => {
  node = await startEventStore();
  store = new GrpcEventStore({ connectionString: node.connectionString });
  // The first calls of a process that has just started are slow.
  await store.append(stream(), [event('warm')], 'any', { budgetMs: 10_000 });
});

afterEach(async () => {
  await store.close();
  node.resume();
  await node.stop();
});

const until = async (what: string, condition: () => boolean | Promise<boolean>, withinMs: number): Promise<number> => {
  const began = performance.now();
  while (!(await condition())) {
    if (performance.now() - began > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(10);
  }
  return performance.now() - began;
};

const timed = async (call: Promise<unknown>): Promise<{ readonly error: unknown; readonly took: number }> => {
  const began = performance.now();
  const error: unknown = await call.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  return { error, took: performance.now() - began };
};

const restart = async (): Promise<void> => {
  node = await startEventStore({ databaseUrl: node.databaseUrl, port: node.port });
};

describe('a store that hangs', () => {
  it('makes calls fail within their budget, then at once, and is found again when it wakes', async () => {
    const name = stream();
    await store.append(name, [event(1)], 'no_stream');
    node.pause();
    const [append, read] = await Promise.all([timed(store.append(name, [event(2)], 0n)), timed(store.read(name))]);
    for (const { error, took } of [append, read]) {
      expect(error).toBeInstanceOf(Unavailable);
      expect(took).toBeLessThan(2_000);
    }
    await until('the probe fails', () => !store.healthy, 3_000);
    expect(await timed(store.append(name, [event(3)], 0n))).toMatchObject({
      error: expect.any(Unavailable) as Unavailable,
    });
    expect((await timed(store.append(name, [event(3)], 0n))).took).toBeLessThan(50);
    await sleep(5_000);
    node.resume();
    await until('the store is found again', () => store.healthy, 3_000);
    await store.append(stream(), [event('after')], 'no_stream');
  });

  it('leaves an append whose outcome is unknown written once or not at all', async () => {
    const name = stream();
    await store.append(name, [event(1)], 'no_stream');
    node.pause();
    const unknown = event(2);
    await expect(store.append(name, [unknown], 0n)).rejects.toThrow(Unavailable);
    node.resume();
    await until('the store is found again', () => store.healthy, 5_000);
    const again = await store.append(name, [unknown], 0n);
    expect(again.revision).toBe(1n);
    expect((await store.read(name)).map(({ id }) => id).slice(1)).toEqual([unknown.id]);
  });

  it('answers an append that was under way when it wakes in time', async () => {
    node.pause();
    const append = store.append(stream(), [event(1)], 'no_stream');
    setTimeout(() => node.resume(), 900);
    expect((await append).revision).toBe(0n);
  });
});

describe('a store that dies', () => {
  it('loses and doubles no append across a restart', async () => {
    const name = stream();
    let revision = -1n;
    const acknowledged: string[] = [];
    const stop = Date.now() + 12_000;
    const killed = sleep(1_500)
      .then(() => node.kill9())
      .then(() => restart());
    while (Date.now() < stop) {
      const next = event(acknowledged.length);
      for (;;) {
        try {
          revision = (await store.append(name, [next], revision === -1n ? 'no_stream' : revision)).revision;
          acknowledged.push(next.id);
          break;
        } catch (error) {
          // A conflict would mean that the identical append was taken for another one.
          expect(error).not.toBeInstanceOf(WrongExpectedRevision);
          await sleep(50);
        }
      }
      if (acknowledged.length > 200 && Date.now() > stop - 6_000) break;
    }
    await killed;
    expect((await store.read(name, { budgetMs: 10_000 })).map(({ id }) => id)).toEqual(acknowledged);
  });

  it('is found again soon after it is back, however long it was away', async () => {
    await node.kill9();
    await until('the probe fails', () => !store.healthy, 3_000);
    await sleep(6_000);
    await restart();
    expect(await until('the store is found again', () => store.healthy, 3_000)).toBeLessThan(3_000);
  });

  it('drops its subscriptions loudly, and one that begins where the last ended has no gap and no duplicate', async () => {
    const category = `drop${newUuid().slice(0, 8)}`;
    const name = stream(category);
    const ids: string[] = [];
    const delivered: string[] = [];
    let after: bigint | undefined;
    const stop = new AbortController();
    const follow = async (): Promise<number> => {
      let drops = 0;
      while (!stop.signal.aborted) {
        try {
          for await (const delivery of store.subscribeToAll({
            after,
            streamPrefixes: [`${category}-`],
            signal: stop.signal,
          })) {
            after = take(delivery, delivered, after);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(Unavailable);
          drops += 1;
          await sleep(100);
        }
      }
      return drops;
    };
    const following = follow();
    const append = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        const next = event(index);
        ids.push(next.id);
        // The probe may notice the death only now: the identical append is tried again, as any caller would.
        const appended = (): Promise<boolean> =>
          store.append(name, [next], 'any').then(
            () => true,
            () => false,
          );
        await until('appended', appended, 10_000);
      }
    };
    await append(50);
    await until('delivered', () => delivered.length === 50, 5_000);
    await node.kill9();
    await restart();
    await until('the store is found again', () => store.healthy, 5_000);
    await append(50);
    await until('delivered on', () => delivered.length >= 100, 10_000);
    stop.abort();
    expect(await following).toBeGreaterThan(0);
    expect(delivered).toEqual(ids);
  });
});

const take = (delivery: Delivery, delivered: string[], after: bigint | undefined): bigint | undefined => {
  if (delivery.kind === 'caught_up') return after;
  if (delivery.kind === 'checkpoint') return delivery.position;
  delivered.push(delivery.event.id);
  return delivery.event.position;
};
