import { type DeductionState } from '../kernel/charging.js';
import { type Recorded, type StoredEvent } from '../kernel/events.js';
import { BatchLoader } from '../kernel/batch-loader.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type ReadOptions } from '../platform/eventstore/event-store.js';
import { type CreditEvent } from './domain/credits.events.js';

/** Questions about older events get their own reads. Those may be long, and recent questions must not wait for them. */
const RECENT_EVENTS = 20_000n;
/**
 * Longest wait of a request for the stream's latest revision, milliseconds. Without that revision only a later read
 * takes longer.
 */
const REACHED_BUDGET_MS = 300;

type Limits = Pick<ReadOptions, 'maxCount' | 'budgetMs'>;

/**
 * Tells the states of the deductions of one credit stream. One backward read serves all callers that asked before it
 * began. After an outage of the store thousands ask at once. One read for each would keep the store down. A revision
 * bounds each read, since clocks may be set back.
 */
export class DeductionStates {
  private readonly recent = new BatchLoader((questions: Questions) => this.read(questions), { maxBatch: Infinity });
  private readonly old = new BatchLoader((questions: Questions) => this.read(questions), { maxBatch: Infinity });
  private lastRead = -1n;

  constructor(
    private readonly backwards: (limits?: Limits) => AsyncIterable<readonly StoredEvent[]>,
    /** A revision that the stream is known to have reached. -1 if none is known. */
    private readonly known: () => bigint,
  ) {}

  /** Whether no caller waits for a result, so that this object may be dropped. */
  get idle(): boolean {
    return this.recent.idle && this.old.idle;
  }

  /**
   * The deduction's state. The read ends at the revision `after`, since no earlier event names the deduction. Rejects
   * with the read's error.
   */
  of(deductionId: string, after: bigint): Promise<DeductionState> {
    const lookup = after < this.latest - RECENT_EVENTS ? this.old : this.recent;
    return lookup.get(`${deductionId} ${after}`, { deductionId, after });
  }

  /**
   * A revision that the stream has reached. -1 if it is empty or the store does not respond now. Never rejects with
   * Unavailable.
   */
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

  private get latest(): bigint {
    const known = this.known();
    return known > this.lastRead ? known : this.lastRead;
  }

  /** Notes the last event of a read. Its revision is lower than before if the log was restored from a backup. */
  private note(last: StoredEvent | undefined): void {
    this.lastRead = last?.revision ?? -1n;
  }

  /** In a backward read, the first event that names a deduction gives its present state. */
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

/** The deductions that an event names, with their states after it. */
const mentioned = (event: CreditEvent): readonly (readonly [string, DeductionState])[] => {
  switch (event.type) {
    case 'OperationCharged.v1':
      return [[event.data.chargeId, 'settled']];
    case 'ChargeReversed.v1':
      return [[event.data.chargeId, 'refunded']];
    case 'CreditsDeducted.v1':
      return [[event.data.deductionId, 'open']];
    case 'DeductionSettled.v1':
      return [[event.data.deductionId, 'settled']];
    case 'DeductionRefunded.v1':
      return [[event.data.deductionId, 'refunded']];
    case 'BalanceCarriedForward.v1':
      return event.data.open.map(({ deductionId }) => [deductionId, 'open']);
    case 'CreditsReturned.v1':
      return [[event.data.deductionId, 'returned']];
    // `default` covers event types of newer versions.
    case 'CreditsPurchased.v1':
    case 'CreditsRecharged.v1':
    case 'DebtPaid.v1':
    case 'CreditsReversed.v1':
    case 'CreditsRestored.v1':
    case 'CreditsAdjusted.v1':
    case 'LowBalanceReached.v1':
    case 'KeyCapReached.v1':
    case 'AlertThresholdsFollowed.v1':
    case 'AutoRechargeConfigured.v1':
    case 'AutoRechargeRequested.v1':
    case 'AutoRechargeFailed.v1':
    case 'AutoRechargeSwitchedOff.v1':
    case 'SuspensionFollowed.v1':
    default:
      return [];
  }
};
