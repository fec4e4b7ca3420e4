import { SUBSCRIPTION_TIERS } from '../../kernel/pricing.js';
import { type AccountTier } from './account.events.js';

/** Requests a minute of the starter tier; the others multiply it (interface, "Rate limits"). */
const STARTER_PER_MINUTE = 300;
const SANDBOX_PER_MINUTE = 75;
const LEAST_BURST = 10;

/** The most an operator may set, requests a minute or a second. */
export const HIGHEST_LIMIT = 1_000_000_000;

export interface LimitedAccount {
  readonly tier: AccountTier;
  readonly rateLimitPerMinute: number | null;
  readonly burstPerSecond: number | null;
}

/**
 * What limits an account: an operator's figure, else the tier's, in a sandbox deployment the sandbox's for every tier. A burst is
 * a quarter of the minute figure, at least 10 in a second.
 */
export const effectiveLimits = (
  account: LimitedAccount,
  environment: string,
): { readonly perMinute: number; readonly perSecond: number } => {
  const usual =
    environment === 'sandbox'
      ? SANDBOX_PER_MINUTE
      : STARTER_PER_MINUTE * SUBSCRIPTION_TIERS[account.tier].rateMultiplier;
  const perMinute = account.rateLimitPerMinute ?? usual;
  return { perMinute, perSecond: account.burstPerSecond ?? Math.max(LEAST_BURST, Math.floor(perMinute / 4)) };
};
