import { createServer as createTlsServer } from 'node:tls';
import { readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { constants } from 'node:http2';
import { type AddressInfo } from 'node:net';
import { newUuid } from '../../src/kernel/ids.js';
import { StoreUnavailable } from '@kyc/esdb-client/events';
import { AppendChannel } from '@kyc/esdb-client/append-channel';
import { readConnectionString } from '@kyc/esdb-client/connection-settings';
import { Http2Appends } from '@kyc/esdb-client/http2-appends';
import { Http2Connection } from '@kyc/esdb-client/http2-connection';
import { NodeClient } from '@kyc/esdb-client/node-client';
import { Status } from '@kyc/esdb-wire/status';
import { certificateFolder, localCertificateFolder } from '../support/certificate.js';
import { ScriptedStore } from '../support/faults/scripted-store.js';
import { Wire } from '../support/faults/wire.js';
import { eventually } from '../support/processes.js';

/** Milliseconds that no test waits for. */
const LONG_BUDGET_MS = 60_000;

const event = (data: unknown = {}) => ({
  id: newUuid(),
  type: 'Happened.v1',
  data,
  metadata: {
    $correlationId: 'c',
    actor: { type: 'system' as const, id: 's' },
    time: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
  },
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const startStore = async (options?: Parameters<typeof ScriptedStore.start>[0]): Promise<ScriptedStore> => {
  const store = await ScriptedStore.start(options);
  closers.push(() => store.die());
  return store;
};

/** A channel as the adapter makes it; `ports`: where each connection goes, the last one for all further. */
const channelTo = (
  connectionString: string,
  { stallMs = LONG_BUDGET_MS, ports = [] as number[] } = {},
): AppendChannel => {
  const settings = readConnectionString(connectionString);
  const client = new NodeClient(settings);
  const resolve = async (): Promise<string> => {
    const port = ports.length > 1 ? ports.shift() : ports[0];
    return port === undefined ? client.endpoint() : `127.0.0.1:${port}`;
  };
  const connection = new Http2Connection({ settings, resolve, connectionName: () => client.connectionName });
  const channel = new AppendChannel(new Http2Appends(connection), { stallMs });
  closers.push(
    () => client.close(),
    () => channel.close(),
  );
  return channel;
};

const clear = (port: number, user = ''): string => `esdb://${user}127.0.0.1:${port}?tls=false&connectionName=ledger`;

const append = (channel: AppendChannel, budgetMs = LONG_BUDGET_MS) => channel.append('a-1', [event()], 4n, budgetMs);

const received = (store: ScriptedStore, call: number, requests: number): Promise<boolean> =>
  eventually('the requests', () => store.call(call).requests.length === requests);

const written = (revision: number) => ({ kind: 'written', revision: BigInt(revision), position: BigInt(revision) });

const metadataOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(StoreUnavailable);
  return String((error as StoreUnavailable).cause);
};

describe('the append connection', () => {
  it('says what the official client would say, and carries all appends over one call', async () => {
    const store = await startStore();
    const channel = channelTo(clear(store.port, 'admin:changeit@'));
    const appends = [append(channel), append(channel), append(channel)];
    await received(store, 0, 3);
    store.call(0).answer(2, 0, 1);
    expect(await Promise.all(appends)).toEqual([written(0), written(1), written(2)]);
    expect([store.sessions.length, store.calls.length]).toEqual([1, 1]);
    expect(store.call(0).headers).toMatchObject({
      ':method': 'POST',
      ':path': '/event_store.client.streams.Streams/BatchAppend',
      'content-type': 'application/grpc',
      te: 'trailers',
      'connection-name': 'ledger',
      'requires-leader': 'true',
      authorization: `Basic ${Buffer.from('admin:changeit').toString('base64')}`,
    });
  });

  it('sends what a store that died in the middle of a batch left unanswered again, and nothing else', async () => {
    const store = await startStore();
    const channel = channelTo(clear(store.port));
    const appends = [append(channel), append(channel)];
    await received(store, 0, 2);
    store.call(0).answer(0);
    await appends[0];
    const { port } = store;
    await store.die();
    const successor = await startStore({ port });
    await received(successor, 0, 1);
    expect(successor.call(0).requests).toEqual([store.call(0).requests[1]]);
    successor.call(0).answer(0);
    expect(await appends[1]).toEqual(written(0));
  });

  it('sends everything again where half an answer came', async () => {
    const store = await startStore();
    const outcome = append(channelTo(clear(store.port)));
    await received(store, 0, 1);
    const reply = store.call(0).successOf(0, 7);
    store.call(0).send(reply.subarray(0, reply.length - 3));
    store.sessions[0]?.destroy();
    await received(store, 1, 1);
    expect(store.call(1).requests).toEqual(store.call(0).requests);
    store.call(1).answer(0);
    expect(await outcome).toEqual(written(0));
  });

  it('puts an answer together that comes in pieces', async () => {
    const store = await startStore();
    const channel = channelTo(clear(store.port));
    const appends = [append(channel), append(channel)];
    await received(store, 0, 2);
    const replies = Buffer.concat([store.call(0).successOf(1), store.call(0).successOf(0)]);
    for (const byte of replies) {
      store.call(0).send(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(appends)).toEqual([written(0), written(1)]);
  });

  it('moves to a new connection when the store says goodbye, and still takes the answers of the old one', async () => {
    const store = await startStore();
    const channel = channelTo(clear(store.port));
    const early = append(channel);
    await received(store, 0, 1);
    store.sessions[0]?.goaway(constants.NGHTTP2_NO_ERROR, 2 ** 31 - 1);
    await eventually('the goodbye', async () => {
      void append(channel).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 25));
      return store.calls.length === 2;
    });
    store.call(0).answer(0);
    expect(await early).toEqual(written(0));
    expect(store.call(1).requests).not.toContainEqual(store.call(0).requests[0]);
  });

  it('connects anew when the store throws it out', async () => {
    const store = await startStore();
    const outcome = append(channelTo(clear(store.port)));
    await received(store, 0, 1);
    store.sessions[0]?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    await received(store, 1, 1);
    expect(store.sessions).toHaveLength(2);
    store.call(1).answer(0);
    expect(await outcome).toEqual(written(0));
  });

  it('leaves a connection on which nothing arrives any more, though nobody told it', async () => {
    const store = await startStore();
    const wires = [await Wire.to(store.port), await Wire.to(store.port)];
    closers.push(() => wires.forEach((wire) => wire.stop()));
    const channel = channelTo(clear(store.port), { stallMs: 200, ports: wires.map(({ port }) => port) });
    const first = append(channel);
    await received(store, 0, 1);
    store.call(0).answer(0);
    await first;
    wires[0]?.cut();
    const outcome = append(channel);
    await received(store, 1, 1);
    store.call(1).answer(0);
    expect(await outcome).toEqual(written(0));
    expect(store.call(1).stream.session).not.toBe(store.call(0).stream.session);
  });

  it('leaves a call that is silent on a connection that lives', async () => {
    const store = await startStore();
    const outcome = append(channelTo(clear(store.port), { stallMs: 300 }));
    await received(store, 1, 1);
    expect(store.call(1).requests).toEqual(store.call(0).requests);
    store.call(1).answer(0);
    expect(await outcome).toEqual(written(0));
  });

  it('gives a call up whose answer is larger than any can be', async () => {
    const store = await startStore();
    const outcome = append(channelTo(clear(store.port)));
    await received(store, 0, 1);
    store.call(0).send(Buffer.from([0, 0x7f, 0xff, 0xff, 0xff]));
    await received(store, 1, 1);
    store.call(1).answer(0);
    expect(await outcome).toEqual(written(0));
  });

  it('turns to the leader that another node names', async () => {
    const [follower, leader] = [await startStore(), await startStore()];
    const outcome = append(channelTo(clear(follower.port)));
    await received(follower, 0, 1);
    follower.call(0).refuse(5, {
      exception: 'not-leader',
      'leader-endpoint-host': '127.0.0.1',
      'leader-endpoint-port': String(leader.port),
    });
    await received(leader, 0, 1);
    expect(leader.call(0).requests).toEqual(follower.call(0).requests);
    leader.call(0).answer(0);
    expect(await outcome).toEqual(written(0));
  });

  it('may be left at any moment of its opening', async () => {
    const store = await startStore();
    const events = { message: () => undefined, ended: () => undefined };
    const connectionName = () => 'ledger';
    const resolve = () => Promise.resolve(`127.0.0.1:${store.port}`);
    const settings = readConnectionString(clear(store.port));
    for (let round = 0; round < 100; round += 1) {
      const connection = new Http2Connection({ settings, resolve, connectionName, windowBytes: 2 ** 20 });
      const call = connection.call('/any', events);
      for (let turn = 0; turn < round % 5; turn += 1) await new Promise((next) => setImmediate(next));
      connection.disconnect();
      await Promise.allSettled([call]);
    }
    const connection = new Http2Connection({ settings, resolve, connectionName, windowBytes: 2 ** 20 });
    closers.push(() => connection.disconnect());
    const before = store.calls.length;
    await connection.call('/any', events);
    await eventually('the call', () => store.calls.length > before);
  });

  it.each<[string, (store: ScriptedStore) => void, RegExp]>([
    [
      'credentials that are wrong',
      (store) => store.call(0).refuse(Status.unauthenticated, { 'grpc-message': 'wrong%3A 100 %25' }),
      /wrong: 100 %/,
    ],
    ['a proxy that has no store', (store) => store.call(0).respond({ ':status': 503 }), /HTTP status 503/],
  ])('says what stood in the way where it was %s', async (_, refuse, reason) => {
    const store = await startStore();
    const outcome = metadataOf(append(channelTo(clear(store.port)), 2_000));
    await received(store, 0, 1);
    refuse(store);
    // Those after the first are answered by nobody.
    expect(await outcome).toMatch(reason);
  });
});

describe('the append connection under TLS', () => {
  const { folder, certFile, keyFile } = localCertificateFolder();
  const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['127.0.0.1', 'localhost'])(
    'trusts the authority of the connection string for %s, and says who it is',
    async (host) => {
      const store = await startStore({ tls });
      const channel = channelTo(`esdb://admin:p%40ss@${host}:${store.port}?tlsCAFile=${encodeURIComponent(certFile)}`);
      const outcome = append(channel);
      await received(store, 0, 1);
      expect(store.call(0).headers.authorization).toBe(`Basic ${Buffer.from('admin:p@ss').toString('base64')}`);
      store.call(0).answer(0);
      expect(await outcome).toEqual(written(0));
    },
  );

  it('trusts nobody else, as the official client', async () => {
    const store = await startStore({ tls });
    expect(await metadataOf(append(channelTo(`esdb://127.0.0.1:${store.port}`), 2_000))).toMatch(/self-signed/);
    expect(store.calls).toHaveLength(0);
  });

  it('does not take the certificate of another host, whoever vouches for it', async () => {
    const other = certificateFolder();
    closers.push(() => rmSync(other.folder, { recursive: true }));
    const store = await startStore({ tls: { cert: readFileSync(other.certFile), key: readFileSync(other.keyFile) } });
    const channel = channelTo(`esdb://127.0.0.1:${store.port}?tlsCAFile=${encodeURIComponent(other.certFile)}`);
    expect(await metadataOf(append(channel, 2_000))).toMatch(/does not match certificate/);
    expect(store.calls).toHaveLength(0);
  });

  it('speaks to no server that agrees to less than HTTP/2', async () => {
    const server = createTlsServer(tls, (socket) => socket.on('error', () => undefined));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const channel = channelTo(`esdb://127.0.0.1:${port}?tlsCAFile=${encodeURIComponent(certFile)}`);
    expect(await metadataOf(append(channel, 500))).toMatch(/HTTP\/2/);
  });
});
