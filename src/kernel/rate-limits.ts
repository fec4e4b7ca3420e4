/** The rate limits of an account: requests per minute and per second. */
export interface Limits {
  readonly perMinute: number;
  readonly perSecond: number;
  /** What the plan has in production, where a sandbox's figure stands in its place. */
  readonly planPerMinute?: number;
}

/** The counted party: an account over all its keys, an operator, an IP address, a key with an unknown owner, or the failed look-ups of a network. */
export interface Subject {
  readonly kind: 'account' | 'operator' | 'address' | 'key' | 'look_ups' | 'session';
  readonly id: string;
}

export type Verdict = 'allowed' | 'rate_limited' | 'burst_exceeded';
