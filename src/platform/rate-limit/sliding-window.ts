import { type Limits, type Verdict } from '../../kernel/rate-limits.js';
import { type Allowance } from './rate-limiter.js';

export const MINUTE = 60_000;
export const SECOND = 1_000;

/** Two buckets: the counts of the present window and of the one before. `index` is the window's number since 1970. */
export interface Buckets {
  readonly index: number;
  readonly current: number;
  readonly previous: number;
}

export interface Counters {
  readonly minute: Buckets;
  readonly second: Buckets;
}

export const NOTHING_COUNTED: Counters = {
  minute: { index: 0, current: 0, previous: 0 },
  second: { index: 0, current: 0, previous: 0 },
};

const rolled = (buckets: Buckets, now: number, length: number): Buckets => {
  const index = Math.floor(now / length);
  if (index === buckets.index) return buckets;
  return { index, current: 0, previous: index === buckets.index + 1 ? buckets.current : 0 };
};

/** Estimated count of the last `length` milliseconds. The previous window counts in proportion to its overlap. */
const used = ({ index, current, previous }: Buckets, now: number, length: number): number =>
  current + previous * (1 - (now - index * length) / length);

/** Milliseconds until one more request fits under `limit`, if no other is counted meanwhile. */
const waitFor = ({ index, current, previous }: Buckets, now: number, length: number, limit: number): number => {
  const end = (index + 1) * length;
  const free = limit - 1;
  if (current <= free) return Math.max(0, end - ((free - current) / previous) * length - now);
  return end + (1 - free / current) * length - now;
};

export const roll = (counters: Counters, now: number): Counters => ({
  minute: rolled(counters.minute, now, MINUTE),
  second: rolled(counters.second, now, SECOND),
});

export const judge = ({ minute, second }: Counters, now: number, limits: Limits): Verdict => {
  if (used(minute, now, MINUTE) + 1 > limits.perMinute) return 'rate_limited';
  return used(second, now, SECOND) + 1 > limits.perSecond ? 'burst_exceeded' : 'allowed';
};

const counted = (buckets: Buckets): Buckets => ({ ...buckets, current: buckets.current + 1 });

export const count = ({ minute, second }: Counters): Counters => ({ minute: counted(minute), second: counted(second) });

const retryAfter = (verdict: Verdict, { minute, second }: Counters, now: number, limits: Limits): number => {
  if (verdict === 'allowed') return 0;
  const wait =
    verdict === 'rate_limited'
      ? waitFor(minute, now, MINUTE, limits.perMinute)
      : waitFor(second, now, SECOND, limits.perSecond);
  return Math.max(1, Math.ceil(wait / SECOND));
};

/** The reported allowance, from the counters after the verdict. */
export const allowanceOf = (verdict: Verdict, counters: Counters, now: number, limits: Limits): Allowance => ({
  verdict,
  limit: limits.perMinute,
  remaining: Math.max(0, Math.floor(limits.perMinute - used(counters.minute, now, MINUTE))),
  resetAt: ((counters.minute.index + 1) * MINUTE) / SECOND,
  retryAfter: retryAfter(verdict, counters, now, limits),
});
