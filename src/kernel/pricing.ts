/** Packages of credits, with their prices in US cents (docs/contract.md, Payments). */
export const CREDIT_PACKAGES = {
  small: { credits: 1_000, amountMinor: 12_000 },
  large: { credits: 10_000, amountMinor: 100_000 },
} as const;

export type CreditPackage = keyof typeof CREDIT_PACKAGES;

/** Requests per minute of the plan starter. The other plans multiply it (docs/contract.md, Rate limits). */
export const STARTER_PER_MINUTE = 300;

/** Subscriptions: the price per month in US cents, and the factor on the starter rate limit. Enterprise's price is agreed. */
export const SUBSCRIPTION_TIERS = {
  starter: { amountMinor: 9_900, rateMultiplier: 1 },
  growth: { amountMinor: 49_900, rateMultiplier: 5 },
  enterprise: { amountMinor: 'custom', rateMultiplier: 20 },
} as const;

export type SubscriptionTier = keyof typeof SUBSCRIPTION_TIERS;
