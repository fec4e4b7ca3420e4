import { type TenantId } from './ids.js';
import { type SubscriptionTier } from './pricing.js';

/** What other slices ask of the accounts. */
export abstract class AccountTiers {
  /** The account's tier; undefined where there is no such account. Throws Unavailable. */
  abstract tierOf(tenantId: TenantId): Promise<SubscriptionTier | undefined>;
}
