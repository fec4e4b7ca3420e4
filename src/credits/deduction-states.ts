import { type DeductionState } from '../kernel/charging.js';
import { type StoredEvent } from '../kernel/events.js';
import { type CreditEvent } from './domain/credits.events.js';

/** Instances' clocks differ; a stream is read back this much further than a deduction's own time. */
const CLOCK_SLACK_MS = 60_000;

interface Question {
  readonly deductionId: string;
  /** Nothing before this time, milliseconds since 1970, speaks of the deduction. */
  readonly earliest: number;
  readonly resolve: (state: DeductionState) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * What became of the deductions of one credit stream. One reading, from the end backwards, serves all who asked before it
 * began: after a time in which the store did not answer thousands ask at once, and a reading for each would keep the store
 * from ever answering again.
 */
export class DeductionStates {
  private waiting: Question[] = [];
  private running = false;

  constructor(private readonly backwards: () => AsyncIterable<readonly StoredEvent[]>) {}

  /** Whether nobody waits for an answer, so that it may be forgotten. */
  get idle(): boolean {
    return !this.running;
  }

  /** Rejects with what the reading failed with. */
  of(deductionId: string, since: Date): Promise<DeductionState> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ deductionId, earliest: since.getTime() - CLOCK_SLACK_MS, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  /** Never rejects: a reading that fails is the answer of those whom it was for. */
  private async run(): Promise<void> {
    this.running = true;
    // Who asks in the same turn of the event loop shares the first reading.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const asked = this.waiting;
      this.waiting = [];
      try {
        const states = await this.read(asked);
        for (const { deductionId, resolve } of asked) resolve(states.get(deductionId) ?? 'unknown');
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    this.running = false;
  }

  /** Read backwards, the first event that speaks of a deduction is the last word. */
  private async read(asked: readonly Question[]): Promise<ReadonlyMap<string, DeductionState>> {
    const states = new Map<string, DeductionState>();
    const sought = new Set(asked.map(({ deductionId }) => deductionId));
    const earliest = Math.min(...asked.map((question) => question.earliest));
    for await (const page of this.backwards()) {
      for (const stored of page) {
        for (const [deductionId, state] of mentioned(stored as unknown as CreditEvent)) {
          if (sought.delete(deductionId)) states.set(deductionId, state);
        }
        if (sought.size === 0 || stored.created.getTime() < earliest) return states;
      }
    }
    return states;
  }
}

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
