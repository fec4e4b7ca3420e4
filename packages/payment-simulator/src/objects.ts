import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

/** The members of Stripe's objects that the service reads, in Stripe's own shapes. They are kept and sent as they are. */
export type Metadata = Record<string, string>;

export type Customer = Pick<Stripe.Customer, 'id' | 'object' | 'created' | 'livemode' | 'metadata'> & {
  invoice_settings: { default_payment_method: string | null };
};

export type Price = Pick<
  Stripe.Price,
  'id' | 'object' | 'created' | 'livemode' | 'active' | 'currency' | 'lookup_key' | 'unit_amount'
> & { nickname: string; recurring: { interval: 'month'; interval_count: 1 } };

export type Session = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'created'
  | 'expires_at'
  | 'livemode'
  | 'mode'
  | 'status'
  | 'payment_status'
  | 'amount_total'
  | 'currency'
  | 'success_url'
  | 'cancel_url'
  | 'url'
> & {
  customer: string;
  metadata: Metadata;
  payment_intent: string | null;
  subscription: string | null;
};

/** What the hosted page needs of a session beside the object itself. */
export interface SessionPlan {
  readonly product: string;
  readonly price: string | null;
  readonly intentMetadata: Metadata;
  readonly subscriptionMetadata: Metadata;
}

export type Charge = Pick<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'created'
  | 'livemode'
  | 'amount'
  | 'amount_refunded'
  | 'currency'
  | 'paid'
  | 'refunded'
  | 'receipt_url'
> & { customer: string; metadata: Metadata; payment_intent: string };

export type Intent = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'created' | 'livemode' | 'amount' | 'currency' | 'status'
> & {
  customer: string;
  metadata: Metadata;
  payment_method: string | null;
  latest_charge: string | null;
};

export type Subscription = Pick<
  Stripe.Subscription,
  'id' | 'object' | 'created' | 'livemode' | 'status' | 'start_date' | 'cancel_at_period_end' | 'ended_at'
> & {
  customer: string;
  default_payment_method: string;
  metadata: Metadata;
  items: { object: 'list'; data: { id: string; current_period_end: number; price: Price }[] };
};

export type Invoice = Pick<
  Stripe.Invoice,
  'id' | 'object' | 'created' | 'livemode' | 'status' | 'amount_paid' | 'currency' | 'billing_reason'
> & {
  customer: string;
  parent: {
    type: 'subscription_details';
    quote_details: null;
    subscription_details: { subscription: string; metadata: Metadata };
  };
};

export type Dispute = Pick<
  Stripe.Dispute,
  'id' | 'object' | 'created' | 'livemode' | 'amount' | 'currency' | 'status' | 'reason'
> & { charge: string; payment_intent: string };

export interface PortalSession {
  readonly id: string;
  readonly object: 'billing_portal.session';
  readonly created: number;
  readonly livemode: boolean;
  readonly customer: string;
  readonly return_url: string;
  readonly url: string;
}

/** An event on its way to the service. */
export interface Delivery {
  readonly id: string;
  readonly type: string;
  /** The exact bytes, the same at every try. */
  readonly body: string;
  tries: number;
  /** Milliseconds since 1970. */
  nextAt: number;
}

const DIGITS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** An id in Stripe's form. */
export const newId = (prefix: string): string =>
  `${prefix}_${Array.from(randomBytes(24), (byte) => DIGITS.charAt(byte % DIGITS.length)).join('')}`;

/** Unix time in seconds, as Stripe's objects have it. */
export const secondsNow = (): number => Math.floor(Date.now() / 1_000);

export const listOf = (data: readonly unknown[], more: boolean, url: string): object => ({
  object: 'list',
  url,
  has_more: more,
  data,
});
