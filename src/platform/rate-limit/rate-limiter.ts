import { type Limits, type Subject, type Verdict } from '../../kernel/rate-limits.js';

export interface Allowance {
  readonly verdict: Verdict;
  /** Requests per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** The end of the present window, in Unix seconds. */
  readonly resetAt: number;
  /** Seconds until a request would be allowed; 0 if this one is. */
  readonly retryAfter: number;
}

/** A sliding window of one minute, and one of a second for bursts. Refused requests do not count. Never throws. */
export abstract class RateLimiter {
  /** Judges a request and counts it if it is allowed. */
  abstract take(subject: Subject, limits: Limits): Allowance | Promise<Allowance>;
  /** Judges without counting. */
  abstract peek(subject: Subject, limits: Limits): Allowance | Promise<Allowance>;
  /** `degraded` while each instance counts for itself because Redis does not answer. */
  abstract health(): Promise<'up' | 'degraded'>;
  abstract close(): Promise<void>;
}

/** The limits of a caller with `perMinute` requests per minute. A burst is a quarter of it in one second, at least 10. */
export const limitsOf = (perMinute: number): Limits => ({
  perMinute,
  perSecond: Math.max(10, Math.floor(perMinute / 4)),
});
