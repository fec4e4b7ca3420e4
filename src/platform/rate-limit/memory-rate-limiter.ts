import { type Clock } from '../../kernel/clock.js';
import { type Limits, type Subject } from '../../kernel/rate-limits.js';
import { type Allowance, RateLimiter } from './rate-limiter.js';
import { allowanceOf, count, type Counters, judge, MINUTE, NOTHING_COUNTED, roll } from './sliding-window.js';

/** Limits the memory to about 15 MB. */
const MAX_SUBJECTS_OF_A_KIND = 50_000;

/** Subjects that are compared where one has to go. */
const COMPARED = 8;

/** Counts in this process alone, in limited memory. Beyond the limit, of a few old subjects of the kind the one with the fewest requests goes. */
export class MemoryRateLimiter extends RateLimiter {
  private readonly counters: Readonly<Record<Subject['kind'], Map<string, Counters>>> = {
    account: new Map(),
    operator: new Map(),
    address: new Map(),
    key: new Map(),
    look_ups: new Map(),
    session: new Map(),
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
    if (known.size > MAX_SUBJECTS_OF_A_KIND) dropOne(known);
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

/** Those that stay become the newest, so that many subjects with a request each push out no busy one. */
const dropOne = (known: Map<string, Counters>): void => {
  const compared: [id: string, counters: Counters][] = [];
  for (const one of known) if (compared.push(one) === COMPARED) break;
  const requestsOf = ([, { minute }]: [string, Counters]): number => minute.current + minute.previous;
  const least = compared.reduce((one, other) => (requestsOf(other) < requestsOf(one) ? other : one));
  for (const [id, counters] of compared) {
    known.delete(id);
    if (id !== least[0]) known.set(id, counters);
  }
};
