import { type Clock } from '../../kernel/clock.js';

/** What remains of the memory of a slow append after each quicker one. */
const MEMORY = 0.8;
const MARGIN = 1.2;

/** What appends to one stream take of late, so that none is sent whose answer would come too late for who asked. */
export class LatencyBudget {
  private expectedMs = 0;

  constructor(private readonly clock: Clock) {}

  /** Carries an append out and learns from the time it takes. */
  async timed<Result>(append: () => Promise<Result>): Promise<Result> {
    const begun = this.clock.monotonic();
    try {
      const result = await append();
      this.answeredAfter(this.clock.monotonic() - begun);
      return result;
    } catch (error) {
      // A failure tells only that the answer takes longer than this.
      this.expectedMs = Math.max(this.clock.monotonic() - begun, this.expectedMs);
      throw error;
    }
  }

  /**
   * Those who have time enough left for an append begun `now`, in their order. Where nobody has, the one with most time,
   * since only an append tells whether appends are quick again. Empty only where every deadline has passed.
   */
  inTime<Waiting extends { readonly deadline: number }>(waiting: readonly Waiting[], now: number): Waiting[] {
    const earliest = now + this.expectedMs * MARGIN;
    const enough = waiting.filter(({ deadline }) => deadline > earliest);
    if (enough.length > 0) return enough;
    let latest: Waiting | undefined;
    for (const one of waiting) if (one.deadline > (latest?.deadline ?? now)) latest = one;
    return latest === undefined ? [] : [latest];
  }

  /** Slower counts at once, quicker by and by: who is sent too late costs more than who is not sent. */
  private answeredAfter(ms: number): void {
    this.expectedMs = Math.max(ms, this.expectedMs * MEMORY + ms * (1 - MEMORY));
  }
}
