import { randomUUID } from 'node:crypto';
import { GrpcServer, type Handler } from './grpc/server.js';
import { EventLog } from './log/event-log.js';
import { batchAppend } from './protocol/batch-append.js';
import { gossip, supportedMethods } from './protocol/discovery.js';
import { asGrpcError } from './protocol/failures.js';
import { append, deleteStream } from './protocol/single-writes.js';
import { read } from './reading/handler.js';

export interface EventStoreNodeOptions {
  /** A database of its own, created when missing. */
  readonly databaseUrl: string;
  /** 0: any free port. Loopback only. */
  readonly port: number;
  /** Called when the node cannot go on: another one has taken the database. */
  readonly onFatal?: (error: Error) => void;
}

export interface EventStoreNode {
  readonly port: number;
  readonly connectionString: string;
  /** Finishes what was accepted, ends open calls and leaves the database. */
  readonly stop: () => Promise<void>;
}

/** Starts a node that speaks EventStoreDB's protocol with its log in Postgres. */
export async function startEventStoreNode(options: EventStoreNodeOptions): Promise<EventStoreNode> {
  const log = await EventLog.open(options.databaseUrl, options.onFatal ?? (() => undefined));
  let port = options.port;
  const server = new GrpcServer(
    handlers(log, () => port),
    asGrpcError,
  );
  try {
    port = await server.listen(options.port);
  } catch (error) {
    await log.close();
    throw error;
  }
  const stop = async () => {
    await log.drain();
    await server.close();
    await log.close();
  };
  return { port, connectionString: `esdb://127.0.0.1:${port}?tls=false`, stop };
}

function handlers(log: EventLog, port: () => number): ReadonlyMap<string, Handler> {
  const streams = '/event_store.client.streams.Streams';
  return new Map<string, Handler>([
    [`${streams}/BatchAppend`, batchAppend(log)],
    [`${streams}/Append`, append(log)],
    [`${streams}/Delete`, deleteStream(log, 'soft-delete')],
    [`${streams}/Tombstone`, deleteStream(log, 'tombstone')],
    [`${streams}/Read`, read(log)],
    ['/event_store.client.server_features.ServerFeatures/GetSupportedMethods', supportedMethods],
    ['/event_store.client.gossip.Gossip/Read', gossip(randomUUID(), port)],
  ]);
}
