import { unimplemented } from './protocol/absent.js';
import { randomUUID } from 'node:crypto';
import { connectionStringOf, type Credentials } from './credentials.js';
import { GrpcServer, type Handler } from './grpc/server.js';
import { EventLog } from './log/event-log.js';
import { authenticated } from './protocol/authentication.js';
import { batchAppend } from './protocol/batch-append.js';
import { gossip, supportedMethods } from './protocol/discovery.js';
import { asGrpcError } from './protocol/failures.js';
import { append, deleteStream } from './protocol/single-writes.js';
import { read } from './reading/handler.js';

export interface EventStoreNodeOptions {
  /** The node's own database. The node creates a missing one. */
  readonly databaseUrl: string;
  /** 0 means any free port. The node listens on loopback only. */
  readonly port: number;
  /** Required of every client. Absent: none are required. */
  readonly credentials?: Credentials | undefined;
  /** Called when the node cannot continue because another one has taken the database. */
  readonly onFatal?: (error: Error) => void;
}

export interface EventStoreNode {
  readonly port: number;
  readonly connectionString: string;
  /** Finishes accepted work, ends open calls and closes the connections to the database. */
  readonly stop: () => Promise<void>;
}

/** Starts a node that speaks EventStoreDB's protocol with its log in Postgres. */
export async function startEventStoreNode(options: EventStoreNodeOptions): Promise<EventStoreNode> {
  const log = await EventLog.open(options.databaseUrl, options.onFatal ?? (() => undefined));
  let port = options.port;
  const { credentials } = options;
  const all = handlers(log, () => port);
  const server = new GrpcServer(
    credentials === undefined ? all : authenticated(all, OPEN_TO_ALL, credentials),
    asGrpcError,
    unimplemented,
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
  return { port, connectionString: connectionStringOf(port, credentials), stop };
}

const SERVER_FEATURES = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';
const GOSSIP = '/event_store.client.gossip.Gossip/Read';

/** Clients call these before they know their server. EventStoreDB answers them without credentials too. */
const OPEN_TO_ALL = new Set([SERVER_FEATURES, GOSSIP]);

function handlers(log: EventLog, port: () => number): ReadonlyMap<string, Handler> {
  const streams = '/event_store.client.streams.Streams';
  return new Map<string, Handler>([
    [`${streams}/BatchAppend`, batchAppend(log)],
    [`${streams}/Append`, append(log)],
    [`${streams}/Delete`, deleteStream(log, 'soft-delete')],
    [`${streams}/Tombstone`, deleteStream(log, 'tombstone')],
    [`${streams}/Read`, read(log)],
    [SERVER_FEATURES, supportedMethods],
    [GOSSIP, gossip(randomUUID(), port)],
  ]);
}
