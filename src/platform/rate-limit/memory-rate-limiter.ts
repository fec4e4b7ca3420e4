import { BoundedMap } from '../../kernel/bounded-map.js';
import { type Clock } from '../../kernel/clock.js';
import { type Limits } from '../http/request-context.js';
import { type Allowance, RateLimiter, type Subject } from './rate-limiter.js';
import { allowanceOf, count, type Counters, judge, MINUTE, NOTHING_COUNTED, roll } from './sliding-window.js';

/** Limits the memory to about 15 MB. */
const MAX_SUBJECTS_OF_A_KIND = 50_000;

/** Counts in this process alone, in limited memory. Beyond the limit it drops the oldest subject of the kind. */
export class MemoryRateLimiter extends RateLimiter {
  private readonly counters: Readonly<Record<Subject['kind'], Map<string, Counters>>> = {
    account: new BoundedMap(MAX_SUBJECTS_OF_A_KIND),
    operator: new BoundedMap(MAX_SUBJECTS_OF_A_KIND),
    address: new BoundedMap(MAX_SUBJECTS_OF_A_KIND),
    key: new BoundedMap(MAX_SUBJECTS_OF_A_KIND),
    session: new BoundedMap(MAX_SUBJECTS_OF_A_KIND),
  };
  private sweptAt = 0;

  constructor(private readonly clock: Clock) {
    super();
  }

  override take(subject: Subject, limits: Limits): Allowance {
    const now = this.clock.now().getTime();
    this.sweep(now);
    const known = this.counters[subject.kind];
    const before = roll(known.get(subject.id) ?? NOTHING_COUNTED, now);
    const verdict = judge(before, now, limits);
    if (verdict !== 'allowed') return allowanceOf(verdict, before, now, limits);
    const after = count(before);
    known.set(subject.id, after);
    return allowanceOf(verdict, after, now, limits);
  }

  override peek(subject: Subject, limits: Limits): Allowance {
    const now = this.clock.now().getTime();
    const counters = roll(this.counters[subject.kind].get(subject.id) ?? NOTHING_COUNTED, now);
    return allowanceOf(judge(counters, now, limits), counters, now, limits);
  }

  override health(): Promise<'up'> {
    return Promise.resolve('up');
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }

  /** Once a minute, drops the subjects without a request in the last two windows. */
  private sweep(now: number): void {
    if (now - this.sweptAt < MINUTE) return;
    this.sweptAt = now;
    const oldest = Math.floor(now / MINUTE) - 1;
    for (const known of Object.values(this.counters)) {
      for (const [id, { minute }] of known) if (minute.index < oldest) known.delete(id);
    }
  }
}
