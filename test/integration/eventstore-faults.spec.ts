import { jest } from '@jest/globals';
import { type EventStoreClient } from '../../src/platform/config/config.js';
import { newUuid } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type Delivery, WrongExpectedRevision } from '../../src/platform/eventstore/event-store.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { happened } from '../support/happened.js';
import { type EventStoreNode, eventually, sleep, startEventStore } from '../support/stack.js';

jest.setTimeout(90_000);

const stream = (category = 'test'): string => `${category}-${newUuid().replaceAll('-', '')}`;

let node: EventStoreNode;
let store: GrpcEventStore;

const until = (what: string, condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> =>
  eventually(what, condition, withinMs);

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

const take = (delivery: Delivery, delivered: string[], after: bigint | undefined): bigint | undefined => {
  if (delivery.kind === 'caught_up') return after;
  if (delivery.kind === 'checkpoint') return delivery.position;
  delivered.push(delivery.event.id);
  return delivery.event.position;
};

/** One node for all: each test leaves it running, or another one over the same log. */
beforeAll(async () => {
  node = await startEventStore();
});

afterAll(() => node.stop());

describe.each<EventStoreClient>(['direct', 'official'])('through the %s client', (client) => {
  beforeEach(async () => {
    store = new GrpcEventStore({ connectionString: node.connectionString, client });
    // The first calls of a process that has just started are slow.
    await store.append(stream(), [happened('warm')], 'any', { budgetMs: 10_000 });
  });

  afterEach(async () => {
    await store.close();
    node.resume();
  });

  describe('a store that hangs', () => {
    it('makes calls fail within their budget, then at once, and is found again when it wakes', async () => {
      const name = stream();
      await store.append(name, [happened(1)], 'no_stream');
      node.pause();
      const [append, read] = await Promise.all([timed(store.append(name, [happened(2)], 0n)), timed(store.read(name))]);
      for (const { error } of [append, read]) expect(error).toBeInstanceOf(Unavailable);
      await until('the probe fails', () => !store.healthy, 10_000);
      const refused = await timed(store.append(name, [happened(3)], 0n));
      expect(refused.error).toBeInstanceOf(Unavailable);
      expect(refused.took).toBeLessThan(append.took / 2);
      expect(store.appendsFailSince).toBeInstanceOf(Date);
      const hung = 5_000;
      await sleep(hung);
      node.resume();
      await until('the store is found again', () => store.healthy, hung);
      await store.append(stream(), [happened('after')], 'no_stream');
      expect(store.appendsFailSince).toBeUndefined();
    });

    it('leaves an append whose outcome is unknown written once or not at all', async () => {
      const name = stream();
      await store.append(name, [happened(1)], 'no_stream');
      node.pause();
      const unknown = happened(2);
      await expect(store.append(name, [unknown], 0n)).rejects.toThrow(Unavailable);
      await until('a probe fails', () => !store.healthy, 20_000);
      node.resume();
      await until('the store is found again', () => store.healthy, 20_000);
      const again = await store.append(name, [unknown], 0n);
      expect(again.revision).toBe(1n);
      expect((await store.read(name)).map(({ id }) => id).slice(1)).toEqual([unknown.id]);
    });

    it('answers an append that was under way when it wakes in time', async () => {
      node.pause();
      const append = store.append(stream(), [happened(1)], 'no_stream', { budgetMs: 10_000 });
      setTimeout(() => node.resume(), 900);
      expect((await append).revision).toBe(0n);
    });
  });

  describe('a store that dies', () => {
    it('gets an append that waits for it once it is back, within its budget', async () => {
      const name = stream();
      node.pause();
      const append = store.append(name, [happened(1)], 'no_stream', { budgetMs: 60_000 });
      await node.kill9();
      await restart();
      expect((await append).revision).toBe(0n);
      await until('the store is found again', () => store.healthy, 20_000);
      expect(await store.read(name)).toHaveLength(1);
    });

    it('keeps no append waiting once this side is closed', async () => {
      node.pause();
      const append = expect(store.append(stream(), [happened(1)], 'any', { budgetMs: 60_000 })).rejects.toThrow(
        Unavailable,
      );
      await store.close();
      await append;
    });

    it('loses and doubles no append across a restart', async () => {
      const name = stream();
      let revision = -1n;
      const acknowledged: string[] = [];
      let back = false;
      const killed = sleep(1_500)
        .then(() => node.kill9())
        .then(() => restart())
        .then(() => (back = true));
      // Until some more are acknowledged by the one that was started again.
      for (let more = 100; more > 0; more -= back ? 1 : 0) {
        const next = happened(acknowledged.length);
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
      }
      await killed;
      expect((await store.read(name, { budgetMs: 10_000 })).map(({ id }) => id)).toEqual(acknowledged);
    });

    it('is found again soon after it is back, however long it was away', async () => {
      await node.kill9();
      await until('the probe fails', () => !store.healthy, 10_000);
      const away = 6_000;
      await sleep(away);
      await restart();
      // Sooner than it was away: its next try did not move off with the time that it had failed.
      await until('the store is found again', () => store.healthy, away / 2);
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
          const next = happened(index);
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
      await until('delivered', () => delivered.length === 50, 20_000);
      await node.kill9();
      await restart();
      await until('the store is found again', () => store.healthy, 20_000);
      await append(50);
      await until('delivered on', () => delivered.length >= 100, 20_000);
      stop.abort();
      expect(await following).toBeGreaterThan(0);
      expect(delivered).toEqual(ids);
    });
  });
});
