import { SUBSCRIPTION_TIERS, type SubscriptionTier } from '../kernel/pricing.js';
import { type ReportedSubscription } from './stripe/payments.js';

const TIERS = Object.keys(SUBSCRIPTION_TIERS) as SubscriptionTier[];
const CURRENCY = 'usd';

/** The key under which the provider holds the price of a tier, so that the portal can change to it. */
export const priceKeyOf = (tier: SubscriptionTier): string => `kyc_${tier}_monthly`;

export const productOf = (tier: SubscriptionTier): string => tier.charAt(0).toUpperCase() + tier.slice(1);

/** The tier that a subscription pays for; undefined where it pays anything but that tier's price. */
export const tierPaidBy = ({
  priceKey,
  amountMinor,
  currency,
}: Pick<ReportedSubscription, 'priceKey' | 'amountMinor' | 'currency'>): SubscriptionTier | undefined => {
  const tier = TIERS.find((one) => priceKeyOf(one) === priceKey);
  if (tier === undefined || currency !== CURRENCY) return undefined;
  const price = SUBSCRIPTION_TIERS[tier].amountMinor;
  return price === 'custom' || price === amountMinor ? tier : undefined;
};
