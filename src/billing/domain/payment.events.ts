import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId, uuidHex } from '../../kernel/ids.js';
import { type CreditPackage, type SubscriptionTier } from '../../kernel/pricing.js';

export const PAYMENT_STREAM_PREFIX = 'payment-';

/** Name of the encrypted field. */
export const LABELS_FIELD = 'labels';

/** `purchaseId` is a UUID. */
export const paymentStream = (tenantId: TenantId, purchaseId: string): string =>
  `${PAYMENT_STREAM_PREFIX}${tenantId}_${uuidHex(purchaseId)}`;

/** What a person or an auto-recharge is about to buy. It precedes the request to the provider. Amounts are US cents. */
export type PaymentOpened = DomainEvent<
  'PaymentOpened.v1',
  {
    readonly purchaseId: string;
    readonly origin: 'checkout' | 'auto_recharge';
    readonly package: CreditPackage;
    readonly credits: number;
    readonly amountMinor: number;
    /** The buyer's own texts. Absent without such. */
    readonly labels?: Envelope;
  }
>;

export type SubscriptionCheckoutOpened = DomainEvent<
  'SubscriptionCheckoutOpened.v1',
  { readonly purchaseId: string; readonly tier: SubscriptionTier; readonly amountMinor: number }
>;

/** The provider has the money, and the credits are owed. `reference` is that of their purchase in the credit account. */
export type PaymentReceived = DomainEvent<
  'PaymentReceived.v1',
  {
    readonly purchaseId: string;
    readonly reference: string;
    readonly origin: 'checkout' | 'auto_recharge';
    readonly package: CreditPackage;
    readonly credits: number;
    readonly amountMinor: number;
    readonly currency: 'USD';
    readonly providerId: string;
    readonly paymentIntentId: string | null;
  }
>;

/** Nothing was paid on the hosted page: the payer left it, or its time is over. It may be paid all the same, where the payer returns. */
export type CheckoutEnded = DomainEvent<
  'CheckoutEnded.v1',
  { readonly purchaseId: string; readonly how: 'cancelled' | 'expired' }
>;

/** The provider's refusal, or that of the person's bank. Nothing was paid. */
export type PaymentFailed = DomainEvent<
  'PaymentFailed.v1',
  {
    readonly purchaseId: string;
    readonly origin: 'checkout' | 'auto_recharge';
    readonly package: CreditPackage;
    readonly amountMinor: number;
    /** The provider's code. */
    readonly reason: string;
  }
>;

export const HOLD_REASONS = [
  'unpaid',
  'other_mode',
  'other_amount',
  'other_currency',
  'other_price',
  'unknown_purchase',
  'second_subscription',
  'refused_before',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** What the provider reports does not fit what was opened, so nothing is granted until an operator decides. */
export type PaymentHeld = DomainEvent<
  'PaymentHeld.v1',
  {
    readonly purchaseId: string;
    readonly reason: HoldReason;
    readonly amountMinor: number | null;
    readonly currency: string;
    readonly providerId: string;
    readonly paymentIntentId: string | null;
    /** The package that a release grants; null if there is none. */
    readonly package: CreditPackage | null;
  }
>;

/** An operator grants what was held. The same append holds PaymentReceived. */
export type HeldPaymentReleased = DomainEvent<'HeldPaymentReleased.v1', { readonly purchaseId: string }>;

export type HeldPaymentRefused = DomainEvent<'HeldPaymentRefused.v1', { readonly purchaseId: string }>;

/** Money went back to the buyer, and credits pro rata are taken back. */
export type PaymentRefunded = DomainEvent<
  'PaymentRefunded.v1',
  {
    readonly purchaseId: string;
    /** All refunds so far together. */
    readonly refundedMinor: number;
    /** Credits to take back for this event: 0 before the payment was received. */
    readonly credits: number;
    readonly reference: string;
  }
>;

/**
 * A refund failed or was cancelled, so money came back from the buyer. `credits` are those that an earlier refund took, under
 * the reference `reversalReference`: 0 and null where there are none to give back.
 */
export type RefundFailed = DomainEvent<
  'RefundFailed.v1',
  {
    readonly purchaseId: string;
    /** All refunds that still stand together. */
    readonly refundedMinor: number;
    readonly credits: number;
    readonly reversalReference: string | null;
    readonly reference: string;
  }
>;

/** The buyer's bank took the money back until the dispute is decided. */
export type PaymentDisputed = DomainEvent<
  'PaymentDisputed.v1',
  {
    readonly purchaseId: string;
    readonly disputeId: string;
    readonly amountMinor: number;
    /** As in PaymentRefunded. */
    readonly credits: number;
    readonly reference: string;
  }
>;

/** `credits` are those that the dispute took, under the reference `reversalReference`. */
export type DisputeWon = DomainEvent<
  'DisputeWon.v1',
  {
    readonly purchaseId: string;
    readonly disputeId: string;
    readonly credits: number;
    readonly reversalReference: string;
    readonly reference: string;
  }
>;

export type DisputeLost = DomainEvent<'DisputeLost.v1', { readonly purchaseId: string; readonly disputeId: string }>;

export type PaymentEvent =
  | PaymentOpened
  | SubscriptionCheckoutOpened
  | PaymentReceived
  | PaymentFailed
  | CheckoutEnded
  | PaymentHeld
  | HeldPaymentReleased
  | HeldPaymentRefused
  | PaymentRefunded
  | RefundFailed
  | PaymentDisputed
  | DisputeWon
  | DisputeLost;
