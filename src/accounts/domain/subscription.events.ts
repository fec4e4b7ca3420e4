import { type DomainEvent } from '../../kernel/decider.js';
import { type SubscriptionTier } from '../../kernel/pricing.js';

/** The tenant's customer at the payment provider, and the card that may be charged without the person. Opaque ids. */
export type PaymentCustomerKept = DomainEvent<
  'PaymentCustomerKept.v1',
  { readonly customerId: string; readonly paymentMethodId: string | null }
>;

export type SubscriptionStarted = DomainEvent<
  'SubscriptionStarted.v1',
  {
    readonly subscriptionId: string;
    readonly tier: SubscriptionTier;
    readonly startedAt: string;
    readonly periodEnd: string;
  }
>;

/** Paid for a further period, or paid after all. */
export type SubscriptionRenewed = DomainEvent<
  'SubscriptionRenewed.v1',
  { readonly subscriptionId: string; readonly periodEnd: string }
>;

export type SubscriptionChanged = DomainEvent<
  'SubscriptionChanged.v1',
  { readonly subscriptionId: string; readonly tier: SubscriptionTier; readonly cancelsAtPeriodEnd: boolean }
>;

/** A payment failed. The tier holds until `graceEnds`. */
export type SubscriptionPastDue = DomainEvent<
  'SubscriptionPastDue.v1',
  { readonly subscriptionId: string; readonly since: string; readonly graceEnds: string }
>;

/** The grace ended without a payment. */
export type SubscriptionLapsed = DomainEvent<
  'SubscriptionLapsed.v1',
  { readonly subscriptionId: string; readonly lapsedAt: string }
>;

/** Final for this subscription, even where it was never seen to start. */
export type SubscriptionEnded = DomainEvent<
  'SubscriptionEnded.v1',
  { readonly subscriptionId: string; readonly endedAt: string }
>;

export type SubscriptionEvent =
  | SubscriptionStarted
  | SubscriptionRenewed
  | SubscriptionChanged
  | SubscriptionPastDue
  | SubscriptionLapsed
  | SubscriptionEnded;
