import { randomUUID } from 'node:crypto';
import {
  type AppendExpectedRevision,
  binaryEvent,
  EventStoreDBClient,
  type EventData,
  jsonEvent,
  type JSONType,
  type ReadStreamOptions,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { type EventStoreNode, startEventStoreNode } from '../../src/node.js';
import { jest } from '@jest/globals';
import { readConnectionString } from '@kyc/esdb-client/connection-settings';
import { NodeClient } from '@kyc/esdb-client/node-client';
import { createDatabase } from '../../../../test/support/postgres.js';

jest.setTimeout(60_000);

/** The server under contract: the one of EVENTSTORE_URL, or an embedded node on a fresh database. */
export interface Server {
  readonly client: EventStoreDBClient;
  /** The same without batch append. Clients with credentials of their own use it this way. */
  readonly unary: EventStoreDBClient;
  readonly url: string;
  stop(): Promise<void>;
}

export const REAL_SERVER = process.env['EVENTSTORE_URL'];

/** Of the server under contract, for example 25. The embedded node answers as 23.10 does. */
export const majorVersion = async (url: string): Promise<number> => {
  const client = new NodeClient(readConnectionString(url));
  try {
    return Number.parseInt((await client.server()).split(' ')[1] ?? '', 10);
  } finally {
    await client.close();
  }
};

/** Cases for the embedded node only, since they bypass its protocol. */
export const describeEmbedded = REAL_SERVER === undefined ? describe : describe.skip;

export const connect = (url: string): EventStoreDBClient => EventStoreDBClient.connectionString(url);

/** The client asks the server whether it supports batch appends. This client believes that it does not. */
export const connectUnary = (url: string): EventStoreDBClient =>
  Object.assign(connect(url), { supports: () => Promise.resolve(false) });

export async function startServer(): Promise<Server> {
  const node: EventStoreNode | undefined =
    REAL_SERVER === undefined ? await startEventStoreNode({ databaseUrl: await createDatabase(), port: 0 }) : undefined;
  const url = node?.connectionString ?? REAL_SERVER ?? '';
  const client = connect(url);
  const unary = connectUnary(url);
  const stop = async () => {
    await Promise.all([client.dispose(), unary.dispose()]);
    await node?.stop();
  };
  return { client, unary, url, stop };
}

export const fresh = (name = 's'): string => `${name}${randomUUID().slice(0, 8)}-x`;

export const event = (type = 'tested', data: JSONType = { n: 1 }, id: string = randomUUID()): EventData =>
  jsonEvent({ id, type, data });

export const events = (count: number, type = 'tested'): EventData[] =>
  Array.from({ length: count }, (_, n) => event(type, { n }));

export const bytesEvent = (size: number): EventData => binaryEvent({ type: 'bytes', data: Buffer.alloc(size, 120) });

export const link = (revision: number, stream: string): EventData =>
  binaryEvent({ type: '$>', data: Buffer.from(`${revision}@${stream}`) });

export async function collect(reading: AsyncIterable<ResolvedEvent>): Promise<ResolvedEvent[]> {
  const seen: ResolvedEvent[] = [];
  for await (const resolved of reading) seen.push(resolved);
  return seen;
}

export const revisionsOf = (resolved: readonly ResolvedEvent[]): number[] =>
  resolved.map((one) => Number((one.link ?? one.event)?.revision));

/** The revisions that a read of a stream gives. */
export const readRevisions = async (
  client: EventStoreDBClient,
  stream: string,
  options: ReadStreamOptions = {},
): Promise<number[]> => revisionsOf(await collect(client.readStream(stream, options)));

/** The error of a rejected promise, with the fields that an application can use. */
export async function failureOf(work: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await work;
  } catch (error) {
    const { type, streamName, expectedVersion, actualVersion, maxAppendSize } = error as Record<string, unknown>;
    const fields = { type, streamName, expectedVersion, actualVersion, maxAppendSize };
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  }
  throw new Error('it was expected to fail');
}

export const expecting = (expectedRevision: AppendExpectedRevision) => ({ expectedRevision });
