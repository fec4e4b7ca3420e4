import { persistentSubscriptionToStreamSettingsFromDefaults, streamNameFilter } from '@eventstore/db-client';
import { Client, credentials } from '@grpc/grpc-js';
import { collect, describeEmbedded, event, failureOf, fresh, type Server, startServer } from './server.js';

const STREAMS = '/event_store.client.streams.Streams';
const INVALID_ARGUMENT = 3;
/** ReadReq { options { all { start } subscription uuid_option { string } } }. */
const SUBSCRIPTION_TO_ALL = Buffer.from('0a0a1202120032004a021200', 'hex');

describeEmbedded('a call that cannot be', () => {
  let server: Server;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  /** The status of a call with these requests. */
  async function statusOf(method: string, requests: readonly Buffer[]): Promise<number> {
    const raw = new Client(new URL(server.url.replace('esdb', 'http')).host, credentials.createInsecure());
    const pass = (bytes: Buffer) => bytes;
    const call = raw.makeBidiStreamRequest(`${STREAMS}/${method}`, pass, pass, { deadline: Date.now() + 5_000 });
    call.on('error', () => undefined).resume();
    for (const request of requests) call.write(request);
    call.end();
    const status = await new Promise<number>((resolve) => call.on('status', ({ code }) => resolve(code)));
    raw.close();
    return status;
  }

  it.each(['Read', 'Delete', 'Tombstone', 'Append'])('is answered where %s ends without a request', async (method) => {
    expect(await statusOf(method, [])).toBe(INVALID_ARGUMENT);
  });

  it('is answered where Read has more requests than one', async () => {
    expect(await statusOf('Read', [SUBSCRIPTION_TO_ALL, SUBSCRIPTION_TO_ALL])).toBe(INVALID_ARGUMENT);
  });

  it('says in a sentence what the node has not, and what to do instead', async () => {
    const { client } = server;
    const calls: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
      [
        () =>
          client.createPersistentSubscriptionToStream(
            fresh(),
            'g',
            persistentSubscriptionToStreamSettingsFromDefaults(),
          ),
        /no persistent subscriptions: subscribe/,
      ],
      [() => client.createProjection('p', 'fromAll()'), /no projections/],
    ];
    for (const [call, sentence] of calls) await expect(call()).rejects.toThrow(sentence);
  });

  it.each(['ü😀', 'ž/@', 'plain %41'])('tells the client of %s by an error that it survives', async (name) => {
    const stream = fresh(name);
    const streamName = name.startsWith('plain') ? stream : encodeURIComponent(stream);
    const refused = { type: 'wrong-expected-version', streamName };
    expect(await failureOf(server.client.deleteStream(stream, { expectedRevision: 99n }))).toMatchObject(refused);
    await server.client.appendToStream(stream, event());
    await server.client.tombstoneStream(stream);
    const deleted = { type: 'stream-deleted', streamName };
    expect(await failureOf(server.client.tombstoneStream(stream))).toMatchObject(deleted);
    expect((await failureOf(collect(server.client.readStream(stream))))['type']).toBe('stream-deleted');
  });

  it.each(['('.repeat(200_000), '😀('.repeat(1_000)])(
    'keeps the connection where its filter is wrong and long',
    async (regex) => {
      const running = server.client.subscribeToAll({ fromPosition: 'end' });
      const failed = new Promise<Error>((resolve) => running.on('error', resolve));
      const filtered = server.client.subscribeToAll({ filter: streamNameFilter({ regex }) });
      const error = await new Promise<Error>((resolve) => filtered.on('error', resolve));
      expect(error.message).toMatch(/regular expression/);
      expect(error.message.length).toBeLessThan(2_000);
      await server.client.appendToStream(fresh(), event());
      await running.unsubscribe();
      expect(await Promise.race([failed, Promise.resolve('none')])).toBe('none');
    },
  );
});
