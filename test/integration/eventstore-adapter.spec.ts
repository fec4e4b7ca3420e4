import { jest } from '@jest/globals';
import { binaryEvent, jsonEvent } from '@eventstore/db-client';
import { newUuid } from '../../src/kernel/ids.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { type EventStoreClient } from '../../src/platform/config/config.js';
import { type EventStoreNode, startEventStoreNode } from '@kyc/event-store-node/node';
import { AppendRefused, type Delivery, WrongExpectedRevision } from '../../src/platform/eventstore/event-store.js';
import { readConnectionString } from '@kyc/esdb-client/connection-settings';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { happened } from '../support/happened.js';
import { NodeClient } from '@kyc/esdb-client/node-client';
import { createDatabase } from '../support/stack.js';
import { SLOWNESS } from '../support/processes.js';

jest.setTimeout(60_000);

const stream = (category = 'test'): string => `${category}-${newUuid().replaceAll('-', '')}`;
const valuesOf = (events: readonly StoredEvent[]): unknown[] =>
  events.map(({ data }) => (data as { value: unknown }).value);

let node: EventStoreNode;
let store: GrpcEventStore;

beforeAll(async () => {
  node = await startEventStoreNode({ databaseUrl: await createDatabase(), port: 0 });
});

afterAll(() => node.stop());

describe.each<EventStoreClient>(['direct', 'official'])('the event store through the %s client', (client) => {
  beforeAll(() => {
    store = new GrpcEventStore({ connectionString: node.connectionString, client, budgetMs: 10_000 * SLOWNESS });
  });
  afterAll(() => store.close());

  describe('truncating', () => {
    it('never brings back what another truncation of the same moment has hidden', async () => {
      const name = stream();
      await store.append(
        name,
        Array.from({ length: 20 }, (_, index) => happened(index)),
        'no_stream',
      );
      const revisions = [3n, 11n, 7n, 15n, 1n, 14n, 2n, 9n];
      await Promise.all(revisions.map((revision) => store.truncateBefore(name, revision)));
      expect(valuesOf(await store.read(name))).toEqual([15, 16, 17, 18, 19]);
    });
  });

  describe('appending', () => {
    it('tells the revision of the last event and where it stands in the log', async () => {
      const name = stream();
      const first = await store.append(name, [happened(1), happened('ü€😀')], 'no_stream');
      expect(first.revision).toBe(1n);
      const second = await store.append(name, [happened(3)], 1n);
      expect(second.revision).toBe(2n);
      expect(second.position).toBeGreaterThan(first.position);
      expect(await store.head()).toBe(second.position);
      const read = await store.read(name);
      expect(valuesOf(read)).toEqual([1, 'ü€😀', 3]);
      expect(read.map(({ position }) => position).at(-1)).toBe(second.position);
    });

    it('keeps id, type, data and metadata as they were given', async () => {
      const name = stream();
      const given = happened({ nested: [null, true, 1.5, 'text'] });
      await store.append(name, [given], 'any');
      const [read] = await store.read(name);
      expect(read).toMatchObject({ ...given, stream: name, revision: 0n });
      expect(Math.abs(Date.now() - (read?.created.getTime() ?? 0))).toBeLessThan(10_000);
    });

    it('refuses an append that expects another revision, and says where the stream is', async () => {
      const name = stream();
      await expect(store.append(name, [happened(1)], 4n)).rejects.toMatchObject({ actual: 'no_stream', expected: 4n });
      await store.append(name, [happened(1), happened(2)], 'no_stream');
      const conflict = store.append(name, [happened(3)], 'no_stream');
      await expect(conflict).rejects.toThrow(WrongExpectedRevision);
      await expect(conflict).rejects.toMatchObject({ stream: name, actual: 1n, expected: 'no_stream' });
      await expect(store.append(stream(), [happened(1)], 'stream_exists')).rejects.toThrow(WrongExpectedRevision);
    });

    it('recognises the identical append as done', async () => {
      const name = stream();
      await store.append(name, [happened(0)], 'no_stream');
      const events = [happened(1), happened(2)];
      const first = await store.append(name, events, 0n);
      const again = await store.append(name, events, 0n);
      expect(again.revision).toBe(first.revision);
      expect(valuesOf(await store.read(name))).toEqual([0, 1, 2]);
    });

    it('refuses for good what is too big', async () => {
      await expect(store.append(stream(), [happened('x'.repeat(1_200_000))], 'any')).rejects.toThrow(AppendRefused);
    });

    it('refuses for good what goes to a stream that is gone', async () => {
      const name = stream();
      const other = new NodeClient(readConnectionString(node.connectionString));
      await other.tombstoneStream(name);
      await other.close();
      await expect(store.append(name, [happened(1)], 'any')).rejects.toThrow(AppendRefused);
    });

    it('carries a thousand appends at once, each with its own outcome', async () => {
      const streams = Array.from({ length: 1_000 }, () => stream());
      const results = await Promise.all(
        streams.map((name, index) =>
          store.append(name, [happened(index), happened(index)], index % 2 === 0 ? 'no_stream' : 'any'),
        ),
      );
      expect(new Set(results.map(({ position }) => position)).size).toBe(1_000);
      expect(results.every(({ revision }) => revision === 1n)).toBe(true);
    });

    it('lets one of many that expect the same revision win', async () => {
      const name = stream();
      await store.append(name, [happened('base')], 'no_stream');
      const rivals = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => store.append(name, [happened(index)], 0n)),
      );
      expect(rivals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await store.read(name)).toHaveLength(2);
    });
  });

  describe('reading', () => {
    it('finds nothing in a stream that does not exist', async () => {
      expect(await store.read(stream())).toEqual([]);
      expect(await store.read(stream(), { direction: 'backwards', from: 7n })).toEqual([]);
    });

    it('reads both ways from any revision, page after page', async () => {
      const name = stream();
      for (let at = 0; at < 1_250; at += 250) {
        await store.append(
          name,
          Array.from({ length: 250 }, (_, index) => happened(at + index)),
          at === 0 ? 'no_stream' : BigInt(at - 1),
        );
      }
      const all = Array.from({ length: 1_250 }, (_, index) => index);
      expect(valuesOf(await store.read(name))).toEqual(all);
      expect(valuesOf(await store.read(name, { direction: 'backwards' }))).toEqual([...all].reverse());
      expect(valuesOf(await store.read(name, { from: 1_200n }))).toEqual(all.slice(1_200));
      expect(valuesOf(await store.read(name, { direction: 'backwards', from: 3n }))).toEqual([3, 2, 1, 0]);
      expect(valuesOf(await store.read(name, { from: 10n, maxCount: 620 }))).toEqual(all.slice(10, 630));
      const pages: number[] = [];
      for await (const page of store.readPages(name)) pages.push(page.length);
      expect(pages.reduce((sum, length) => sum + length)).toBe(1_250);
      expect(Math.max(...pages)).toBeLessThanOrEqual(500);
    });

    it('takes what other writers put there: bytes, links, events without metadata or data', async () => {
      const [name, other] = [stream(), new NodeClient(readConnectionString(node.connectionString))];
      const link = binaryEvent({ type: '$>', data: Buffer.from(`0@${name}`) });
      const bytes = binaryEvent({ type: 'bytes', data: Buffer.from([1, 255]), metadata: Buffer.from([2]) });
      await other.appendToStream(name, [bytes, jsonEvent({ type: 'bare', data: { n: 7 } }), link]);
      await other.appendToStream(name, [binaryEvent({ type: 'empty', data: Buffer.alloc(0) })]);
      await other.dispose();
      const expected = [
        { type: 'bytes', data: new Uint8Array([1, 255]), metadata: new Uint8Array([2]) },
        { type: 'bare', data: { n: 7 }, metadata: undefined },
        { type: '$>', data: new Uint8Array(Buffer.from(`0@${name}`)), metadata: undefined },
        { type: 'empty', data: new Uint8Array(), metadata: undefined },
      ];
      expect(await store.read(name)).toMatchObject(expected);
      const seen: StoredEvent[] = [];
      for await (const delivery of store.subscribeToAll({ streamPrefixes: [name] })) {
        if (delivery.kind === 'event') seen.push(delivery.event);
        if (delivery.kind === 'caught_up') break;
      }
      expect(seen).toEqual(await store.read(name));
    });

    it('stops reading where the reader stops', async () => {
      const name = stream();
      await store.append(
        name,
        Array.from({ length: 900 }, (_, index) => happened(index)),
        'no_stream',
      );
      for await (const page of store.readPages(name)) {
        expect(page).toHaveLength(500);
        break;
      }
    });
  });

  const collect = async (
    deliveries: AsyncIterable<Delivery>,
    enough: (seen: readonly Delivery[]) => boolean,
  ): Promise<Delivery[]> => {
    const seen: Delivery[] = [];
    for await (const delivery of deliveries) {
      seen.push(delivery);
      if (enough(seen)) break;
    }
    return seen;
  };

  const eventsIn = (seen: readonly Delivery[]): StoredEvent[] =>
    seen.flatMap((delivery) => (delivery.kind === 'event' ? [delivery.event] : []));

  describe('subscribing to the log', () => {
    it('delivers past and then live events of the wanted streams, in order and once', async () => {
      const category = `sub${newUuid().slice(0, 8)}`;
      const name = stream(category);
      const after = (await store.append(name, [happened(0)], 'no_stream')).position;
      await store.append(name, [happened(1), happened(2)], 0n);
      const stop = new AbortController();
      const subscription = store.subscribeToAll({ after, streamPrefixes: [`${category}-`], signal: stop.signal });
      let appended = false;
      const seen = await collect(subscription, (deliveries) => {
        if (!appended && deliveries.some(({ kind }) => kind === 'caught_up')) {
          appended = true;
          void store
            .append(stream('other'), [happened('not wanted')], 'any')
            .then(() => store.append(name, [happened(3)], 2n));
        }
        return eventsIn(deliveries).length === 3;
      });
      expect(valuesOf(eventsIn(seen))).toEqual([1, 2, 3]);
      const caughtUp = seen.findIndex(({ kind }) => kind === 'caught_up');
      expect(eventsIn(seen.slice(0, caughtUp)).length).toBe(2);
    });

    it('delivers nothing but the wanted types, and of the wanted streams alone', async () => {
      const category = `typed${newUuid().slice(0, 8)}`;
      const types = [`${category}.v1`, `${category}.v10`];
      const ofType = (value: unknown, type = `${category}.v1`) => happened(value, type);
      await store.append(stream(category), [ofType(1), ofType(2, `${category}.v10`), happened(3)], 'no_stream');
      await store.append(stream('other'), [ofType(4)], 'any');
      await store.append(stream(category), [ofType(5)], 'any');
      const options = { streamPrefixes: [`${category}-`], eventTypes: types.slice(0, 1) };
      const seen = await collect(store.subscribeToAll(options), (deliveries) => eventsIn(deliveries).length === 2);
      expect(valuesOf(eventsIn(seen))).toEqual([1, 5]);
    });

    it('gives a checkpoint only after every event before it, however slowly they are taken', async () => {
      const category = `slow${newUuid().slice(0, 8)}`;
      const wanted = stream(category);
      for (let round = 0; round < 20; round += 1) {
        await store.append(wanted, [happened(round)], 'any');
        await store.append(
          stream('noise'),
          Array.from({ length: 150 }, () => happened('noise')),
          'any',
        );
      }
      let last = -1n;
      let checkpoints = 0;
      let events = 0;
      for await (const delivery of store.subscribeToAll({ streamPrefixes: [`${category}-`] })) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (delivery.kind === 'event') {
          expect(delivery.event.position).toBeGreaterThan(last);
          events += 1;
        }
        if (delivery.kind === 'checkpoint') {
          checkpoints += 1;
          expect(delivery.position).toBeGreaterThanOrEqual(last);
          last = delivery.position;
        }
        if (delivery.kind === 'caught_up') break;
      }
      expect(events).toBe(20);
      expect(checkpoints).toBeGreaterThan(3);
    });

    it('ends quietly when it is told to', async () => {
      const stop = new AbortController();
      const ended = collect(store.subscribeToAll({ streamPrefixes: ['nothing-'], signal: stop.signal }), () => false);
      setTimeout(() => stop.abort(), 200);
      await ended;
    });
  });
});
