import { randomUUID } from 'node:crypto';
import { type AppendExpectedRevision, binaryEvent, jsonEvent } from '@eventstore/db-client';
import {
  bytesEvent,
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

const LIMIT = 1_048_576;

describe.each(['batch append', 'unary append'] as const)('appending by %s', (path) => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  const client = () => (path === 'batch append' ? server.client : server.unary);
  const append = (
    stream: string,
    what: Parameters<ReturnType<typeof client>['appendToStream']>[1],
    expected: AppendExpectedRevision,
  ) => client().appendToStream(stream, what, expecting(expected));
  const conflict = (streamName: string, expectedVersion: unknown, actualVersion: unknown) => ({
    type: 'wrong-expected-version',
    streamName,
    expectedVersion,
    actualVersion,
  });

  it('accepts any, no_stream, stream_exists and the revision where they hold, and tells revision and position', async () => {
    const stream = fresh();
    const first = await append(stream, events(2), 'no_stream');
    const second = await append(stream, event(), 1n);
    const third = await append(stream, event(), 'stream_exists');
    const fourth = await append(stream, event(), 'any');
    expect([first, second, third, fourth].map((result) => result.nextExpectedRevision)).toEqual([1n, 2n, 3n, 4n]);
    const commits = [first, second, third, fourth].map((result) => result.position?.commit ?? 0n);
    expect([...commits].sort((a, b) => Number(a - b))).toEqual(commits);
    expect(new Set(commits).size).toBe(4);
  });

  it.each(['no_stream', 0n, 7n] as const)('refuses %s on a stream at revision 1 and names both', async (expected) => {
    const stream = fresh();
    await append(stream, events(2), 'any');
    expect(await failureOf(append(stream, event(), expected))).toEqual(conflict(stream, expected, 1n));
    expect(await readRevisions(client(), stream)).toEqual([0, 1]);
  });

  it.each(['stream_exists', 0n] as const)('refuses %s where there is no stream', async (expected) => {
    const stream = fresh();
    expect(await failureOf(append(stream, event(), expected))).toEqual(conflict(stream, expected, 'no_stream'));
  });

  it('lets one of many win that expect the same revision', async () => {
    const stream = fresh();
    await append(stream, event(), 'no_stream');
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => append(stream, event(), 0n)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readRevisions(client(), stream)).toEqual([0, 1]);
  });

  it('gives every one of many appends a revision of its own', async () => {
    const stream = fresh();
    const results = await Promise.all(Array.from({ length: 300 }, () => append(stream, event(), 'any')));
    const revisions = results.map((result) => Number(result.nextExpectedRevision)).sort((a, b) => a - b);
    expect(revisions).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });

  it.each(['any', 'no_stream'] as const)(
    'recognises a repeated append of several events that expects %s',
    async (expected) => {
      const stream = fresh();
      const batch = events(5);
      const first = await append(stream, batch, expected);
      const again = await append(stream, batch, expected);
      expect(again).toEqual(first);
      expect(await readRevisions(client(), stream)).toHaveLength(5);
    },
  );

  it('recognises a repetition after other events came, at the revision it was made with', async () => {
    const stream = fresh();
    const batch = events(3);
    await append(stream, events(2), 'no_stream');
    await append(stream, batch, 1n);
    await append(stream, events(2), 4n);
    expect((await append(stream, batch, 1n)).nextExpectedRevision).toBe(4n);
    expect((await append(stream, batch.slice(0, 2), 1n)).nextExpectedRevision).toBe(3n);
    expect(await readRevisions(client(), stream)).toHaveLength(7);
  });

  it('refuses an earlier append that has grown, or whose order has changed', async () => {
    const stream = fresh();
    const [a = event(), b = event(), c = event()] = events(3);
    await append(stream, [a, b], 'no_stream');
    expect(await failureOf(append(stream, [a, b, c], 'no_stream'))).toEqual(conflict(stream, 'no_stream', 1n));
    expect(await failureOf(append(stream, [a, b, c], 'any'))).toEqual(conflict(stream, 'any', 1n));
    expect(await failureOf(append(stream, [b, a], 'no_stream'))).toEqual(conflict(stream, 'no_stream', 1n));
    expect(await readRevisions(client(), stream)).toEqual([0, 1]);
  });

  it('knows an event by its id and stream, not by its content', async () => {
    const [stream, other, id] = [fresh(), fresh(), randomUUID()];
    await append(stream, event('one', { v: 1 }, id), 'any');
    expect((await append(stream, event('two', { v: 2 }, id), 'any')).nextExpectedRevision).toBe(0n);
    expect((await append(other, event('one', { v: 1 }, id), 'any')).nextExpectedRevision).toBe(0n);
    const [only] = await collect(client().readStream(stream));
    expect(only?.event?.type).toBe('one');
    expect(await readRevisions(client(), other)).toEqual([0]);
  });

  it('answers an append without events and writes nothing', async () => {
    const stream = fresh();
    expect((await append(stream, [], 'no_stream')).success).toBe(true);
    expect(await failureOf(collect(client().readStream(stream)))).toEqual({
      type: 'stream-not-found',
      streamName: stream,
    });
    await append(stream, event(), 'any');
    expect(await failureOf(append(stream, [], 5n))).toEqual(conflict(stream, 5n, 0n));
  });

  it('takes what is just under a mebibyte and refuses what is over it, in one event or in several', async () => {
    const stream = fresh();
    const refusal = { type: 'maximum-append-size-exceeded', maxAppendSize: LIMIT };
    expect(await failureOf(append(stream, bytesEvent(LIMIT + 1), 'any'))).toEqual(refusal);
    expect(
      await failureOf(
        append(
          stream,
          Array.from({ length: 4 }, () => bytesEvent(300_000)),
          'any',
        ),
      ),
    ).toEqual(refusal);
    expect((await append(stream, bytesEvent(LIMIT - 100), 'no_stream')).nextExpectedRevision).toBe(0n);
    expect(
      (
        await append(
          stream,
          Array.from({ length: 3 }, () => bytesEvent(300_000)),
          0n,
        )
      ).nextExpectedRevision,
    ).toBe(3n);
  });

  it('gives data, metadata, types and dates back as they went in', async () => {
    const stream = fresh('žluť/@#? ');
    await append(
      stream,
      [
        jsonEvent({
          type: 'typé',
          data: { text: 'žlutý 🐎', deep: [1, 2.5, null, true] },
          metadata: { $correlationId: 'c' },
        }),
        binaryEvent({ type: 'binary', data: Buffer.from([0, 1, 2, 255]), metadata: Buffer.from([9, 8]) }),
        binaryEvent({ type: 'nothing', data: Buffer.alloc(0) }),
      ],
      'no_stream',
    );
    const [json, binary, nothing] = (await collect(client().readStream(stream))).map((one) => one.event);
    expect(json).toMatchObject({ streamId: stream, type: 'typé', isJson: true, metadata: { $correlationId: 'c' } });
    expect(json?.data).toEqual({ text: 'žlutý 🐎', deep: [1, 2.5, null, true] });
    expect([...(binary?.data as Uint8Array)]).toEqual([0, 1, 2, 255]);
    expect([...(binary?.metadata as Uint8Array)]).toEqual([9, 8]);
    expect(nothing).toMatchObject({ isJson: false, metadata: undefined });
    expect(Math.abs(Date.now() - (json?.created.getTime() ?? 0))).toBeLessThan(60_000);
  });
});

describe('what batch append alone has', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it('puts an append that comes in several messages together', async () => {
    const stream = fresh();
    const parts = Array.from({ length: 5 }, () => bytesEvent(30_000));
    const options = { expectedRevision: 'no_stream' as const, batchAppendSize: 40_000 };
    const first = await server.client.appendToStream(stream, parts, options);
    expect(first.nextExpectedRevision).toBe(4n);
    expect((await server.client.appendToStream(stream, parts, options)).nextExpectedRevision).toBe(4n);
  });

  it('answers an append whose deadline has passed with that', async () => {
    const late = server.client.appendToStream(fresh(), event(), { deadline: 0 });
    expect(await failureOf(late)).toEqual({ type: 'deadline-exceeded' });
  });

  it('keeps the order of appends that were sent one behind the other', async () => {
    const stream = fresh();
    await Promise.all(
      Array.from({ length: 500 }, (_, n) => server.client.appendToStream(stream, event('ordered', { n }))),
    );
    const seen = await collect(server.client.readStream(stream));
    expect(seen.map((one) => (one.event?.data as { n: number }).n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  });
});
