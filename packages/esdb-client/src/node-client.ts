import { EventStoreDBClient, type SingleNodeOptions } from '@eventstore/db-client';
import { Channel, type ChannelCredentials, credentials } from '@grpc/grpc-js';
import { type ConnectionSettings } from './connection-settings.js';
import { findLeader, isCluster } from './leader-search.js';

/** A call that a hung node does not release ends with the closing of the connection. */
const MAX_CLOSE_MS = 1_000;

const CHANNEL_OPTIONS = {
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  // A node that returns is found again within this time, however long it was away.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 500,
  // A renewed connection must not inherit the hung one.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.max_receive_message_length': 17 * 1024 * 1024,
};

const channelCredentials = ({ tls }: ConnectionSettings): ChannelCredentials =>
  tls.insecure === true
    ? credentials.createInsecure()
    : credentials.createSsl(tls.rootCertificate, tls.userKeyFile, tls.userCertFile);

/**
 * The official client with a channel of our own. The client's own channel reconnects only after its back-off, which
 * grows to minutes. It chooses the leader by the gossip of all nodes at once.
 */
export class NodeClient extends EventStoreDBClient {
  private channel: Promise<Channel> | undefined;
  private search: Promise<string> | undefined;

  constructor(private readonly settings: ConnectionSettings) {
    // The three shapes of membership are overloads of one constructor.
    super(settings.membership as SingleNodeOptions, settings.tls, settings.credentials);
    const { authorization } = settings;
    if (authorization === undefined) return;
    const argumentsOf = this.callArguments;
    this.callArguments = (base, callOptions) => {
      const [metadata, options] = argumentsOf(base, callOptions);
      metadata.set('authorization', authorization);
      return [metadata, options];
    };
  }

  /**
   * Disables batch appends of the official client. Its batches share one table in the process. The end of one client's
   * stream fails the appends of all others. An answer to one of those ends the process.
   */
  protected override supports = (): Promise<boolean> => Promise.resolve(false);

  protected override getChannel = (): Promise<Channel> => {
    this.channel ??= this.resolveUri().then(
      (uri) => new Channel(uri, channelCredentials(this.settings), CHANNEL_OPTIONS),
    );
    return this.channel;
  };

  /** The official client asks one node of a cluster after the other, 5 s each. */
  protected override resolveUri = (): Promise<string> => {
    const { membership } = this.settings;
    if (!isCluster(membership)) {
      const { endpoint } = membership;
      return Promise.resolve(typeof endpoint === 'string' ? endpoint : `${endpoint.address}:${endpoint.port}`);
    }
    this.search ??= findLeader(membership, channelCredentials(this.settings)).finally(() => (this.search = undefined));
    return this.search;
  };

  /** Whether the leader of a cluster is looked for. */
  get searching(): boolean {
    return this.search !== undefined;
  }

  /** Name and version of the server. EventStoreDB has been called KurrentDB since version 25. */
  async server(): Promise<string> {
    const { serverVersion } = await this.capabilities;
    return `${Number.parseInt(serverVersion, 10) >= 25 ? 'KurrentDB' : 'EventStoreDB'} ${serverVersion}`;
  }

  /** Host and port of the node that calls should use now. */
  endpoint(): Promise<string> {
    return this.resolveUri();
  }

  /** Cancels every call and closes the connection. */
  async close(): Promise<void> {
    const channel = this.channel;
    const cancelled = this.dispose();
    await Promise.race([cancelled, new Promise((resolve) => setTimeout(resolve, MAX_CLOSE_MS).unref())]);
    (await channel?.catch(() => undefined))?.close();
  }
}
