import { type TenantId } from '../../kernel/ids.js';

/** What our own objects at the provider say of themselves, in their metadata. Anything may be missing or wrong there. */
export interface Marks {
  readonly tenantId: TenantId | undefined;
  /** A UUID. */
  readonly purchaseId: string | undefined;
  readonly origin: 'checkout' | 'auto_recharge' | undefined;
}

/** A payment as the provider reports it. Amounts are in the currency's minor unit. */
export interface ReportedPayment {
  /** The checkout session's or the payment intent's id. */
  readonly providerId: string;
  readonly paymentIntentId: string | null;
  readonly customerId: string | null;
  readonly paid: boolean;
  readonly amountMinor: number;
  readonly currency: string;
  readonly marks: Marks;
}

/** The payment that a refund or a dispute is of. At least one is known. */
export interface ReversedPayment {
  readonly paymentIntentId: string | null;
  readonly chargeId: string | null;
}

/** A payment as it stands at the provider now. */
export interface StandingPayment {
  readonly marks: Marks;
  readonly paymentMethodId: string | null;
  /** All refunds that did not fail, together. */
  readonly refundedMinor: number;
}

interface Noticed {
  readonly eventId: string;
  /** Whether the event is about real money. */
  readonly livemode: boolean;
  /** ISO 8601, UTC: when it happened at the provider. */
  readonly occurredAt: string;
}

/** What an event of the provider says. */
export type PaymentNotice = Noticed &
  (
    | { readonly kind: 'payment'; readonly payment: ReportedPayment }
    | { readonly kind: 'payment_failed'; readonly payment: ReportedPayment; readonly reason: string }
    | { readonly kind: 'checkout_expired'; readonly marks: Marks }
    | {
        readonly kind: 'subscription';
        readonly subscriptionId: string;
        readonly marks: Marks;
        /** Whether the event is that a payment failed. Any other may be older than the failure that it leads to. */
        readonly paymentFailed: boolean;
      }
    /** Events come late and out of order, so this one only says which payment to look at. */
    | { readonly kind: 'refund'; readonly reversed: ReversedPayment }
    | {
        readonly kind: 'dispute';
        readonly disputeId: string;
        readonly reversed: ReversedPayment;
        readonly amountMinor: number;
        readonly state: 'open' | 'won' | 'lost';
      }
  );

/** A subscription as it stands at the provider now. */
export interface ReportedSubscription {
  readonly subscriptionId: string;
  readonly marks: Marks;
  readonly customerId: string;
  readonly paymentMethodId: string | null;
  readonly livemode: boolean;
  /** `pending`: its first payment is not made. */
  readonly status: 'pending' | 'live' | 'past_due' | 'ended';
  /** The key that names the price, and what it costs a month. */
  readonly priceKey: string | null;
  readonly amountMinor: number | null;
  readonly currency: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly periodEnd: string;
  readonly cancelsAtPeriodEnd: boolean;
  readonly endedAt: string | null;
}

export interface CheckoutPages {
  readonly customerId: string;
  readonly purchaseId: string;
  readonly tenantId: TenantId;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

export interface CreditsCheckout extends CheckoutPages {
  readonly product: string;
  readonly amountMinor: number;
  readonly package: string;
}

export interface SubscriptionCheckout extends CheckoutPages {
  readonly priceKey: string;
  readonly product: string;
  readonly amountMinor: number;
}

export interface OffSessionPayment {
  readonly tenantId: TenantId;
  readonly purchaseId: string;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly amountMinor: number;
  readonly package: string;
}

export type OffSessionOutcome =
  | { readonly kind: 'paid' | 'processing'; readonly payment: ReportedPayment; readonly livemode: boolean }
  | { readonly kind: 'failed'; readonly reason: string };

/** A payment as the provider lists it, for a comparison with the ledger. */
export interface ListedPayment {
  readonly payment: ReportedPayment;
  readonly refundedMinor: number;
}

export interface ListedInvoice {
  readonly invoiceId: string;
  readonly subscriptionId: string;
  readonly marks: Marks;
}

/** A signed event that lacks a member, or has one of another form. Nothing followed from it. */
export class MalformedEvent extends Error {
  override readonly name = 'MalformedEvent';

  constructor(
    /** The member's path, as `data.object.amount_total`. */
    readonly field: string,
    readonly takes: string,
    readonly missing: boolean,
    options?: ErrorOptions,
  ) {
    super(`${field} takes ${takes}`, options);
  }
}

/** The provider understood a request and refused it. Nothing was paid by it. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
}

/**
 * The payment provider. Every method that asks it throws Unavailable if it does not answer, with an unknown outcome, and
 * PaymentRefused if it will not.
 */
export abstract class Payments {
  /** Whether a signature has the form of one and a time that counts now: without that no byte of the body matters. */
  abstract mayBeSigned(signature: string | undefined): boolean;
  /** Whether one of our secrets signed these bytes, in the last or the next minutes. */
  abstract isSigned(body: Buffer, signature: string | undefined): boolean;
  /** Reads an event whose signature was verified. Undefined: one that the service has no use for. Throws MalformedEvent. */
  abstract read(body: Buffer): PaymentNotice | undefined;
  /** The address of the receipt of a payment intent. Null where nothing was paid. */
  abstract receipt(paymentIntentId: string): Promise<string | null>;
  /** Creates the tenant's customer, once where it is asked twice at the same time. */
  abstract createCustomer(tenantId: TenantId): Promise<string>;
  /** The address of a hosted page. Asked again for the same purchase it is the same page. */
  abstract openCreditsCheckout(checkout: CreditsCheckout): Promise<string>;
  abstract openSubscriptionCheckout(checkout: SubscriptionCheckout): Promise<string>;
  abstract openPortal(customerId: string, returnUrl: string): Promise<string>;
  /** The card that later payments use; `kept` where the customer has chosen none. */
  abstract paymentMethodOf(customerId: string, kept: string): Promise<string>;
  /** Charges a stored card once for a purchase, however often it is asked within 24 h. */
  abstract payOffSession(payment: OffSessionPayment): Promise<OffSessionOutcome>;
  /** What became of an earlier `payOffSession`; undefined if the provider never got it. */
  abstract findOffSession(customerId: string, purchaseId: string, since: Date): Promise<OffSessionOutcome | undefined>;
  /** Undefined: it is none of ours. */
  abstract subscription(subscriptionId: string): Promise<ReportedSubscription | undefined>;
  /** Undefined: it is none of ours. */
  abstract payment(id: Partial<ReversedPayment>): Promise<StandingPayment | undefined>;
  /** Completed checkouts of credits and off-session payments since then, newest first. */
  abstract listPayments(since: Date): AsyncIterable<ListedPayment>;
  /** Paid invoices of subscriptions. */
  abstract listPaidInvoices(since: Date): AsyncIterable<ListedInvoice>;
}
