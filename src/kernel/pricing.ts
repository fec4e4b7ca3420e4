/** Packages of credits: what they bring, and their price in US cents (interface, "Billing resources"). */
export const CREDIT_PACKAGES = {
  small: { credits: 1_000, amountMinor: 12_000 },
  large: { credits: 10_000, amountMinor: 100_000 },
} as const;

export type CreditPackage = keyof typeof CREDIT_PACKAGES;

/** Subscriptions: price a month in US cents, and what they multiply the starter rate limit by. Enterprise's price is agreed. */
export const SUBSCRIPTION_TIERS = {
  starter: { amountMinor: 9_900, rateMultiplier: 1 },
  growth: { amountMinor: 49_900, rateMultiplier: 5 },
  enterprise: { amountMinor: 'custom', rateMultiplier: 20 },
} as const;

export type SubscriptionTier = keyof typeof SUBSCRIPTION_TIERS;
