/** Busy share of the event loop above which background work rests longer. */
const BUSY = 0.75;
/** Milliseconds of rest per millisecond of work: the first step and the maximum. Work must finish, so there is a maximum. */
const FIRST_REST = 0.5;
const MAX_REST = 4;
/**
 * Limit of a rest, however long a piece took. A piece may have waited. Pieces of 2,000 events must also be faster than
 * new events.
 */
const MAX_REST_MS = 500;

/** Returns the busy share of the event loop since the previous call. */
const loopUtilisation = (): (() => number) => {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
};

/** Paces background work by rests between its pieces. It uses only the time that the rest of the process leaves. */
export class IdleThrottle {
  /** Milliseconds of rest per millisecond of work. */
  private rest = 0;

  constructor(private readonly utilisation = loopUtilisation()) {}

  /** Milliseconds to rest after a piece that took `took` milliseconds. Call it after each piece. */
  restAfter(took: number): number {
    if (this.utilisation() > BUSY) this.rest = Math.min(Math.max(2 * this.rest, FIRST_REST), MAX_REST);
    else this.rest = this.rest > FIRST_REST ? this.rest / 2 : 0;
    return Math.min(took * this.rest, MAX_REST_MS);
  }
}
