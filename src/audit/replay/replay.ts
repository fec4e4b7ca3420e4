import { type AuditEntries } from '../../kernel/access.js';
import { type StoredEvent } from '../../kernel/events.js';
import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type ReplayFilter, ReplaySelection } from './replay-selection.js';

export interface ReplayParts {
  readonly store: EventStore;
  readonly categories: CategoryRegistry;
  readonly entries: AuditEntries;
}

/** Where identities are named with their hashes: a replay of one learns the hash by which audit entries name it. */
const IDENTITY_BEGINS = { streamPrefixes: ['identity-'], eventTypes: ['IdentityIngested.v1'] } as const;

const hashOfIdentity = async (store: EventStore, wanted: string, signal: AbortSignal): Promise<string | undefined> => {
  for await (const events of store.readAll({ ...IDENTITY_BEGINS, signal })) {
    const people = events.map(({ data }) => data as { identityId: string; identityHash: string });
    const found = people.find(({ identityId }) => identityId === wanted);
    if (found !== undefined) return found.identityHash;
  }
  return undefined;
};

const withHash = async (store: EventStore, filter: ReplayFilter, signal: AbortSignal): Promise<ReplayFilter> => {
  const { identityId, identityHash } = filter.person ?? {};
  if (identityId === undefined || identityHash !== undefined) return filter;
  return { ...filter, person: { identityId, identityHash: await hashOfIdentity(store, identityId, signal) } };
};

export interface ReplayExtent {
  /** Goes on with what happens now, until `signal` aborts. */
  readonly follow: boolean;
  /** The position after which it begins; default the oldest event. */
  readonly after?: bigint | undefined;
  readonly signal: AbortSignal;
}

/** The chosen events, read from the log itself, in its order. Memory does not grow with the log. Throws Unavailable. */
export async function* replayedEvents(
  { store, categories, entries }: ReplayParts,
  filter: ReplayFilter,
  { follow, after, signal }: ReplayExtent,
): AsyncGenerator<StoredEvent> {
  const selection = new ReplaySelection(await withHash(store, filter, signal), entries);
  const streamPrefixes = categories.categories.map(({ name }) => name);
  const end = new AbortController();
  try {
    const until = AbortSignal.any([signal, end.signal]);
    for await (const page of store.subscribeToAllInPages({ streamPrefixes, after, signal: until })) {
      for (const delivery of page) {
        if (delivery.kind === 'caught_up' && !follow) return;
        if (delivery.kind === 'event' && (await selection.takes(delivery.event))) yield delivery.event;
      }
    }
  } finally {
    end.abort();
  }
}
