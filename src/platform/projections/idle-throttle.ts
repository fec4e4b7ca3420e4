/** Share of the time for which the event loop may be busy, all in all, before background work rests longer. */
const BUSY = 0.75;
/** Rest for each millisecond of work: where it begins, and where it ends, since the work has an end to reach. */
const FIRST_REST = 0.5;
const LONGEST_REST = 4;
/** However long a piece took: it may have waited, and pieces of 2,000 events have to come faster than new events do. */
const LONGEST_REST_MS = 500;

/** Tells, each time that it is asked, for which share of the time since then the event loop was busy. */
const loopUtilisation = (): (() => number) => {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
};

/** How long background work rests between its pieces, so that it takes what the rest of the process leaves: much at night, less at noon. */
export class IdleThrottle {
  /** Rest for each millisecond of work. */
  private rest = 0;

  constructor(private readonly utilisation = loopUtilisation()) {}

  /** Milliseconds to rest after a piece that took so many; asked after each piece. */
  restAfter(took: number): number {
    if (this.utilisation() > BUSY) this.rest = Math.min(Math.max(2 * this.rest, FIRST_REST), LONGEST_REST);
    else this.rest = this.rest > FIRST_REST ? this.rest / 2 : 0;
    return Math.min(took * this.rest, LONGEST_REST_MS);
  }
}
