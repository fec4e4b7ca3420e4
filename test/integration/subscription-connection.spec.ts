import { constants } from 'node:http2';
import { newUuid } from '../../src/kernel/ids.js';
import { caughtUp, checkpoint, confirmation } from '@kyc/event-store-node/reading/responses';
import { type Delivery } from '../../src/platform/eventstore/event-store.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { Status } from '@kyc/esdb-wire/status';
import { type ScriptedStore } from '../support/faults/scripted-store.js';
import { Wire } from '../support/faults/wire.js';
import { eventually } from '../support/processes.js';
import {
  adapterTo,
  requestReceived,
  closeAll,
  closers,
  events,
  follow,
  LONG_BUDGET_MS,
  revisions,
  startStore,
  unavailableBecause,
} from './read-connection-world.js';

afterEach(closeAll);

describe('a subscription over the read connection', () => {
  it('delivers in the order in which the store tells, checkpoints and the live rest among the events', async () => {
    const store = await startStore();
    const { delivered } = follow(adapterTo(store.port));
    await requestReceived(store, 0);
    store.call(0).send(Buffer.concat([confirmation(newUuid()), events(2), checkpoint(9), caughtUp(), events(1, 2)]));
    await eventually('the deliveries', () => delivered.length === 5);
    expect(delivered.map(({ kind }) => kind)).toEqual(['event', 'event', 'checkpoint', 'caught_up', 'event']);
    expect(delivered[2]).toEqual({ kind: 'checkpoint', position: 9n });
    expect(revisions(delivered)).toEqual([0, 1, 2]);
  });

  it.each<[string, (store: ScriptedStore) => unknown, RegExp]>([
    ['dies in the middle of an event', (store) => store.die(), /./],
    ['says goodbye', (store) => store.sessions[0]?.goaway(constants.NGHTTP2_NO_ERROR, 2 ** 31 - 1), /goodbye/],
    ['throws it out', (store) => store.sessions[0]?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM), /./],
    ['ends it without a word', (store) => store.call(0).end(Status.ok), /dropped/],
    ['ends it with one', (store) => store.call(0).end(Status.unavailable, { 'grpc-message': 'moving' }), /moving/],
    ['resets it', (store) => store.call(0).stream.close(constants.NGHTTP2_INTERNAL_ERROR), /./],
    ['sends what is no message', (store) => store.call(0).send(Buffer.from([0, 0, 0, 0, 1, 0x0b])), /./],
  ])('throws where the store %s, after all that came whole', async (how, fail, reason) => {
    const half = how.includes('middle') ? 40 : 0;
    const store = await startStore();
    const { delivered, ended } = follow(adapterTo(store.port));
    await requestReceived(store, 0);
    store.call(0).send(Buffer.concat([events(3), events(1, 3).subarray(0, half)]));
    await eventually('the deliveries', () => delivered.length === 3);
    await fail(store);
    expect(await unavailableBecause(ended)).toMatch(reason);
    expect(revisions(delivered)).toEqual([0, 1, 2]);
  });

  it('throws where it is refused: its owner begins anew', async () => {
    const store = await startStore();
    const { ended } = follow(adapterTo(store.port));
    await requestReceived(store, 0);
    store.call(0).refuse(Status.unauthenticated, { 'grpc-message': 'who' });
    expect(await unavailableBecause(ended)).toMatch(/who/);
  });

  it('is begun anew at the leader that another node names', async () => {
    const [follower, leader] = [await startStore(), await startStore()];
    const adapter = adapterTo(follower.port);
    const { ended } = follow(adapter);
    await requestReceived(follower, 0);
    const place = { 'leader-endpoint-host': '127.0.0.1', 'leader-endpoint-port': String(leader.port) };
    follower.call(0).refuse(5, { exception: 'not-leader', ...place });
    await unavailableBecause(ended);
    const { delivered } = follow(adapter);
    await requestReceived(leader, 0);
    leader.call(0).send(events(1));
    await eventually('the delivery', () => delivered.length === 1);
  });

  it('is begun on a new connection after a goodbye, though the old one still stands', async () => {
    const store = await startStore();
    const adapter = adapterTo(store.port);
    const first = follow(adapter);
    await requestReceived(store, 0);
    store.sessions[0]?.goaway(constants.NGHTTP2_NO_ERROR, 2 ** 31 - 1);
    await first.ended.catch(() => undefined);
    const second = follow(adapter, 3n);
    await requestReceived(store, 1);
    store.call(1).send(events(1, 3));
    await eventually('the delivery', () => second.delivered.length === 1);
    expect(store.sessions).toHaveLength(2);
  });

  it('holds the store back while its consumer is busy, and loses nothing by it', async () => {
    const store = await startStore();
    const adapter = adapterTo(store.port);
    const count = 20_000;
    let written = 0;
    const taken: number[] = [];
    const consume = async (release: Promise<void>): Promise<void> => {
      for await (const page of adapter.subscribeToAllInPages({ streamPrefixes: ['a-'] })) {
        taken.push(...revisions(page));
        await release;
        if (taken.length === count) return;
      }
    };
    let release = (): void => undefined;
    const consumed = consume(new Promise((resolve) => (release = resolve)));
    await requestReceived(store, 0);
    const { stream } = store.call(0);
    const write = (): void => {
      while (written < count) {
        store.call(0).send(events(10, written, `"${'x'.repeat(1_000)}"`));
        written += 10;
        if (stream.writableNeedDrain) return void stream.once('drain', write);
      }
    };
    write();
    // The store is stuck once it could write nothing in a while, however slow this machine is.
    let before = -1;
    await eventually('the store is held back', async () => {
      const stuck = before === written && written > 0;
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return stuck && before === written;
    });
    // Of 24 MB: the window, what waits here, and what lies in between.
    expect(written).toBeLessThan(3_000);
    release();
    await consumed;
    expect(taken).toEqual(Array.from({ length: count }, (_, index) => index));
    await eventually('the cancellation', () => stream.closed);
  });

  it('throws where the store dies while it is held back, after what waited for its consumer', async () => {
    const store = await startStore();
    const subscription = adapterTo(store.port).subscribeToAllInPages({ streamPrefixes: ['a-'] });
    const pages = subscription[Symbol.asyncIterator]();
    const first = pages.next();
    await requestReceived(store, 0);
    for (let at = 0; at < 1_000; at += 1) store.call(0).send(events(1, at, `"${'x'.repeat(1_000)}"`));
    const taken = revisions(((await first) as { value: readonly Delivery[] }).value);
    await eventually('the store is held back', () => store.call(0).stream.writableNeedDrain);
    await store.die();
    const rest = async (): Promise<void> => {
      for (let next = await pages.next(); next.done !== true; next = await pages.next()) {
        taken.push(...revisions(next.value));
      }
    };
    await unavailableBecause(rest());
    expect(taken).toEqual(Array.from(taken.keys()));
  });

  it('throws what ended it only after all that came before, however slowly that is taken', async () => {
    const store = await startStore();
    const count = 400;
    const taken: number[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const consume = async (): Promise<void> => {
      for await (const page of adapterTo(store.port).subscribeToAllInPages({ streamPrefixes: ['a-'] })) {
        taken.push(...revisions(page));
        await released;
      }
    };
    const ended = unavailableBecause(consume());
    await requestReceived(store, 0);
    // More than may wait for the consumer, less than the window beside it.
    store.call(0).send(events(count, 0, `"${'x'.repeat(1_000)}"`));
    store.call(0).end(Status.unavailable, { 'grpc-message': 'moving' });
    await eventually('the end was sent', () => store.call(0).stream.closed);
    release();
    expect(await ended).toMatch(/moving/);
    expect(taken).toEqual(Array.from({ length: count }, (_, index) => index));
  });

  it.each(['returns early', 'is told to stop', 'is told to stop before it began'])(
    'lets the store go where its consumer %s',
    async (how) => {
      const store = await startStore();
      const adapter = adapterTo(store.port);
      const stop = new AbortController();
      if (how.endsWith('began')) stop.abort();
      const consume = async (): Promise<void> => {
        for await (const page of adapter.subscribeToAllInPages({ streamPrefixes: ['a-'], signal: stop.signal })) {
          if (how === 'returns early' && page.length > 0) return;
          stop.abort();
        }
      };
      const consumed = consume();
      if (!stop.signal.aborted) {
        await requestReceived(store, 0);
        store.call(0).send(events(1));
      }
      await consumed;
      if (how.endsWith('began')) expect(store.calls).toHaveLength(0);
      else {
        await eventually('the cancellation', () => store.call(0).stream.closed);
        expect(store.call(0).stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
      }
    },
  );

  it('ends, with all reads, once this side is closed', async () => {
    const store = await startStore();
    const adapter = adapterTo(store.port);
    const { ended } = follow(adapter);
    const read = adapter.read('a-1');
    await eventually('the requests', () => store.calls.length === 2);
    await adapter.close();
    await unavailableBecause(ended);
    await unavailableBecause(read);
    await eventually('the connection is gone', () => store.sessions.every(({ destroyed }) => destroyed));
  });

  it('ends where nothing arrives any more and the store is searched anew', async () => {
    const store = await startStore();
    const wire = await Wire.to(store.port);
    closers.push(() => wire.stop());
    const adapter = new GrpcEventStore({
      connectionString: `esdb://127.0.0.1:${wire.port}?tls=false`,
      probeEveryMs: 20,
      budgetMs: LONG_BUDGET_MS,
      keepAlive: { everyMs: 500, timeoutMs: 250 },
    });
    closers.push(() => adapter.close());
    const { ended } = follow(adapter);
    await eventually('the subscription', () => store.calls.some(({ requests }) => requests.length > 0));
    wire.cut();
    await unavailableBecause(ended);
  });
});
