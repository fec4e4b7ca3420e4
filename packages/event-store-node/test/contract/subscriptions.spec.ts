import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AllStreamSubscription,
  END,
  eventTypeFilter,
  excludeSystemEvents,
  type Position,
  START,
  streamNameFilter,
  type StreamSubscription,
} from '@eventstore/db-client';
import { bytesEvent, event, events, failureOf, fresh, link, majorVersion, type Server, startServer } from './server.js';
import { SLOWNESS } from '../../../../test/support/processes.js';

interface Watched {
  readonly seen: string[];
  readonly caughtUpAfter: () => number | undefined;
  readonly failure: () => Error | undefined;
}

const WAIT_BUDGET_MS = 20_000 * SLOWNESS;

async function until(condition: () => boolean, watched: readonly Watched[] = []): Promise<void> {
  const deadline = Date.now() + WAIT_BUDGET_MS;
  while (!condition()) {
    const state = () => watched.map(({ seen, failure }) => failure()?.message ?? seen.length).join(', ');
    if (Date.now() > deadline) throw new Error(`it did not happen in time: ${state()}`);
    await sleep(10);
  }
}

/** Notes what a subscription delivers, each event as its type and the last letter of its stream's label. */
function watch(subscription: AllStreamSubscription | StreamSubscription): Watched {
  const seen: string[] = [];
  let caughtUpAfter: number | undefined;
  let failure: Error | undefined;
  const note = (resolved: { event?: { streamId: string; revision: bigint }; link?: { revision: bigint } }) => {
    seen.push(
      `${resolved.link === undefined ? '' : `${resolved.link.revision}→`}${resolved.event?.revision ?? 'gone'}`,
    );
  };
  (subscription as StreamSubscription).on('data', note);
  (subscription as StreamSubscription).on('caughtUp', () => (caughtUpAfter ??= seen.length));
  (subscription as StreamSubscription).on('error', (error) => (failure = error));
  return { seen, caughtUpAfter: () => caughtUpAfter, failure: () => failure };
}

describe('subscriptions', () => {
  let server: Server;
  const open: (AllStreamSubscription | StreamSubscription)[] = [];
  beforeAll(async () => {
    server = await startServer();
  });
  afterEach(async () => {
    for (const subscription of open.splice(0)) await subscription.unsubscribe();
  });
  afterAll(() => server.stop());

  const append = (stream: string, count: number, type?: string) =>
    server.client.appendToStream(stream, events(count, type));
  const toStream = (stream: string, options: Parameters<typeof server.client.subscribeToStream>[1] = {}) => {
    const subscription = server.client.subscribeToStream(stream, options);
    open.push(subscription);
    return watch(subscription);
  };
  const toAll = (options: Parameters<typeof server.client.subscribeToAll>[0]) => {
    const subscription = server.client.subscribeToAll(options);
    open.push(subscription);
    return watch(subscription);
  };

  describe('to a stream', () => {
    it.each([
      ['the start', START, 3, ['0', '1', '2', '3', '4']],
      ['behind a revision', 1n, 1, ['2', '3', '4']],
      ['the end', END, 0, ['3', '4']],
    ] as const)('from %s: what is there, a notice, then what comes', async (_, fromRevision, before, all) => {
      const stream = fresh();
      await append(stream, 3);
      const watched = toStream(stream, { fromRevision });
      await until(() => watched.caughtUpAfter() !== undefined);
      await append(stream, 2);
      await until(() => watched.seen.length >= all.length);
      expect(watched.caughtUpAfter()).toBe(before);
      expect(watched.seen).toEqual(all);
    });

    it('waits for a stream that is not there yet, and for a revision', async () => {
      const [stream, later] = [fresh(), fresh()];
      const watched = toStream(stream);
      const behind = toStream(later, { fromRevision: 2n });
      await sleep(200);
      await append(stream, 2);
      await append(later, 5);
      await until(() => watched.seen.length === 2 && behind.seen.length === 2);
      expect(behind.seen).toEqual(['3', '4']);
    });

    it.each([
      ['is not there yet', () => Promise.resolve()],
      ['was deleted', (stream: string) => append(stream, 2).then(() => server.client.deleteStream(stream))],
    ])('says that it has caught up with one that %s: since 25 before the first event', async (_, prepare) => {
      const stream = fresh();
      await prepare(stream);
      const watched = toStream(stream);
      if ((await majorVersion(server.url)) >= 25) await until(() => watched.caughtUpAfter() !== undefined);
      else await sleep(300);
      await append(stream, 2);
      await until(() => watched.seen.length === 2 && watched.caughtUpAfter() !== undefined);
      expect(watched.caughtUpAfter()).toBe((await majorVersion(server.url)) >= 25 ? 0 : 2);
    });

    it('outlives a soft delete', async () => {
      const stream = fresh();
      await append(stream, 2);
      const watched = toStream(stream);
      await until(() => watched.caughtUpAfter() !== undefined);
      await server.client.deleteStream(stream);
      await append(stream, 2);
      await until(() => watched.seen.length === 4);
      expect(watched.seen).toEqual(['0', '1', '2', '3']);
    });

    it('ends with its tombstone', async () => {
      const stream = fresh();
      await append(stream, 1);
      const watched = toStream(stream);
      await until(() => watched.caughtUpAfter() !== undefined);
      await server.client.tombstoneStream(stream);
      await until(() => watched.failure() !== undefined);
      expect(watched.failure()).toMatchObject({ type: 'stream-deleted', streamName: stream });
      expect(watched.seen).toEqual(['0', String(2n ** 63n - 1n)]);
      const late = toStream(stream);
      await until(() => late.failure() !== undefined);
      expect(late.failure()).toMatchObject({ type: 'stream-deleted' });
    });

    it('ends with a tombstone that comes while it catches up', async () => {
      const stream = fresh();
      for (let n = 0; n < 40; n++)
        await server.client.appendToStream(stream, [bytesEvent(500_000), bytesEvent(500_000)]);
      const subscription = server.client.subscribeToStream(stream);
      open.push(subscription);
      const revisions: bigint[] = [];
      const reading = (async () => {
        for await (const { event: seen } of subscription) {
          if (revisions.push(seen?.revision ?? -1n) === 1) await server.client.tombstoneStream(stream);
          if (revisions.length > 90) return;
        }
      })();
      expect(await failureOf(reading)).toEqual({ type: 'stream-deleted', streamName: stream });
      expect(revisions.filter((revision) => revision === 2n ** 63n - 1n).length).toBeLessThanOrEqual(1);
    });

    it('begins with what its metadata leaves, and resolves links', async () => {
      const [stream, links] = [fresh(), fresh()];
      await append(stream, 10);
      await server.client.setStreamMetadata(stream, { maxCount: 2 });
      const watched = toStream(stream);
      await until(() => watched.seen.length === 2);
      expect(watched.seen).toEqual(['8', '9']);
      await server.client.appendToStream(links, [link(9, stream), link(99, stream)]);
      const resolving = toStream(links, { resolveLinkTos: true });
      await until(() => resolving.seen.length === 2);
      expect(resolving.seen).toEqual(['0→9', '1→gone']);
    });
  });

  describe('to $all', () => {
    it('begins behind a position, shows other streams too, and goes on live', async () => {
      const [one, two] = [fresh(), fresh()];
      const { position } = await append(one, 2);
      await append(two, 2);
      const watched = toAll({ fromPosition: position ?? START });
      await until(() => watched.caughtUpAfter() !== undefined);
      await append(one, 1);
      await until(() => watched.seen.length >= 3);
      expect(watched.seen).toEqual(['0', '1', '2']);
    });

    it('begins behind a position in the middle of an append', async () => {
      const stream = fresh();
      await append(stream, 5);
      for await (const { event: middle } of server.client.readStream(stream, { fromRevision: 2n, maxCount: 1 })) {
        const filter = streamNameFilter({ prefixes: [stream] });
        const watched = toAll({ fromPosition: middle?.position ?? START, filter });
        await until(() => watched.caughtUpAfter() !== undefined);
        expect(watched.seen).toEqual(['3', '4']);
      }
    });

    it.each([
      ['stream prefixes', (stream: string) => streamNameFilter({ prefixes: ['nothing-', stream] })],
      ['a stream regex', (stream: string) => streamNameFilter({ regex: `^${stream}$` })],
      ['type prefixes', (stream: string) => eventTypeFilter({ prefixes: [`${stream}-re`, 'nothing'] })],
      ['a type regex', (stream: string) => eventTypeFilter({ regex: `^${stream}-red` })],
    ])('filters by %s', async (_, filterFor) => {
      const [stream, other] = [fresh(), fresh()];
      const { position } = await append(other, 1);
      await append(stream, 1, `${stream}-red`);
      await append(other, 3, 'green');
      const watched = toAll({ fromPosition: position ?? START, filter: filterFor(stream) });
      await until(() => watched.caughtUpAfter() !== undefined);
      await append(other, 1, 'green');
      await append(stream, 2, `${stream}-redder`);
      await until(() => watched.seen.length >= 3);
      expect(watched.seen).toEqual(['0', '1', '2']);
      expect(watched.caughtUpAfter()).toBe(1);
    });

    it('leaves system events out when asked to', async () => {
      const stream = fresh();
      const { position } = await append(stream, 1);
      await server.client.setStreamMetadata(stream, { maxCount: 100 });
      await append(stream, 1);
      const watched = toAll({ fromPosition: position ?? START, filter: excludeSystemEvents() });
      await until(() => watched.seen.length >= 1);
      await sleep(200);
      expect(watched.seen).toEqual(['1']);
    });

    it('tells how far it has looked, also where nothing matches, never past what it has delivered', async () => {
      const [stream, other] = [fresh(), fresh()];
      const { position } = await append(other, 1);
      const checkpoints: Position[] = [];
      const filter = streamNameFilter({
        prefixes: [stream],
        maxSearchWindow: 10,
        checkpointInterval: 2,
        checkpointReached: (_, reached) => {
          checkpoints.push(reached);
          return Promise.resolve();
        },
      });
      const watched = toAll({ fromPosition: position ?? START, filter });
      await until(() => watched.caughtUpAfter() !== undefined);
      for (let n = 0; n < 50; n++) await append(other, 1);
      const last = await append(stream, 1);
      for (let n = 0; n < 30; n++) await append(other, 1);
      await until(() => checkpoints.length >= 3);
      expect(checkpoints.length).toBeLessThanOrEqual(5);
      const commits = checkpoints.map(({ commit }) => commit);
      expect([...commits].sort((a, b) => Number(a - b))).toEqual(commits);
      expect(commits.some((commit) => commit < (last.position?.commit ?? 0n))).toBe(true);
      expect(watched.seen).toEqual(['0']);
    });

    it('goes live without gap or duplicate while appends arrive', async () => {
      const stream = fresh();
      const { position } = await append(stream, 1);
      let appending = true;
      let total = 1;
      const writers = Array.from({ length: 8 }, async () => {
        while (appending) {
          await append(stream, 3);
          total += 3;
        }
      });
      const watched: Watched[] = [];
      // A node whose Postgres gets no processor for a second drops its subscriptions.
      for (let n = 0; n < 10 / SLOWNESS; n++) {
        watched.push(toAll({ fromPosition: position ?? START, filter: streamNameFilter({ prefixes: [stream] }) }));
        watched.push(toStream(stream, { fromRevision: 0n }));
        await sleep(100);
      }
      appending = false;
      await Promise.all(writers);
      await until(() => watched.every(({ seen }) => seen.length >= total - 1), watched);
      const expected = Array.from({ length: total - 1 }, (_, n) => String(n + 1));
      for (const { seen } of watched) expect(seen).toEqual(expected);
    });

    it('ends when it is cancelled and leaves the connection in use', async () => {
      const stream = fresh();
      const subscription = server.client.subscribeToStream(stream);
      const watched = watch(subscription);
      await append(stream, 1);
      await until(() => watched.seen.length === 1);
      await subscription.unsubscribe();
      await append(stream, 1);
      await sleep(100);
      expect(watched.seen).toEqual(['0']);
      expect(watched.failure()).toBeUndefined();
    });
  });

  it('serves a reader that is slow, and others beside it at full speed', async () => {
    const stream = fresh();
    await append(stream, 1);
    const slow = server.client.subscribeToStream(stream);
    let slowly = 0;
    const reading = (async () => {
      for await (const resolved of slow) {
        slowly += 1;
        if (resolved.event?.revision === 120n) return;
        if (slowly < 20) await sleep(50);
      }
    })();
    const fast = toStream(stream);
    for (let n = 0; n < 40; n++) {
      await server.client.appendToStream(stream, [bytesEvent(250_000), bytesEvent(250_000), event()]);
    }
    await until(() => fast.seen.length === 121);
    await reading;
    expect(slowly).toBe(121);
  });

  it('cannot be made with a filter that is none', async () => {
    const broken = server.client.subscribeToAll({ filter: streamNameFilter({ regex: '(' }) });
    const failing = new Promise((_, reject) => broken.on('error', reject));
    expect(await failureOf(failing)).toEqual({ type: 'unknown' });
  });
});
