import { type SnapshotFormat, type StreamDecider } from '../../kernel/category.js';
import { type IdentityCommand } from './identity.commands.js';
import { type IdentityEvent } from './identity.events.js';
import { identityDecider, type Identity } from './identity.js';

/** Revisions of events that are read again. Their contents stay in the stream alone. */
export interface NotableEvents {
  /** Revision of the present record, in this life. */
  readonly record: bigint | null;
  /** Revision of the decision to erase. Null once the erasure is complete. */
  readonly decision: bigint | null;
  /** Revision of the last completed erasure, of any life. */
  readonly erasure: bigint | null;
}

/** An identity's state from its stream. */
export interface IdentityHistory {
  readonly identity: Identity;
  readonly at: NotableEvents;
}

/**
 * The identity in a snapshot: ids, times and states, no envelope. A change of its shape or of `evolve` needs a new
 * version.
 */
interface KeptIdentity {
  readonly identity: Omit<Identity, 'lastApplied'>;
  readonly lastApplied: { readonly position: string; readonly recordIndex: number } | null;
  readonly at: Readonly<Record<keyof NotableEvents, string | null>>;
}

const text = (value: bigint | null): string | null => value?.toString() ?? null;
const number = (value: string | null): bigint | null => (value === null ? null : BigInt(value));

const notable = (at: NotableEvents, type: IdentityEvent['type'], revision: bigint): NotableEvents => {
  switch (type) {
    case 'IdentityIngested.v1':
    case 'IdentityUpdated.v1':
      return { ...at, record: revision };
    case 'IdentityErasureDecided.v1':
      return { ...at, decision: revision };
    case 'IdentityErased.v1':
      return { record: null, decision: null, erasure: revision };
    // `default` covers event types of newer versions.
    case 'IdentityVerified.v1':
    case 'IdentityFlagged.v1':
    case 'IdentityExpiring.v1':
    case 'IdentityExpired.v1':
    case 'IdentityDeleted.v1':
    case 'ErasureProposed.v1':
    case 'ErasureRejected.v1':
    case 'IdentityRestored.v1':
    default:
      return at;
  }
};

const nothingNotable: NotableEvents = { record: null, decision: null, erasure: null };

export const identityHistory: StreamDecider<IdentityHistory, IdentityCommand, IdentityEvent> = {
  initialState: () => ({ identity: identityDecider.initialState(), at: nothingNotable }),
  decide: (command, { identity }) => identityDecider.decide(command, identity),
  evolve: ({ identity, at }, event) => ({
    identity: identityDecider.evolve(identity, event),
    at: notable(at, event.type, event.revision),
  }),
};

export const identitySnapshots: SnapshotFormat<IdentityHistory> = {
  version: 'identity.4',
  encode: ({ identity: { lastApplied, ...identity }, at }): KeptIdentity => ({
    identity,
    lastApplied: lastApplied && { ...lastApplied, position: lastApplied.position.toString() },
    at: { record: text(at.record), decision: text(at.decision), erasure: text(at.erasure) },
  }),
  decode: ({ identity, lastApplied, at }: KeptIdentity) => ({
    identity: { ...identity, lastApplied: lastApplied && { ...lastApplied, position: BigInt(lastApplied.position) } },
    at: { record: number(at.record), decision: number(at.decision), erasure: number(at.erasure) },
  }),
  // The last snapshot is removed with the data keys. No new one is made before the erasure is complete.
  isKept: ({ identity }) => identity.phase !== 'erasing',
};
