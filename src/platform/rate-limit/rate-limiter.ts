import { type Limits } from '../http/request-context.js';

/** Who is counted: an account over all its keys, an operator, an IP address, or a key of which it is not known whose it is. */
export interface Subject {
  readonly kind: 'account' | 'operator' | 'address' | 'key';
  readonly id: string;
}

export type Verdict = 'allowed' | 'rate_limited' | 'burst_exceeded';

export interface Allowance {
  readonly verdict: Verdict;
  /** Requests a minute. */
  readonly limit: number;
  readonly remaining: number;
  /** When the present window ends, Unix seconds. */
  readonly resetAt: number;
  /** Seconds until a request would be allowed; 0 where this one is. */
  readonly retryAfter: number;
}

/** A sliding window of one minute and one of a second for bursts; refused requests do not count. Never throws. */
export abstract class RateLimiter {
  /** Judges a request and counts it if it is allowed. */
  abstract take(subject: Subject, limits: Limits): Allowance | Promise<Allowance>;
  /** Judges without counting. */
  abstract peek(subject: Subject, limits: Limits): Allowance | Promise<Allowance>;
  /** `degraded` while each instance counts for itself because Redis does not answer. */
  abstract health(): Promise<'up' | 'degraded'>;
  abstract close(): Promise<void>;
}

/** The limits of a caller who has `perMinute` requests a minute: a burst is a quarter of it in a second, at least 10. */
export const limitsOf = (perMinute: number): Limits => ({
  perMinute,
  perSecond: Math.max(10, Math.floor(perMinute / 4)),
});
