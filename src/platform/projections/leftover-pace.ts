/** Share of the time for which the event loop may be busy, all in all, before background work rests longer. */
const BUSY = 0.75;
/** Rest for each millisecond of work: where it begins, and where it ends, so that the work keeps ahead of a busy log. */
const FIRST_REST = 0.5;
const LONGEST_REST = 6;

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

/** How long background work rests between its pieces, so that it takes what requests leave: much at night, little at noon. */
export class LeftoverPace {
  /** Rest for each millisecond of work. */
  private rest = 0;

  constructor(private readonly utilisation = loopUtilisation()) {}

  /** Milliseconds to rest after a piece that took so many. */
  after(took: number): number {
    if (this.utilisation() > BUSY) this.rest = Math.min(Math.max(2 * this.rest, FIRST_REST), LONGEST_REST);
    else this.rest = this.rest > FIRST_REST ? this.rest / 2 : 0;
    return took * this.rest;
  }
}
