import { type DeductionState } from '../kernel/charging.js';
import { type Clock, CLOCK_SLACK_MS } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { MergedLookup } from '../kernel/merged-lookup.js';
import { type CreditEvent } from './domain/credits.events.js';

/** What is older is looked for by readings of its own, which may be long, so that nobody waits for the past of others. */
const RECENT_MS = 300_000;

/**
 * What became of the deductions of one credit stream. One reading, from the end backwards, serves all who asked before it
 * began: after a time in which the store did not answer thousands ask at once, and a reading for each would keep the store
 * from ever answering again.
 */
export class DeductionStates {
  private readonly recent = new MergedLookup((questions: Questions) => this.read(questions), Infinity);
  private readonly old = new MergedLookup((questions: Questions) => this.read(questions), Infinity);

  constructor(
    private readonly backwards: () => AsyncIterable<readonly StoredEvent[]>,
    private readonly clock: Clock,
  ) {}

  /** Whether nobody waits for an answer, so that it may be forgotten. */
  get idle(): boolean {
    return this.recent.idle && this.old.idle;
  }

  /** Nothing before `since` speaks of the deduction. Rejects with what the reading failed with. */
  of(deductionId: string, since: Date): Promise<DeductionState> {
    const lookup = this.clock.now().getTime() - since.getTime() > RECENT_MS ? this.old : this.recent;
    return lookup.get(`${deductionId} ${since.getTime()}`, { deductionId, earliest: since.getTime() - CLOCK_SLACK_MS });
  }

  /** Read backwards, the first event that speaks of a deduction is the last word. */
  private async read(questions: Questions): Promise<ReadonlyMap<string, DeductionState>> {
    const states = new Map<string, DeductionState>();
    const sought = new Set<string>();
    let earliest = Infinity;
    for (const question of questions.values()) {
      sought.add(question.deductionId);
      earliest = Math.min(earliest, question.earliest);
    }
    for await (const page of this.backwards()) {
      for (const stored of page) {
        for (const [deductionId, state] of mentioned(stored as unknown as CreditEvent)) {
          if (sought.delete(deductionId)) states.set(deductionId, state);
        }
      }
      const last = page.at(-1);
      if (sought.size === 0 || (last !== undefined && last.created.getTime() < earliest)) break;
    }
    return new Map([...questions].map(([id, { deductionId }]) => [id, states.get(deductionId) ?? 'unknown']));
  }
}

type Questions = ReadonlyMap<string, { readonly deductionId: string; readonly earliest: number }>;

/** The deductions that an event speaks of, and what became of them by it. */
const mentioned = (event: CreditEvent): readonly (readonly [string, DeductionState])[] => {
  switch (event.type) {
    case 'CreditsDeducted.v1':
      return [[event.data.deductionId, 'open']];
    case 'DeductionsSettled.v1':
      return event.data.deductionIds.map((deductionId) => [deductionId, 'settled']);
    case 'DeductionRefunded.v1':
      return [[event.data.deductionId, 'refunded']];
    case 'BalanceCarriedForward.v1':
      return event.data.open.map(({ deductionId }) => [deductionId, 'open']);
    default:
      return [];
  }
};
