import { type Clock } from '../../kernel/clock.js';

/** Weight of the old estimate after each quicker append. */
const MEMORY = 0.8;
const MARGIN = 1.2;

/** Estimates how long appends to one stream take, so that no append is sent whose answer would come too late. */
export class LatencyBudget {
  private expectedMs = 0;

  constructor(private readonly clock: Clock) {}

  /** Runs the append and learns from its duration. */
  async timed<Result>(append: () => Promise<Result>): Promise<Result> {
    const begun = this.clock.monotonic();
    try {
      const result = await append();
      this.answeredAfter(this.clock.monotonic() - begun);
      return result;
    } catch (error) {
      // A failure shows only that an answer takes at least this long.
      this.expectedMs = Math.max(this.clock.monotonic() - begun, this.expectedMs);
      throw error;
    }
  }

  /**
   * The commands with enough time left for an append that begins at `now`, in order. If none has enough, the one with
   * the most time. Without it, nothing would show that appends are quick again. Empty only if every deadline has
   * passed.
   */
  inTime<Waiting extends { readonly deadline: number }>(waiting: readonly Waiting[], now: number): Waiting[] {
    const earliest = now + this.expectedMs * MARGIN;
    const enough = waiting.filter(({ deadline }) => deadline > earliest);
    if (enough.length > 0) return enough;
    let latest: Waiting | undefined;
    for (const one of waiting) if (one.deadline > (latest?.deadline ?? now)) latest = one;
    return latest === undefined ? [] : [latest];
  }

  /**
   * A slower append raises the estimate at once; quicker ones lower it gradually. A late answer costs more than an
   * append not sent.
   */
  private answeredAfter(ms: number): void {
    this.expectedMs = Math.max(ms, this.expectedMs * MEMORY + ms * (1 - MEMORY));
  }
}
