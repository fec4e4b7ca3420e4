import { type TenantId } from './ids.js';
import { type SubscriptionTier } from './pricing.js';

/** A subscription as its account remembers it. Times are ISO 8601, UTC. */
export interface Subscription {
  readonly subscriptionId: string;
  readonly tier: SubscriptionTier;
  readonly startedAt: string;
  /** The end of the paid period. It only grows. */
  readonly periodEnd: string;
  readonly cancelsAtPeriodEnd: boolean;
  /** When the grace after a failed payment ends; null while nothing is due. */
  readonly graceEnds: string | null;
  /** The grace ended without a payment. */
  readonly lapsed: boolean;
}

/** What the account knows of its tenant at the payment provider. */
export interface BillingAccount {
  readonly customerId: string | null;
  readonly paymentMethodId: string | null;
  /** The last one that started and has not ended. */
  readonly subscription: Subscription | null;
  /** Ids of subscriptions that have ended, which is final. */
  readonly ended: readonly string[];
  /** Counts the changes of the subscription. */
  readonly version: number;
}

export const isLive = (subscription: Subscription | null): subscription is Subscription =>
  subscription !== null && !subscription.lapsed;

/** Read from the account's stream, so that it is never older than the call. */
export abstract class BillingAccounts {
  /** Undefined if there is no such account. Throws Unavailable. */
  abstract read(tenantId: TenantId): Promise<BillingAccount | undefined>;
}
