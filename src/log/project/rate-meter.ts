import { type Clock } from '../../kernel/clock.js';

const SECONDS = 10;

/** Events per second over the last ten seconds. */
export class RateMeter {
  private readonly buckets = new Map<number, number>();

  constructor(private readonly clock: Clock) {}

  add(count: number): void {
    const second = this.second();
    this.buckets.set(second, (this.buckets.get(second) ?? 0) + count);
    for (const old of this.buckets.keys()) if (old < second - SECONDS) this.buckets.delete(old);
  }

  perSecond(): number {
    const second = this.second();
    let total = 0;
    for (const [bucket, count] of this.buckets) if (bucket < second && bucket >= second - SECONDS) total += count;
    return total / SECONDS;
  }

  private second(): number {
    return Math.floor(this.clock.monotonic() / 1_000);
  }
}
