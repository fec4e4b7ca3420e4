import { lookup } from 'node:dns/promises';
import { type EndPoint } from '@eventstore/db-client';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { type ChannelCredentials, Metadata } from '@grpc/grpc-js';
import { type Membership } from './connection-settings.js';

/** Milliseconds that a node has to name the leader. A frozen one still accepts connections. */
const ANSWERED_WITHIN = 1_000;
/** Milliseconds between two rounds while no node names a leader: an election is under way. */
const BETWEEN_ROUNDS = 100;

type Cluster = Exclude<Membership, { readonly endpoint: unknown }>;

export const isCluster = (membership: Membership): membership is Cluster => !('endpoint' in membership);

const candidatesOf = async (cluster: Cluster): Promise<readonly string[]> => {
  if ('endpoints' in cluster) return cluster.endpoints.map(({ address, port }) => `${address}:${port}`);
  const { address, port } = cluster.discover;
  const found = await lookup(address, { all: true });
  return found.map((host) => `${host.family === 6 ? `[${host.address}]` : host.address}:${port}`);
};

/** The leader, as this node sees it. Undefined while it knows none. */
const leaderIn = (cluster: ClusterInfo): string | undefined => {
  const leader = cluster
    .getMembersList()
    .find((member) => member.getIsAlive() && member.getState() === gossip.MemberInfo.VNodeState.LEADER);
  const endpoint: EndPoint | undefined = leader?.getHttpEndPoint()?.toObject();
  return endpoint && `${endpoint.address}:${endpoint.port}`;
};

const leaderBy = (candidate: string, credentials: ChannelCredentials): Promise<string | undefined> => {
  const client = new GossipClient(candidate, credentials, {});
  const deadline = Date.now() + ANSWERED_WITHIN;
  return new Promise((resolve) => {
    client.read(new shared.Empty(), new Metadata(), { deadline }, (error, cluster) => {
      client.close();
      resolve(error === null ? leaderIn(cluster) : undefined);
    });
  });
};

/** Resolves with the leader that most candidates name, as soon as those that are asked still cannot change that. */
const mostNamed = (names: readonly Promise<string | undefined>[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    const votes = new Map<string, number>();
    let unanswered = names.length;
    if (unanswered === 0) resolve(undefined);
    const ranked = (): readonly (readonly [string, number])[] => [...votes].sort(([, one], [, other]) => other - one);
    const count = (name: string | undefined): void => {
      unanswered -= 1;
      if (name !== undefined) votes.set(name, (votes.get(name) ?? 0) + 1);
      const [first, second] = ranked();
      if (unanswered === 0 || (first?.[1] ?? 0) > (second?.[1] ?? 0) + unanswered) resolve(first?.[0]);
    };
    for (const name of names) void name.then(count);
  });

/**
 * Host and port of the leader of a cluster. All candidates are asked at once, so that one that hangs costs no time. Rejects after
 * `maxDiscoverAttempts` rounds (10) without a leader.
 */
export const findLeader = async (cluster: Cluster, credentials: ChannelCredentials): Promise<string> => {
  const { maxDiscoverAttempts: rounds = 10, discoveryInterval: pause = BETWEEN_ROUNDS } = cluster;
  let cause: unknown;
  for (let round = 0; round < rounds; round += 1) {
    const candidates = await candidatesOf(cluster).catch((error: unknown) => {
      cause = error;
      return [];
    });
    const leader = await mostNamed(candidates.map((candidate) => leaderBy(candidate, credentials)));
    if (leader !== undefined) return leader;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error(`no node of the event store's cluster named a leader in ${rounds} rounds`, { cause });
};
