import { type DeductionState } from '../kernel/charging.js';
import { type Recorded, type StoredEvent } from '../kernel/events.js';
import { BatchLoader } from '../kernel/batch-loader.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type ReadOptions } from '../platform/eventstore/event-store.js';
import { type CreditEvent } from './domain/credits.events.js';

/** What lies further back is looked for by readings of its own, which may be long, so that nobody waits for the past of others. */
const RECENT_EVENTS = 20_000n;
/** How long a request waits to learn how far the stream has come, milliseconds; without it only a later reading is longer. */
const REACHED_BUDGET_MS = 300;

type Limits = Pick<ReadOptions, 'maxCount' | 'budgetMs'>;

/**
 * What became of the deductions of one credit stream. One reading, from the end backwards, serves all who asked before it
 * began: after a time in which the store did not answer thousands ask at once, and a reading for each would keep the store
 * from ever answering again. How far back is bounded by revision: clocks may be set back.
 */
export class DeductionStates {
  private readonly recent = new BatchLoader((questions: Questions) => this.read(questions), { maxBatch: Infinity });
  private readonly old = new BatchLoader((questions: Questions) => this.read(questions), { maxBatch: Infinity });
  private lastRead = -1n;

  constructor(
    private readonly backwards: (limits?: Limits) => AsyncIterable<readonly StoredEvent[]>,
    /** A revision that the stream is known to have reached; -1: none is known. */
    private readonly known: () => bigint,
  ) {}

  /** Whether nobody waits for an answer, so that it may be forgotten. */
  get idle(): boolean {
    return this.recent.idle && this.old.idle;
  }

  /** Nothing up to the revision `after` speaks of the deduction. Rejects with what the reading failed with. */
  of(deductionId: string, after: bigint): Promise<DeductionState> {
    const lookup = after < this.latest - RECENT_EVENTS ? this.old : this.recent;
    return lookup.get(`${deductionId} ${after}`, { deductionId, after });
  }

  /** A revision that the stream has reached; -1: it is empty, or the store does not tell now. Never rejects with Unavailable. */
  async reached(): Promise<bigint> {
    if (this.latest === -1n) {
      try {
        for await (const page of this.backwards({ maxCount: 1, budgetMs: REACHED_BUDGET_MS })) this.note(page[0]);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
      }
    }
    return this.latest;
  }

  /** A position in the log that all of these deductions lie behind; -1 where one of them is not in the stream. */
  async positionBefore(deductionIds: ReadonlySet<string>): Promise<bigint> {
    const sought = new Set(deductionIds);
    for await (const page of this.backwards()) {
      for (const event of page as readonly Recorded<CreditEvent>[]) {
        // An account that was carried forward names what is open too, but later.
        if (event.type !== 'CreditsDeducted.v1') continue;
        if (sought.delete(event.data.deductionId) && sought.size === 0) return event.position - 1n;
      }
    }
    return -1n;
  }

  private get latest(): bigint {
    const known = this.known();
    return known > this.lastRead ? known : this.lastRead;
  }

  /** The last event that a reading found: earlier than before where the log was put back. */
  private note(last: StoredEvent | undefined): void {
    this.lastRead = last?.revision ?? -1n;
  }

  /** Read backwards, the first event that speaks of a deduction is the last word. */
  private async read(questions: Questions): Promise<ReadonlyMap<string, DeductionState>> {
    const states = new Map<string, DeductionState>();
    const sought = new Set([...questions.values()].map(({ deductionId }) => deductionId));
    const after = [...questions.values()].map((question) => question.after).reduce(min);
    let pages = 0;
    for await (const page of this.backwards()) {
      if (pages++ === 0) this.note(page[0]);
      for (const event of page as readonly Recorded<CreditEvent>[]) {
        for (const [deductionId, state] of mentioned(event)) {
          if (sought.delete(deductionId)) states.set(deductionId, state);
        }
      }
      const last = page.at(-1);
      if (sought.size === 0 || (last !== undefined && last.revision <= after)) break;
    }
    if (pages === 0) this.note(undefined);
    return new Map([...questions].map(([id, { deductionId }]) => [id, states.get(deductionId) ?? 'unknown']));
  }
}

type Questions = ReadonlyMap<string, { readonly deductionId: string; readonly after: bigint }>;

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** The deductions that an event speaks of, and what became of them by it. */
const mentioned = (event: CreditEvent): readonly (readonly [string, DeductionState])[] => {
  switch (event.type) {
    case 'OperationCharged.v1':
      return [[event.data.chargeId, 'settled']];
    case 'ChargeReversed.v1':
      return [[event.data.chargeId, 'refunded']];
    case 'CreditsDeducted.v1':
      return [[event.data.deductionId, 'open']];
    case 'DeductionsSettled.v1':
      return event.data.deductionIds.map((deductionId) => [deductionId, 'settled']);
    case 'DeductionRefunded.v1':
      return [[event.data.deductionId, 'refunded']];
    case 'BalanceCarriedForward.v1':
      return event.data.open.map(({ deductionId }) => [deductionId, 'open']);
    // `default` is for what a newer version appends.
    case 'CreditsPurchased.v1':
    case 'CreditsAdjusted.v1':
    default:
      return [];
  }
};
