import type Stripe from 'stripe';
import { isTenantId, isUuid } from '../../kernel/ids.js';
import { type UsedEvent } from './event-shapes.js';
import {
  MalformedEvent,
  type Marks,
  type PaymentNotice,
  type ReportedPayment,
  type ReversedPayment,
} from './payments.js';

const ORIGINS = ['checkout', 'auto_recharge'] as const;

export const marksOf = (metadata: Readonly<Record<string, string>> | null | undefined): Marks => {
  const { tenant = '', purchase = '', origin } = metadata ?? {};
  return {
    tenantId: isTenantId(tenant) ? tenant : undefined,
    purchaseId: isUuid(purchase) ? purchase : undefined,
    origin: ORIGINS.find((known) => known === origin),
  };
};

export const idOf = (reference: string | { readonly id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** Of an intent with its charge expanded. */
export const refundedOf = ({ latest_charge: charge }: Stripe.PaymentIntent): number =>
  typeof charge === 'object' ? (charge?.amount_refunded ?? 0) : 0;

export const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

export const paymentOfSession = (session: Stripe.Checkout.Session): ReportedPayment => ({
  providerId: session.id,
  paymentIntentId: idOf(session.payment_intent),
  customerId: idOf(session.customer),
  paid: session.payment_status === 'paid',
  amountMinor: session.amount_total ?? 0,
  currency: session.currency ?? '',
  marks: marksOf(session.metadata),
});

export const paymentOfIntent = (intent: Stripe.PaymentIntent): ReportedPayment => ({
  providerId: intent.id,
  paymentIntentId: intent.id,
  customerId: idOf(intent.customer),
  paid: intent.status === 'succeeded',
  amountMinor: intent.amount,
  currency: intent.currency,
  marks: marksOf(intent.metadata),
});

/** Members of an invoice in versions of Stripe's API before 2025-03-31, which an account's webhooks may still have. */
interface FormerInvoice {
  readonly subscription?: string | { readonly id: string } | null;
  readonly subscription_details?: { readonly metadata?: Readonly<Record<string, string>> | null } | null;
}

/** The subscription that an invoice is for; null if it is for none. */
export const subscriptionOfInvoice = (
  invoice: Stripe.Invoice & FormerInvoice,
): { readonly subscriptionId: string | null; readonly marks: Marks } => {
  const { subscription, metadata } = invoice.parent?.subscription_details ?? {
    subscription: invoice.subscription,
    metadata: invoice.subscription_details?.metadata,
  };
  return { subscriptionId: idOf(subscription), marks: marksOf(metadata) };
};

/** Omits from each member of a union, since a plain Omit keeps only what the members share. */
type NoticeContent<Notice> = Notice extends PaymentNotice ? Omit<Notice, 'eventId' | 'livemode' | 'occurredAt'> : never;

/** The event only says which subscription to look at: events come late and out of order. */
const ofSubscription = (
  subscriptionId: string | null,
  marks: Marks,
  paymentFailed = false,
): NoticeContent<PaymentNotice> | undefined =>
  subscriptionId === null ? undefined : { kind: 'subscription', subscriptionId, marks, paymentFailed };

const withoutSubscription = (): MalformedEvent =>
  new MalformedEvent('data.object.subscription', 'the id of the subscription', true);

const ofSession = (session: Stripe.Checkout.Session, failed: boolean): NoticeContent<PaymentNotice> | undefined => {
  const payment = paymentOfSession(session);
  if (failed) return { kind: 'payment_failed', payment, reason: 'async_payment_failed' };
  if (session.mode === 'payment') return { kind: 'payment', payment };
  const subscriptionId = idOf(session.subscription);
  if (session.mode === 'subscription' && subscriptionId === null) throw withoutSubscription();
  return ofSubscription(subscriptionId, payment.marks);
};

/** Only auto-recharges are followed by their payment intent: a checkout may take several tries at a card. */
const ofIntent = (intent: Stripe.PaymentIntent): NoticeContent<PaymentNotice> | undefined => {
  const payment = paymentOfIntent(intent);
  if (payment.marks.origin !== 'auto_recharge') return undefined;
  if (payment.paid) return { kind: 'payment', payment };
  return { kind: 'payment_failed', payment, reason: intent.last_payment_error?.code ?? 'card_declined' };
};

/** Versions of Stripe's API before 2019-12-03 name the charge alone. */
const reversedOf = (
  intent: string | Stripe.PaymentIntent | null,
  charge: string | Stripe.Charge | null,
): ReversedPayment => {
  const reversed = { paymentIntentId: idOf(intent), chargeId: idOf(charge) };
  if (reversed.paymentIntentId === null && reversed.chargeId === null) {
    throw new MalformedEvent('data.object.payment_intent', 'the id of the payment', true);
  }
  return reversed;
};

const DISPUTE_STATES: Readonly<Record<string, 'open' | 'won' | 'lost'>> = {
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
};

/** `reinstated`: the money came back, whatever the status says. */
const ofDispute = (dispute: Stripe.Dispute, reinstated: boolean): NoticeContent<PaymentNotice> | undefined => {
  // An inquiry takes no money.
  if (dispute.status.startsWith('warning')) return undefined;
  const state = reinstated ? 'won' : DISPUTE_STATES[dispute.status];
  if (state === undefined) {
    throw new MalformedEvent('data.object.status', `one of ${Object.keys(DISPUTE_STATES).join(', ')}`, false);
  }
  const reversed = reversedOf(dispute.payment_intent, dispute.charge);
  return { kind: 'dispute', disputeId: dispute.id, reversed, amountMinor: dispute.amount, state };
};

const contentOf = ({ type, data }: UsedEvent): NoticeContent<PaymentNotice> | undefined => {
  if (type === 'checkout.session.completed' || type === 'checkout.session.async_payment_succeeded') {
    return ofSession(data.object, false);
  }
  if (type === 'checkout.session.async_payment_failed') return ofSession(data.object, true);
  if (type === 'checkout.session.expired') return { kind: 'checkout_expired', marks: marksOf(data.object.metadata) };
  if (type === 'payment_intent.succeeded' || type === 'payment_intent.payment_failed') return ofIntent(data.object);
  if (type === 'invoice.paid' || type === 'invoice.payment_failed') {
    const { subscriptionId, marks } = subscriptionOfInvoice(data.object);
    if (subscriptionId === null && data.object.billing_reason?.startsWith('subscription_') === true) {
      throw withoutSubscription();
    }
    return ofSubscription(subscriptionId, marks, type === 'invoice.payment_failed');
  }
  if (type === 'customer.subscription.updated' || type === 'customer.subscription.deleted') {
    return ofSubscription(data.object.id, marksOf(data.object.metadata));
  }
  if (type === 'charge.refunded' || type === 'charge.updated') {
    return { kind: 'refund', reversed: reversedOf(data.object.payment_intent, data.object.id) };
  }
  if (
    type === 'refund.created' ||
    type === 'refund.updated' ||
    type === 'refund.failed' ||
    type === 'charge.refund.updated'
  ) {
    return { kind: 'refund', reversed: reversedOf(data.object.payment_intent, data.object.charge) };
  }
  // An inquiry that becomes a dispute is not created again: the money goes later.
  return ofDispute(data.object, type === 'charge.dispute.funds_reinstated');
};

export const noticeOf = (event: UsedEvent): PaymentNotice | undefined => {
  const what = contentOf(event);
  return what && { ...what, eventId: event.id, livemode: event.livemode, occurredAt: timeOf(event.created) };
};
