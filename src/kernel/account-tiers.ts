import { type TenantId } from './ids.js';
import { type SubscriptionTier } from './pricing.js';

/** The interface through which other slices read the accounts. */
export abstract class AccountTiers {
  /** The account's tier; undefined if there is no such account. Throws Unavailable. */
  abstract tierOf(tenantId: TenantId): Promise<SubscriptionTier | undefined>;
}
