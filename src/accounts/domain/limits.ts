import { type AccountTier } from './account.events.js';

/** Requests a minute (interface, "Rate limits"). */
const PER_MINUTE: Readonly<Record<AccountTier, number>> = { starter: 300, growth: 1_500, enterprise: 6_000 };
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
  const usual = environment === 'sandbox' ? SANDBOX_PER_MINUTE : PER_MINUTE[account.tier];
  const perMinute = account.rateLimitPerMinute ?? usual;
  return { perMinute, perSecond: account.burstPerSecond ?? Math.max(LEAST_BURST, Math.floor(perMinute / 4)) };
};
