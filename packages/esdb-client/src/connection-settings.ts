import { readFileSync } from 'node:fs';
import {
  type ChannelCredentialOptions,
  type Credentials,
  type DNSClusterOptions,
  type EndPoint,
  type GossipClusterOptions,
  LEADER,
  type NodePreference,
  type SingleNodeOptions,
} from '@eventstore/db-client';
import {
  type ConnectionOptions,
  parseConnectionString,
} from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { inTheClientsScheme, problemOfOptions } from './connection-options.js';

export type Membership = DNSClusterOptions | GossipClusterOptions | SingleNodeOptions;

/** The content of a connection string such as `esdb://` or `kurrentdb+discover://`, in the shapes that the client takes. */
export interface ConnectionSettings {
  readonly membership: Membership;
  readonly credentials: Credentials | undefined;
  readonly tls: ChannelCredentialOptions;
  /** The credentials as a header, for a connection without TLS that stays on this machine. The client omits them there. */
  readonly authorization: string | undefined;
}

const LOOPBACK = /^(127\.[0-9.]+|localhost)$/i;

/**
 * The official client sends no credentials without TLS. To servers on this machine it is safe to send them, and the
 * embedded node requires them.
 */
const authorizationOf = ({ tls, hosts, defaultCredentials }: ConnectionOptions): string | undefined => {
  if (tls !== false || defaultCredentials === undefined) return undefined;
  if (!hosts.every(({ address }) => LOOPBACK.test(address))) return undefined;
  const { username, password } = defaultCredentials;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
};

const tlsOf = (options: ConnectionOptions): ChannelCredentialOptions => {
  if (options.tls === false) return { insecure: true };
  if ((options.userCertFile === undefined) !== (options.userKeyFile === undefined)) {
    throw new Error('the event store connection string needs userCertFile and userKeyFile together');
  }
  return {
    ...(options.tlsCAFile === undefined ? {} : { rootCertificate: readFileSync(options.tlsCAFile) }),
    ...(options.userCertFile === undefined ? {} : { userCertFile: readFileSync(options.userCertFile) }),
    ...(options.userKeyFile === undefined ? {} : { userKeyFile: readFileSync(options.userKeyFile) }),
  };
};

const firstHost = (options: ConnectionOptions): EndPoint => {
  const host = options.hosts[0];
  if (host === undefined) throw new Error('the event store connection string names no host');
  return host;
};

/** Only the leader takes appends. Other nodes may return older data than was already answered. */
const checkPreference = ({ nodePreference = LEADER }: ConnectionOptions): void => {
  if (nodePreference === LEADER) return;
  throw new Error(`the event store connection string takes nodePreference=leader only, not ${nodePreference}`);
};

const membershipOf = (options: ConnectionOptions): Membership => {
  const common = {
    ...(options.connectionName === undefined ? {} : { connectionName: options.connectionName }),
    ...(options.defaultDeadline === undefined ? {} : { defaultDeadline: options.defaultDeadline }),
  };
  const discovery = {
    ...common,
    nodePreference: LEADER as NodePreference,
    ...(options.discoveryInterval === undefined ? {} : { discoveryInterval: options.discoveryInterval }),
    ...(options.gossipTimeout === undefined ? {} : { gossipTimeout: options.gossipTimeout }),
    ...(options.maxDiscoverAttempts === undefined ? {} : { maxDiscoverAttempts: options.maxDiscoverAttempts }),
  };
  if (options.dnsDiscover) return { ...discovery, discover: firstHost(options) };
  if (options.hosts.length > 1) return { ...discovery, endpoints: options.hosts };
  return { ...common, endpoint: firstHost(options) };
};

/**
 * Throws on a malformed connection string or an unknown option. Throws also on a node preference other than the leader,
 * and on an unreadable certificate file.
 */
export const readConnectionString = (connectionString: string): ConnectionSettings => {
  const problem = problemOfOptions(connectionString);
  if (problem !== undefined) throw new Error(`the event store connection string ${problem}`);
  const options = parseConnectionString(inTheClientsScheme(connectionString));
  checkPreference(options);
  return {
    membership: membershipOf(options),
    credentials: options.defaultCredentials,
    tls: tlsOf(options),
    authorization: authorizationOf(options),
  };
};
