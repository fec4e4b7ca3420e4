import { createRequire } from 'node:module';
import { constants } from 'node:http2';
import { AccessDeniedError } from '@eventstore/db-client';
import { caughtUp, confirmation, streamNotFound } from '@kyc/event-store-node/reading/responses';
import { newUuid } from '../../src/kernel/ids.js';
import { Status } from '@kyc/esdb-wire/status';
import { type ScriptedStore } from '../support/faults/scripted-store.js';
import { eventually } from '../support/processes.js';
import {
  adapterTo,
  requestReceived,
  closeAll,
  events,
  failureOf,
  follow,
  startStore,
  unavailableBecause,
} from './read-connection-world.js';

const load = createRequire(import.meta.url);
const { ReadReq } = load('@eventstore/db-client/generated/streams_pb.js') as {
  ReadReq: { deserializeBinary(bytes: Uint8Array): { toObject(): unknown } };
};

afterEach(closeAll);

describe('the read connection', () => {
  it('asks for what the official client would ask for, in the same words', async () => {
    const sentHeaders: unknown[] = [];
    for (const client of ['official', 'direct'] as const) {
      const store = await startStore();
      const adapter = adapterTo(store.port, client);
      const calls = [
        () => adapter.read('a-ü'),
        () => adapter.read('a-1', { from: 2n ** 60n, maxCount: 3 }),
        () => adapter.read('a-1', { direction: 'backwards' }),
        () => adapter.read('a-1', { direction: 'backwards', from: 0n }),
        () => adapter.head(),
        () => follow(adapter).ended,
        () => follow(adapter, 2n ** 63n).ended,
      ];
      for (const [index, call] of calls.entries()) {
        call().catch(() => undefined);
        await requestReceived(store, index);
      }
      sentHeaders.push(
        store.calls.map(({ headers, requests }) => ({
          path: headers[':path'],
          name: headers['connection-name'],
          authorization: headers.authorization,
          leader: headers['requires-leader'],
          timeout: headers['grpc-timeout'],
          request: ReadReq.deserializeBinary(requests[0] ?? Buffer.alloc(0)).toObject(),
        })),
      );
    }
    expect(sentHeaders[1]).toEqual(sentHeaders[0]);
    // A node that has ceased to lead may lack what was answered.
    expect(sentHeaders[0]).toEqual(Array(7).fill(expect.objectContaining({ leader: 'true' })));
    expect(JSON.stringify(sentHeaders[0])).toContain('/event_store.client.streams.Streams/Read');
  });

  it('keeps its connection however much it reads: nghttp2 leaves one over which 1,000 calls are reset', async () => {
    const store = await startStore();
    const adapter = adapterTo(store.port);
    for (let read = 0; read < 1_200; read += 40) {
      const reads = Array.from({ length: 40 }, () => adapter.read('a-1'));
      await requestReceived(store, read + 39);
      for (const call of store.calls.slice(read)) {
        call.send(events(1));
        call.end(Status.ok);
      }
      expect((await Promise.all(reads)).every(({ length }) => length === 1)).toBe(true);
    }
    expect(store.sessions.map(({ closed }) => closed)).toEqual([false]);
  });

  it('puts events together that come one byte at a time', async () => {
    const store = await startStore();
    const read = adapterTo(store.port).read('a-1');
    await requestReceived(store, 0);
    for (const byte of events(3)) {
      store.call(0).send(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    store.call(0).end(Status.ok);
    const expected = { stream: 'a-1', type: 'Happened.v1', data: { text: 'ü€😀' }, metadata: { schemaVersion: 1 } };
    expect(await read).toMatchObject([0n, 1n, 2n].map((revision) => ({ ...expected, revision })));
  });

  it('takes events of the largest size, and such as have no data', async () => {
    const store = await startStore();
    const read = adapterTo(store.port).read('a-1');
    await requestReceived(store, 0);
    const large = 1024 * 1024 - 64;
    store.call(0).send(Buffer.concat([events(1, 0, `"${'x'.repeat(large)}"`), events(1, 1, '')]));
    store.call(0).end(Status.ok);
    expect((await read).map(({ data }) => (data as string).length)).toEqual([large, 0]);
  });

  it.each<[string, (store: ScriptedStore) => void]>([
    ['does not exist', (store) => [store.call(0).send(streamNotFound('a-1')), store.call(0).end(Status.ok)]],
    ['does not exist, by its status', (store) => store.call(0).refuse(5, { exception: 'stream-not-found' })],
    ['was deleted', (store) => store.call(0).refuse(9, { exception: 'stream-deleted', 'stream-name': 'a-1' })],
  ])('reads a stream as empty that %s', async (_, answer) => {
    const store = await startStore();
    const read = adapterTo(store.port).read('a-1');
    await requestReceived(store, 0);
    answer(store);
    expect(await read).toEqual([]);
  });

  it.each<[string, number, Record<string, string>]>([
    ['the user is not let in', Status.unauthenticated, {}],
    ['the user may not read it', 7, { exception: 'access-denied' }],
  ])('tells apart that %s', async (_, status, trailers) => {
    const store = await startStore();
    const read = adapterTo(store.port).read('a-1');
    await requestReceived(store, 0);
    store.call(0).refuse(status, { ...trailers, 'grpc-message': 'who%3F' });
    const failure = await failureOf(read);
    expect(failure).toBeInstanceOf(AccessDeniedError);
    expect(failure).toMatchObject({ message: 'who?' });
  });

  it.each<[string, (store: ScriptedStore) => void, RegExp]>([
    ['died in the middle of an event', (store) => store.sessions[0]?.destroy(), /closed|hang up|reset/],
    ['ended the call after half an event', (store) => store.call(0).stream.close(), /closed/],
    ['says that was all after half an event', (store) => store.call(0).end(Status.ok), /middle of a message/],
    ['failed after half the events', (store) => store.call(0).end(Status.internal, { 'grpc-message': 'oh' }), /oh/],
  ])('never takes half of the events for all of them where the store %s', async (_, fail, reason) => {
    const store = await startStore();
    const read = unavailableBecause(adapterTo(store.port).read('a-1'));
    await requestReceived(store, 0);
    const frames = events(2);
    store.call(0).send(frames.subarray(0, frames.length - 3));
    await new Promise((resolve) => setTimeout(resolve, 20));
    fail(store);
    expect(await read).toMatch(reason);
  });

  it('says what stood in the way where a proxy has no store', async () => {
    const store = await startStore();
    const read = unavailableBecause(adapterTo(store.port).read('a-1'));
    await requestReceived(store, 0);
    store.call(0).respond({ ':status': 503 });
    expect(await read).toMatch(/HTTP status 503/);
  });

  it('fails at the end of its budget where half an answer is followed by silence, and lets the store go', async () => {
    const store = await startStore();
    const read = unavailableBecause(adapterTo(store.port, 'direct', 300).read('a-1'));
    await requestReceived(store, 0);
    store.call(0).send(events(2).subarray(0, 50));
    expect(await read).toMatch(/no answer within 300 ms/);
    await eventually('the cancellation', () => store.call(0).stream.closed);
    expect(store.call(0).stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
  });

  it.each([
    ['KurrentDB 25 before the first event', [caughtUp(), events(2)], ['caught_up', 'event', 'event']],
    ['EventStoreDB 23.10 after it', [events(2), caughtUp()], ['event', 'event', 'caught_up']],
  ])('delivers the notice of having caught up where the server says it: %s', async (_, frames, kinds) => {
    for (const client of ['direct', 'official'] as const) {
      const store = await startStore();
      const { delivered } = follow(adapterTo(store.port, client));
      await requestReceived(store, 0);
      store.call(0).send(Buffer.concat([confirmation(newUuid()), ...frames]));
      await eventually('the deliveries', () => delivered.length === kinds.length);
      expect(delivered.map(({ kind }) => kind)).toEqual(kinds);
    }
  });

  it('asks again on a new connection where the store has taken no more calls on the old one', async () => {
    const store = await startStore();
    const read = adapterTo(store.port).read('a-1');
    await requestReceived(store, 0);
    store.call(0).stream.close(constants.NGHTTP2_REFUSED_STREAM);
    await requestReceived(store, 1);
    store.call(1).send(events(1));
    store.call(1).end(Status.ok);
    expect(await read).toHaveLength(1);
  });

  it('turns to the leader that another node names', async () => {
    const [follower, leader] = [await startStore(), await startStore()];
    const adapter = adapterTo(follower.port);
    const first = unavailableBecause(adapter.read('a-1'));
    await requestReceived(follower, 0);
    const place = { 'leader-endpoint-host': '127.0.0.1', 'leader-endpoint-port': String(leader.port) };
    follower.call(0).refuse(5, { exception: 'not-leader', ...place });
    await first;
    const second = adapter.read('a-1');
    await requestReceived(leader, 0);
    leader.call(0).send(events(1));
    leader.call(0).end(Status.ok);
    expect(await second).toHaveLength(1);
  });

  it('carries reads of one moment over one connection, and resets none that was answered', async () => {
    const store = await startStore();
    const adapter = adapterTo(store.port);
    const reads = Array.from({ length: 50 }, () => adapter.read('a-1'));
    await eventually('the requests', () => store.calls.length === 50);
    for (const call of store.calls) {
      call.send(events(1));
      call.end(Status.ok);
    }
    expect((await Promise.all(reads)).flat()).toHaveLength(50);
    expect(store.sessions).toHaveLength(1);
    await eventually('all closed', () => store.calls.every(({ stream }) => stream.closed));
    expect(new Set(store.calls.map(({ stream }) => stream.rstCode))).toEqual(new Set([constants.NGHTTP2_NO_ERROR]));
  });
});
