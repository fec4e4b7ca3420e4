import { EventStoreDBClient } from '@eventstore/db-client';
import { Client, credentials, Metadata, type StatusObject } from '@grpc/grpc-js';
import { newUuid } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type EventStoreClient } from '../../src/platform/config/config.js';
import { credentialsWith } from '@kyc/event-store-node/credentials';
import { type EventStoreNode, startEventStoreNode } from '@kyc/event-store-node/node';
import { readConnectionString } from '@kyc/esdb-client/connection-settings';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { NodeClient } from '@kyc/esdb-client/node-client';
import { createDatabase } from '../support/postgres.js';
import {
  collect,
  connectUnary,
  describeEmbedded,
  event,
  failureOf,
  fresh,
  readRevisions,
} from '../../packages/event-store-node/test/contract/server.js';

const STREAMS = '/event_store.client.streams.Streams';
const PROTECTED = ['Append', 'BatchAppend', 'Delete', 'Tombstone', 'Read'].map((method) => `${STREAMS}/${method}`);
const OPEN = [
  '/event_store.client.server_features.ServerFeatures/GetSupportedMethods',
  '/event_store.client.gossip.Gossip/Read',
];
/** ReadReq { options { all { start } subscription uuid_option { string } } }. */
const SUBSCRIPTION_TO_ALL = Buffer.from('0a0a1202120032004a021200', 'hex');

const OK = 0;
const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

const PASSWORD = 'correct horse: battery@staple';
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const RIGHT = basic(`admin:${PASSWORD}`);

const WRONG = {
  'another password': basic(`admin:${PASSWORD}x`),
  'a password of the same length': basic(`admin:${PASSWORD.toUpperCase()}`),
  'a part of the password': basic(`admin:${PASSWORD.slice(0, -1)}`),
  'an empty password': basic('admin:'),
  'another user': basic(`root:${PASSWORD}`),
  'no user': basic(`:${PASSWORD}`),
};
const NONE = {
  nothing: undefined,
  'an empty header': '',
  'a scheme alone': 'Basic',
  'another scheme': `Bearer ${RIGHT.slice(6)}`,
  'no separator': basic(`admin ${PASSWORD.replace(':', ' ')}`),
  'what is not base64': 'Basic ???',
  'the credentials in the clear': `Basic admin:${PASSWORD}`,
};

describeEmbedded('a node that asks for credentials', () => {
  let node: EventStoreNode;
  let raw: Client;

  beforeAll(async () => {
    const databaseUrl = await createDatabase();
    node = await startEventStoreNode({ databaseUrl, port: 0, credentials: credentialsWith(PASSWORD) });
    raw = new Client(`127.0.0.1:${node.port}`, credentials.createInsecure());
  });
  afterAll(async () => {
    raw.close();
    await node.stop();
  });

  /** How a call ends that says `authorization` and sends these requests. */
  const statusOf = (
    path: string,
    authorization: string | undefined,
    requests: readonly Buffer[] = [],
  ): Promise<StatusObject> => {
    const metadata = new Metadata();
    if (authorization !== undefined) metadata.set('authorization', authorization);
    const pass = (bytes: Buffer) => bytes;
    const options = { deadline: Date.now() + (requests.length > 0 ? 1_000 : 5_000) };
    const call = raw.makeBidiStreamRequest(path, pass, pass, metadata, options);
    call.on('error', () => undefined).resume();
    for (const request of requests) call.write(request);
    if (requests.length === 0) call.end();
    return new Promise((resolve) => call.on('status', resolve));
  };
  const codeOf = async (...call: Parameters<typeof statusOf>) => (await statusOf(...call)).code;

  it.each(PROTECTED)('denies %s to whoever says none, as the real server does', async (path) => {
    for (const header of Object.values(NONE)) {
      const { code, details, metadata } = await statusOf(path, header);
      expect([header, code, details]).toEqual([header, PERMISSION_DENIED, 'Access Denied']);
      expect(metadata.get('exception')).toEqual(['access-denied']);
    }
  });

  it.each([...PROTECTED, ...OPEN])('does not take wrong ones for %s', async (path) => {
    for (const header of Object.values(WRONG))
      expect([header, await codeOf(path, header)]).toEqual([header, UNAUTHENTICATED]);
  });

  it.each(PROTECTED)('takes the right ones for %s', async (path) => {
    expect([PERMISSION_DENIED, UNAUTHENTICATED]).not.toContain(await codeOf(path, RIGHT));
  });

  it.each(OPEN)('answers %s to everybody who says nothing wrong', async (path) => {
    for (const header of [...Object.values(NONE), RIGHT]) expect(await codeOf(path, header)).toBe(OK);
  });

  it('begins no subscription without them', async () => {
    expect(await codeOf(`${STREAMS}/Read`, undefined, [SUBSCRIPTION_TO_ALL])).toBe(PERMISSION_DENIED);
    expect(await codeOf(`${STREAMS}/Read`, RIGHT, [SUBSCRIPTION_TO_ALL])).toBe(DEADLINE_EXCEEDED);
  });

  it('asks for them with every call of a connection', async () => {
    const codes: number[] = [];
    for (const header of [RIGHT, undefined, RIGHT, WRONG['another password'], RIGHT]) {
      codes.push(await codeOf(`${STREAMS}/BatchAppend`, header));
    }
    expect(codes).toEqual([OK, PERMISSION_DENIED, OK, UNAUTHENTICATED, OK]);
  });

  describe.each([
    ['of the official client, which says none without TLS', (url: string) => EventStoreDBClient.connectionString(url)],
    ['with a wrong password', (url: string) => new NodeClient(readConnectionString(url.replace('staple', 'maple')))],
  ])('is for a call %s', (_, open) => {
    const denied = { type: 'access-denied' };
    let client: EventStoreDBClient;
    beforeAll(() => {
      client = open(node.connectionString);
    });
    afterAll(() => client.dispose());

    it.each<[string, (stream: string) => Promise<unknown>]>([
      ['append', (stream) => client.appendToStream(stream, event())],
      ['delete', (stream) => client.deleteStream(stream)],
      ['tombstone', (stream) => client.tombstoneStream(stream)],
      ['read', (stream) => collect(client.readStream(stream))],
      ['read of $all', () => collect(client.readAll({ maxCount: 1 }))],
      ['metadata', (stream) => client.setStreamMetadata(stream, { maxCount: 1 })],
      ['subscription', (stream) => collect(client.subscribeToStream(stream))],
      ['subscription to $all', () => collect(client.subscribeToAll())],
    ])('the error of a denied %s', async (_method, call) => {
      expect(await failureOf(call(fresh()))).toEqual(denied);
    });
  });

  it('is for a single append of the official client the error of a denied one', async () => {
    const unary = connectUnary(node.connectionString);
    expect(await failureOf(unary.appendToStream(fresh(), event()))).toEqual({ type: 'access-denied' });
    await unary.dispose();
  });

  it.each<EventStoreClient>(['direct', 'official'])(
    'takes appends of the service through its %s client',
    async (client) => {
      const open = (connectionString: string) => new GrpcEventStore({ connectionString, client, budgetMs: 1_000 });
      const right = open(node.connectionString);
      const wrong = open(node.connectionString.replace('staple', 'maple'));
      const metadata = { $correlationId: 'c', actor: { type: 'system', id: 's' }, time: '', schemaVersion: 1 } as const;
      const events = [{ id: newUuid(), type: 'tested', data: {}, metadata }];
      const stream = fresh();
      await expect(wrong.append(stream, events, 'no_stream')).rejects.toThrow(Unavailable);
      expect((await right.append(stream, events, 'no_stream', { budgetMs: 10_000 })).revision).toBe(0n);
      await Promise.all([right.close(), wrong.close()]);
    },
  );

  it.each(['esdb://', 'esdb+discover://'])('serves the client that says them, found by %s', async (scheme) => {
    const client = new NodeClient(readConnectionString(node.connectionString.replace('esdb://', scheme)));
    const stream = fresh();
    await client.appendToStream(stream, event());
    await client.setStreamMetadata(stream, { maxCount: 3 });
    const seen = collect(client.subscribeToStream(stream)).catch(() => undefined);
    expect(await readRevisions(client, stream)).toEqual([0]);
    await client.deleteStream(stream);
    await client.close();
    await seen;
  });
});

describeEmbedded('a node that asks for none', () => {
  it('serves whoever says none, and whoever says any', async () => {
    const node = await startEventStoreNode({ databaseUrl: await createDatabase(), port: 0 });
    expect(node.connectionString).toBe(`esdb://127.0.0.1:${node.port}?tls=false`);
    for (const user of ['', 'admin:whatever@']) {
      const client = new NodeClient(readConnectionString(`esdb://${user}127.0.0.1:${node.port}?tls=false`));
      expect((await client.appendToStream(fresh(), event())).success).toBe(true);
      await client.close();
    }
    await node.stop();
  });
});
