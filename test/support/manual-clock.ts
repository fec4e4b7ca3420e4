import { type Clock } from '../../src/kernel/clock.js';

/** A clock that only the test moves. */
export class ManualClock implements Clock {
  private elapsed = 0;

  constructor(private wall = Date.parse('2026-03-01T12:00:00.000Z')) {}

  now(): Date {
    return new Date(this.wall);
  }

  monotonic(): number {
    return this.elapsed;
  }

  advance(milliseconds: number): void {
    this.wall += milliseconds;
    this.elapsed += milliseconds;
  }

  /** Sets the wall clock. The monotonic clock is unchanged. */
  set(time: Date): void {
    this.wall = time.getTime();
  }
}
