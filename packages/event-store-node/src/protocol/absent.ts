import { GrpcError, Status } from '@kyc/esdb-wire/status';

const PACKAGE = '/event_store.client.';

/** By the service in its package, what this node has not, and what to do instead. */
const ABSENT: Readonly<Record<string, string>> = {
  'persistent_subscriptions.PersistentSubscriptions':
    'no persistent subscriptions: subscribe to the stream or to $all, and keep your place yourself',
  'projections.Projections': 'no projections: subscribe to $all with a filter, and write what you need',
  'users.Users': 'one user alone, named admin: its password is EVENTSTORE_PASSWORD',
  'operations.Operations': 'no operations over gRPC: it scavenges by itself, and by the command scavenge',
  'monitoring.Monitoring': 'no statistics',
};

/** What a call gets whose method this node has not. */
export const unimplemented = (path: string): GrpcError => {
  const [service = ''] = path.startsWith(PACKAGE) ? path.slice(PACKAGE.length).split('/') : [];
  const what = ABSENT[service] ?? 'no such method';
  return new GrpcError(Status.unimplemented, `this server has ${what} (${path})`);
};
