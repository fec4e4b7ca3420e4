import pLimit from 'p-limit';
import { type Decider, type DomainEvent } from '../../src/kernel/decider.js';
import { systemClock } from '../../src/kernel/clock.js';
import { newUuid } from '../../src/kernel/ids.js';
import { refuse } from '../../src/kernel/rejection.js';
import { GroupCommit, type GroupCommitOptions } from '../../src/log/append/group-commit.js';
import { type SnapshotCodec } from '../../src/log/append/stream-load.js';
import { type SimulatedEventStore } from './simulated-event-store.js';

/** A purse: the smallest aggregate that can be overdrawn. */
export type Moved = DomainEvent<'Moved', { readonly id: string; readonly amount: number }>;
export interface Move {
  readonly id: string;
  /** A negative amount takes money. Zero only reads. */
  readonly amount: number;
}
export interface Purse {
  readonly balance: number;
}

export const purse: Decider<Purse, Move, Moved> = {
  initialState: () => ({ balance: 0 }),
  decide: (move, state) => {
    if (move.amount === 0) return [];
    if (state.balance + move.amount < 0) throw refuse('insufficient_credits');
    return [{ type: 'Moved', data: { id: move.id, amount: move.amount } }];
  },
  evolve: (state, event) => ({ balance: state.balance + event.data.amount }),
};

export const writer = (
  store: SimulatedEventStore,
  snapshots?: SnapshotCodec<Purse>,
  changes: Partial<GroupCommitOptions<Purse, Move, Moved>> = {},
): GroupCommit<Purse, Move, Moved> =>
  new GroupCommit<Purse, Move, Moved>({
    stream: 'purse-1',
    store,
    clock: systemClock,
    decider: purse,
    draft: (state) => state,
    weigh: () => 100,
    loads: pLimit(1),
    toNewEvent: (event) => ({
      id: newUuid(),
      type: event.type,
      data: event.data,
      metadata: { $correlationId: 'c', actor: { type: 'system', id: 's' }, time: '', schemaVersion: 1 },
    }),
    ...(snapshots === undefined ? {} : { snapshots }),
    ...changes,
  });

export const moves = (store: SimulatedEventStore): Move[] =>
  (store.streams.get('purse-1') ?? []).map((event) => event.data as Move);
