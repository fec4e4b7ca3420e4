import { END, START } from '@eventstore/db-client';
import { collect, event, events, failureOf, fresh, link, readRevisions, type Server, startServer } from './server.js';

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('reading', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  const ten = async () => {
    const stream = fresh();
    for (const part of [events(3), events(1), events(6)]) await server.client.appendToStream(stream, part);
    return stream;
  };
  const read = (stream: string, options = {}) => readRevisions(server.client, stream, options);

  it('reads a stream in both directions from everywhere', async () => {
    const stream = await ten();
    const backwards = { direction: 'backwards' as const };
    expect(await read(stream)).toEqual(upTo(10));
    expect(await read(stream, { fromRevision: 3n })).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(await read(stream, { fromRevision: 2n, maxCount: 3 })).toEqual([2, 3, 4]);
    expect(await read(stream, { fromRevision: 100n })).toEqual([]);
    expect(await read(stream, { ...backwards, fromRevision: END })).toEqual(upTo(10).reverse());
    expect(await read(stream, { ...backwards, fromRevision: 4n, maxCount: 3 })).toEqual([4, 3, 2]);
    expect(await read(stream, { ...backwards, fromRevision: START })).toEqual([0]);
    expect(await read(stream, { ...backwards, fromRevision: 100n })).toEqual(upTo(10).reverse());
  });

  it('says so when a stream is not there', async () => {
    const stream = fresh();
    for (const options of [{}, { fromRevision: 5n }, { direction: 'backwards' as const, fromRevision: END }]) {
      expect(await failureOf(read(stream, options))).toEqual({ type: 'stream-not-found', streamName: stream });
    }
  });

  it('has no answer to a read of nothing or forwards from the end', async () => {
    const stream = await ten();
    expect(await failureOf(read(stream, { maxCount: 0 }))).toEqual({ type: 'unknown' });
    expect(await failureOf(read(stream, { fromRevision: END }))).toEqual({ type: 'unknown' });
  });

  it('reads $all between positions, forwards including the place and backwards excluding it', async () => {
    const [one, two] = [fresh(), fresh()];
    const first = await server.client.appendToStream(one, events(3));
    await server.client.appendToStream(two, events(2));
    const last = await server.client.appendToStream(one, events(2));
    const places = async (reading: ReturnType<typeof server.client.readAll>) =>
      (await collect(reading))
        .filter(({ event: seen }) => seen?.streamId === one || seen?.streamId === two)
        .map(({ event: seen }) => `${seen?.streamId === one ? 'one' : 'two'}@${seen?.revision}`);
    const from = (fromPosition: typeof first.position, direction: 'forwards' | 'backwards') =>
      places(server.client.readAll({ fromPosition: fromPosition ?? START, direction, maxCount: 300 }));
    expect(await from(first.position, 'forwards')).toEqual(['one@2', 'two@0', 'two@1', 'one@3', 'one@4']);
    const back = await from(last.position, 'backwards');
    expect(back).toEqual(['one@3', 'two@1', 'two@0', 'one@2', 'one@1', 'one@0']);
    const three = server.client.readAll({ fromPosition: first.position ?? START, maxCount: 3 });
    expect(await places(three)).toEqual(['one@2', 'two@0', 'two@1']);
    expect(await collect(server.client.readAll({ fromPosition: END }))).toEqual([]);
    const newest = server.client.readAll({ fromPosition: END, direction: 'backwards', maxCount: 1 });
    expect(await places(newest)).toEqual(['one@4']);
  });

  it('gives every event the position that reading $all finds it at', async () => {
    const stream = fresh();
    const { position } = await server.client.appendToStream(stream, events(4));
    const inStream = await collect(server.client.readStream(stream));
    expect(inStream.at(-1)?.event?.position).toEqual(position);
    for (const { event: seen } of inStream) {
      const [found] = await collect(server.client.readAll({ fromPosition: seen?.position ?? START, maxCount: 1 }));
      expect(found?.event?.id).toBe(seen?.id);
    }
  });

  it('reads long streams whole, in order, in both directions', async () => {
    const stream = fresh();
    for (let n = 0; n < 20; n++) await server.client.appendToStream(stream, events(250));
    expect(await read(stream)).toEqual(upTo(5_000));
    expect(await read(stream, { direction: 'backwards', fromRevision: END })).toEqual(upTo(5_000).reverse());
  });

  it('resolves links to what is still there, and only when asked to', async () => {
    const [stream, links] = [fresh(), fresh()];
    await server.client.appendToStream(stream, events(3));
    await server.client.appendToStream(links, [link(0, stream), link(99, stream), link(0, 'gone'), event('plain')]);
    const resolved = await collect(server.client.readStream(links, { resolveLinkTos: true }));
    expect(resolved.map((one) => [one.link?.revision, one.event?.streamId, one.event?.revision])).toEqual([
      [0n, stream, 0n],
      [1n, undefined, undefined],
      [2n, undefined, undefined],
      [undefined, links, 3n],
    ]);
    const plain = await collect(server.client.readStream(links));
    expect(plain.map((one) => one.link)).toEqual([undefined, undefined, undefined, undefined]);
    await server.client.deleteStream(stream);
    const [first] = await collect(server.client.readStream(links, { resolveLinkTos: true, maxCount: 1 }));
    expect(first?.event).toBeUndefined();
  });

  it('stops when the reader stops, and serves the next one', async () => {
    const stream = fresh();
    for (let n = 0; n < 10; n++) await server.client.appendToStream(stream, events(200));
    for await (const { event: seen } of server.client.readStream(stream)) if (seen?.revision === 5n) break;
    expect(await read(stream, { maxCount: 1 })).toEqual([0]);
  });
});
