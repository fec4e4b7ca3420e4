import { type TenantId } from './ids.js';
import { type SubscriptionTier } from './pricing.js';

/** The tenant's live subscription. Times are ISO 8601, UTC. */
export interface LiveSubscription {
  readonly tier: SubscriptionTier;
  /** US cents, or `custom` where the price is agreed. */
  readonly amountMinor: number | 'custom';
  readonly startedAt: string;
  /** The end of the paid period; undefined if the subscription ends with it. */
  readonly renewsAt: string | undefined;
}

export abstract class SubscriptionReader {
  /** Undefined if there is none. Throws Unavailable. */
  abstract of(tenantId: TenantId): Promise<LiveSubscription | undefined>;
}
