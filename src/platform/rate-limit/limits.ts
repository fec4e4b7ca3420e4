/** The rate limits of an account: requests per minute and per second. */
export interface Limits {
  readonly perMinute: number;
  readonly perSecond: number;
  /** What the plan has in production, where a sandbox's figure stands in its place. */
  readonly planPerMinute?: number;
}
