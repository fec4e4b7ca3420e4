import { STARTER_PER_MINUTE, SUBSCRIPTION_TIERS } from '../../kernel/pricing.js';
import { type Limits } from '../../kernel/rate-limits.js';
import { type Account, tierOf } from './account.js';

const MIN_BURST = 10;

/** Highest limit that an operator may set, in requests per minute or per second. */
export const MAX_LIMIT = 1_000_000_000;

export type LimitedAccount = Pick<Account, 'tier' | 'billing' | 'rateLimitPerMinute' | 'burstPerSecond'>;

/**
 * The limits of an account. An operator's figure wins over the plan's. In a sandbox deployment, the sandbox's figure
 * replaces every plan's. A burst is a quarter of the minute figure, at least 10 per second.
 */
export const effectiveLimits = (
  account: LimitedAccount,
  { environment, sandboxRateLimit }: { readonly environment: string; readonly sandboxRateLimit: number },
): Limits => {
  const planned = STARTER_PER_MINUTE * SUBSCRIPTION_TIERS[tierOf(account)].rateMultiplier;
  const isSandboxed = environment === 'sandbox' && account.rateLimitPerMinute === null;
  const perMinute = account.rateLimitPerMinute ?? (isSandboxed ? sandboxRateLimit : planned);
  const perSecond = account.burstPerSecond ?? Math.max(MIN_BURST, Math.floor(perMinute / 4));
  return { perMinute, perSecond, ...(isSandboxed ? { planPerMinute: planned } : {}) };
};
