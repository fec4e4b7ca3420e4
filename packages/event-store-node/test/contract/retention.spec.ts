import { setTimeout as sleep } from 'node:timers/promises';
import { END, jsonEvent } from '@eventstore/db-client';
import {
  collect,
  event,
  events,
  expecting,
  failureOf,
  fresh,
  readRevisions,
  type Server,
  startServer,
} from './server.js';

describe('deletion and retention', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  const withEvents = async (count: number) => {
    const stream = fresh();
    await server.client.appendToStream(stream, events(count));
    return stream;
  };
  const read = (stream: string, options = {}) => readRevisions(server.client, stream, options);
  const backwards = { direction: 'backwards' as const, fromRevision: END as typeof END };

  describe('a soft delete', () => {
    it('hides the stream and lets it live on behind its last revision', async () => {
      const stream = await withEvents(3);
      await server.client.deleteStream(stream);
      expect(await failureOf(read(stream))).toEqual({ type: 'stream-not-found', streamName: stream });
      const again = await server.client.appendToStream(stream, event(), expecting('no_stream'));
      expect(again.nextExpectedRevision).toBe(3n);
      expect(await read(stream)).toEqual([3]);
      expect((await server.client.getStreamMetadata(stream)).metadata).toEqual({ truncateBefore: 3 });
    });

    it.each(['any', 2n] as const)('is undone by an append that expects %s', async (expected) => {
      const stream = await withEvents(3);
      await server.client.deleteStream(stream);
      await server.client.appendToStream(stream, events(2), expecting(expected));
      expect(await read(stream, backwards)).toEqual([4, 3]);
    });

    it('does not let stream_exists or a wrong revision through', async () => {
      const stream = await withEvents(3);
      await server.client.deleteStream(stream);
      const exists = server.client.appendToStream(stream, event(), expecting('stream_exists'));
      expect(await failureOf(exists)).toEqual({ type: 'stream-deleted', streamName: stream });
      const early = server.client.appendToStream(stream, event(), expecting(1n));
      expect(await failureOf(early)).toMatchObject({
        type: 'wrong-expected-version',
        expectedVersion: 1n,
        actualVersion: 2n,
      });
      expect(await failureOf(read(stream))).toMatchObject({ type: 'stream-not-found' });
    });

    it('holds expected revisions, also where there is no stream', async () => {
      const stream = await withEvents(3);
      const failed = { type: 'wrong-expected-version', streamName: stream, actualVersion: 2n };
      const deleting = (expectedRevision: bigint | 'no_stream') =>
        server.client.deleteStream(stream, { expectedRevision });
      expect(await failureOf(deleting(1n))).toEqual({ ...failed, expectedVersion: 1n });
      expect(await failureOf(deleting('no_stream'))).toEqual({ ...failed, expectedVersion: -1n });
      expect((await deleting(2n)).position).toBeDefined();
      const missing = fresh();
      const none = { type: 'wrong-expected-version', streamName: missing, expectedVersion: -2n, actualVersion: -1n };
      expect(await failureOf(server.client.deleteStream(missing))).toEqual(none);
    });
  });

  describe('a stream that exists only through its metadata', () => {
    const described = async () => {
      const stream = fresh();
      await server.client.setStreamMetadata(stream, { maxCount: 5 });
      return stream;
    };

    it.each(['no_stream', 'any'] as const)(
      'can be deleted by whoever expects %s, and begins anew',
      async (expected) => {
        const stream = await described();
        expect((await server.client.deleteStream(stream, { expectedRevision: expected })).position).toBeDefined();
        expect((await server.client.getStreamMetadata(stream)).metadata).toEqual({ truncateBefore: 2 ** 63 - 1 });
        expect(await failureOf(read(stream))).toEqual({ type: 'stream-not-found', streamName: stream });
        const exists = server.client.appendToStream(stream, event(), expecting('stream_exists'));
        expect(await failureOf(exists)).toEqual({ type: 'stream-deleted', streamName: stream });
        const begun = await server.client.appendToStream(stream, events(2), expecting('no_stream'));
        expect(begun.nextExpectedRevision).toBe(1n);
        expect(await read(stream)).toEqual([0, 1]);
      },
    );

    it('can be deleted again, but not at a revision that it has not', async () => {
      const stream = await described();
      const wrong = { type: 'wrong-expected-version', streamName: stream, expectedVersion: 0n, actualVersion: -1n };
      expect(await failureOf(server.client.deleteStream(stream, { expectedRevision: 0n }))).toEqual(wrong);
      await server.client.deleteStream(stream, { expectedRevision: 'no_stream' });
      expect((await server.client.deleteStream(stream, { expectedRevision: 'no_stream' })).position).toBeDefined();
    });

    it('takes an append that expects it to exist', async () => {
      const stream = await described();
      const appended = await server.client.appendToStream(stream, event(), expecting('stream_exists'));
      expect(appended.nextExpectedRevision).toBe(0n);
    });
  });

  describe('a tombstone', () => {
    it('ends the stream and its metadata for good', async () => {
      const stream = await withEvents(3);
      await server.client.tombstoneStream(stream, { expectedRevision: 2n });
      const deleted = { type: 'stream-deleted', streamName: stream };
      expect(await failureOf(read(stream))).toEqual(deleted);
      expect(await failureOf(read(stream, backwards))).toEqual(deleted);
      for (const expected of ['any', 'no_stream', 2n] as const) {
        expect(await failureOf(server.client.appendToStream(stream, event(), expecting(expected)))).toEqual(deleted);
      }
      expect(await failureOf(server.unary.appendToStream(stream, event()))).toEqual(deleted);
      expect(await failureOf(server.client.deleteStream(stream))).toEqual(deleted);
      expect(await failureOf(server.client.tombstoneStream(stream))).toEqual(deleted);
      const metastream = { type: 'stream-deleted', streamName: `$$${stream}` };
      expect(await failureOf(server.client.getStreamMetadata(stream))).toEqual(metastream);
      expect(await failureOf(server.client.setStreamMetadata(stream, { maxCount: 1 }))).toEqual(metastream);
    });

    it('can stand where no stream was, but not against its expectation', async () => {
      const stream = fresh();
      const wrong = server.client.tombstoneStream(stream, { expectedRevision: 3n });
      expect(await failureOf(wrong)).toMatchObject({
        type: 'wrong-expected-version',
        expectedVersion: 3n,
        actualVersion: -1n,
      });
      await server.client.tombstoneStream(stream);
      expect(await failureOf(read(stream))).toEqual({ type: 'stream-deleted', streamName: stream });
    });

    it('of a metadata stream lets nothing more be said of the stream, and harms nobody else', async () => {
      const stream = await withEvents(3);
      await server.client.tombstoneStream(`$$${stream}`);
      expect(await failureOf(server.client.deleteStream(stream))).toMatchObject({ type: 'stream-deleted' });
      expect(await failureOf(server.client.setStreamMetadata(stream, { maxCount: 1 }))).toMatchObject({
        type: 'stream-deleted',
      });
      await server.client.appendToStream(stream, event());
      expect(await read(stream)).toHaveLength(4);
    });

    it('shows in $all behind the events that it ended', async () => {
      const { position } = await server.client.appendToStream(fresh(), event());
      const stream = await withEvents(2);
      await server.client.tombstoneStream(stream);
      const seen = await collect(server.client.readAll({ fromPosition: position ?? END, maxCount: 100 }));
      const ours = seen
        .filter((one) => one.event?.streamId === stream)
        .map((one) => [one.event?.type, one.event?.revision]);
      expect(ours).toEqual([
        ['tested', 0n],
        ['tested', 1n],
        ['$streamDeleted', 2n ** 63n - 1n],
      ]);
    });
  });

  describe('metadata', () => {
    it('is a stream of its own, of which the last event counts', async () => {
      const stream = fresh();
      expect((await server.client.getStreamMetadata(stream)).metadata).toBeUndefined();
      await server.client.setStreamMetadata(stream, { maxCount: 2, custom: 'x' }, expecting('no_stream'));
      await server.client.setStreamMetadata(stream, { maxAge: 60, truncateBefore: 3, cacheControl: 5 }, expecting(0n));
      expect((await server.client.getStreamMetadata(stream)).metadata).toEqual({
        maxAge: 60,
        truncateBefore: 3,
        cacheControl: 5,
      });
      const stale = server.client.setStreamMetadata(stream, { maxCount: 9 }, expecting(0n));
      expect(await failureOf(stale)).toMatchObject({
        type: 'wrong-expected-version',
        streamName: `$$${stream}`,
        actualVersion: 1n,
      });
      expect(await read(`$$${stream}`)).toEqual([1]);
      expect(await failureOf(read(stream))).toMatchObject({ type: 'stream-not-found' });
    });

    it('shows the last $maxCount events, to reads in both directions', async () => {
      const stream = await withEvents(10);
      await server.client.setStreamMetadata(stream, { maxCount: 3 });
      expect(await read(stream)).toEqual([7, 8, 9]);
      expect(await read(stream, backwards)).toEqual([9, 8, 7]);
      expect(await read(stream, { fromRevision: 2n, maxCount: 2 })).toEqual([7, 8]);
      await server.client.appendToStream(stream, event(), expecting(9n));
      expect(await read(stream)).toEqual([8, 9, 10]);
    });

    it('hides what is before $tb, and all of it where $tb is beyond the end', async () => {
      const stream = await withEvents(10);
      await server.client.setStreamMetadata(stream, { truncateBefore: 7 });
      expect(await read(stream, { fromRevision: 2n, maxCount: 5 })).toEqual([7, 8, 9]);
      await server.client.setStreamMetadata(stream, { truncateBefore: 8, maxCount: 5 });
      expect(await read(stream)).toEqual([8, 9]);
      await server.client.setStreamMetadata(stream, { truncateBefore: 100 });
      expect(await read(stream)).toEqual([]);
      expect(await read(stream, backwards)).toEqual([]);
    });

    it.each([1.5, 0, -1, 'three', null])('counts as none where its $maxCount is %p', async ($maxCount) => {
      const stream = await withEvents(3);
      const metadata = jsonEvent({ type: '$metadata', data: { $maxCount } });
      await server.client.appendToStream(`$$${stream}`, metadata);
      expect(await read(stream)).toEqual([0, 1, 2]);
      expect(await read(stream, backwards)).toEqual([2, 1, 0]);
    });

    it('hides events past their $maxAge', async () => {
      const stream = await withEvents(3);
      await server.client.setStreamMetadata(stream, { maxAge: 1 });
      await sleep(2_100);
      expect(await read(stream)).toEqual([]);
      await server.client.appendToStream(stream, event(), expecting(2n));
      expect(await read(stream)).toEqual([3]);
    });

    it('does not tell the position of a repeated append that nobody can read any more', async () => {
      const stream = fresh();
      const batch = events(2);
      await server.client.appendToStream(stream, batch);
      await server.client.deleteStream(stream);
      const again = await server.client.appendToStream(stream, batch);
      expect(again).toEqual({ success: true, nextExpectedRevision: 1n, position: undefined });
    });

    it('set on a soft-deleted stream brings it back empty', async () => {
      const stream = await withEvents(2);
      await server.client.deleteStream(stream);
      await server.client.setStreamMetadata(stream, { maxCount: 5 });
      expect((await server.client.getStreamMetadata(stream)).metadata).toEqual({ maxCount: 5, truncateBefore: 2 });
      expect(await read(stream)).toEqual([]);
    });
  });
});
