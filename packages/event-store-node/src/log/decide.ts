import { type RecentEvent } from './recent-events.js';
import { type Outcome } from './requests.js';
import { ANY, NO_STREAM, STREAM_EXISTS, TOMBSTONED } from './revision.js';

/** A stream's state when a write to it is decided. */
export interface StreamState {
  /** Revision of the last event. -1 without events, TOMBSTONED for a tombstoned stream. */
  readonly revision: number;
  /** The stream has events, or metadata alone. */
  readonly exists: boolean;
  readonly softDeleted: boolean;
}

export type Decision =
  | { readonly kind: 'append' }
  /** The stream holds the same events already. */
  | { readonly kind: 'repeated'; readonly revision: number; readonly position: number }
  | { readonly kind: 'answer'; readonly outcome: Outcome }
  /** The stored events behind the expected revision decide on a repetition: see decideCompared. */
  | { readonly kind: 'compare' };

const answer = (outcome: Outcome): Decision => ({ kind: 'answer', outcome });
const conflict = (state: StreamState) => answer({ kind: 'wrong-expected-revision', actual: state.revision });

/** EventStoreDB's rules for expected revisions and repetitions (IndexWriter.CheckCommit of 23.10). */
export function decide(
  expected: number,
  eventIds: readonly string[],
  state: StreamState,
  find: (eventId: string) => RecentEvent | undefined,
): Decision {
  if (state.revision === TOMBSTONED) return answer({ kind: 'stream-deleted' });
  if (expected === STREAM_EXISTS) {
    if (state.softDeleted) return answer({ kind: 'stream-deleted' });
    if (!state.exists) return conflict(state);
  }
  if (expected === ANY || expected === STREAM_EXISTS) return decideUnversioned(eventIds, state, find);
  if (expected > state.revision) return conflict(state);
  return expected === state.revision ? { kind: 'append' } : { kind: 'compare' };
}

/** The first event decides on a repetition. An append that continues differently after it is a conflict. */
function decideUnversioned(
  eventIds: readonly string[],
  state: StreamState,
  find: (eventId: string) => RecentEvent | undefined,
): Decision {
  let last: RecentEvent | undefined;
  for (const id of eventIds) {
    const earlier = find(id);
    if (earlier === undefined) return last === undefined ? { kind: 'append' } : conflict(state);
    last = earlier;
  }
  return last === undefined ? { kind: 'append' } : { kind: 'repeated', ...last };
}

/** The number of proposed events that stand, in this order, directly behind the expected revision, and the last one's place. */
export interface Comparison {
  readonly matching: number;
  readonly last?: RecentEvent;
}

/** Decides on an append that expects an earlier revision than the stream's. */
export function decideCompared(
  expected: number,
  eventIds: readonly string[],
  state: StreamState,
  { matching, last }: Comparison,
): Decision {
  if (last !== undefined && matching === eventIds.length) return { kind: 'repeated', ...last };
  const begins = matching === 0 && eventIds.length > 0;
  if (begins && expected === NO_STREAM && state.softDeleted) return { kind: 'append' };
  return conflict(state);
}
