import { type Clock } from '../../src/kernel/clock.js';

/** Time that moves when a test says so. */
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

  /** As somebody does who sets the wall clock: the other one goes on. */
  set(time: Date): void {
    this.wall = time.getTime();
  }
}
