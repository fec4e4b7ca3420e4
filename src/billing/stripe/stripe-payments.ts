import Stripe from 'stripe';
import { type Clock } from '../../kernel/clock.js';
import { type TenantId } from '../../kernel/ids.js';
import { invariant } from '../../kernel/invariant.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { usedEvent } from './event-shapes.js';
import {
  idOf,
  marksOf,
  noticeOf,
  paymentOfIntent,
  paymentOfSession,
  refundedOf,
  subscriptionOfInvoice,
  timeOf,
} from './notices.js';
import {
  type CheckoutPages,
  type CreditsCheckout,
  type ListedInvoice,
  type ListedPayment,
  MalformedEvent,
  type OffSessionOutcome,
  type OffSessionPayment,
  type PaymentNotice,
  PaymentRefused,
  Payments,
  type ReportedSubscription,
  type ReversedPayment,
  type StandingPayment,
  type SubscriptionCheckout,
} from './payments.js';

/** Seconds that an event's timestamp may differ from our clock, in both directions. */
const TOLERANCE = 300;
const SIGNATURE = /(?:^|,)v1=[0-9a-f]{64}(?:,|$)/;
const PAGE = 100;
/** Milliseconds for which Stripe remembers an idempotency key, and as much again. */
const KEYS_LAST = 2 * 86_400_000;
const CURRENCY = 'usd';

const metadataOf = (tenantId: TenantId, purchaseId: string, origin: string, what: Record<string, string> = {}) => ({
  tenant: tenantId,
  purchase: purchaseId,
  origin,
  ...what,
});

const isAbsent = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404;

/**
 * An error of the connection, of the provider itself, of too many requests, or of our key, which says nothing about the
 * card: the same request may succeed later.
 */
const meansUnavailable = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeAuthenticationError ||
  error instanceof Stripe.errors.StripePermissionError ||
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  (error instanceof Stripe.errors.StripeError && (error.statusCode ?? 500) >= 500) ||
  (error instanceof Stripe.errors.StripeError && error.statusCode === 409);

const callStripe = async <Result>(request: Promise<Result>): Promise<Result> => {
  try {
    return await request;
  } catch (error) {
    if (meansUnavailable(error)) throw new Unavailable('payments', { cause: error });
    if (error instanceof Stripe.errors.StripeError)
      throw new PaymentRefused(error.code ?? error.type, { cause: error });
    throw error;
  }
};

const statusOf = ({ status }: Stripe.Subscription): ReportedSubscription['status'] => {
  switch (status) {
    case 'active':
    case 'trialing':
      return 'live';
    case 'canceled':
    case 'incomplete_expired':
      return 'ended';
    case 'incomplete':
      return 'pending';
    case 'past_due':
    case 'unpaid':
    case 'paused':
    default:
      return 'past_due';
  }
};

const reported = (subscription: Stripe.Subscription): ReportedSubscription => {
  const [item] = subscription.items.data;
  const { start_date: startedAt, ended_at: endedAt } = subscription;
  return {
    subscriptionId: subscription.id,
    marks: marksOf(subscription.metadata),
    customerId: idOf(subscription.customer) ?? '',
    paymentMethodId: idOf(subscription.default_payment_method),
    livemode: subscription.livemode,
    status: statusOf(subscription),
    priceKey: item?.price.lookup_key ?? null,
    amountMinor: item?.price.unit_amount ?? null,
    currency: item?.price.currency ?? '',
    startedAt: timeOf(startedAt),
    periodEnd: timeOf(item?.current_period_end ?? startedAt),
    cancelsAtPeriodEnd: subscription.cancel_at_period_end,
    endedAt: endedAt === null ? null : timeOf(endedAt),
  };
};

const outcomeOf = (intent: Stripe.PaymentIntent): OffSessionOutcome => {
  const payment = paymentOfIntent(intent);
  const { livemode } = intent;
  if (intent.status === 'succeeded') return { kind: 'paid', payment, livemode };
  if (intent.status === 'processing') return { kind: 'processing', payment, livemode };
  const unauthenticated = intent.status === 'requires_action';
  const reason = unauthenticated ? 'authentication_required' : (intent.last_payment_error?.code ?? 'card_declined');
  return { kind: 'failed', reason };
};

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new MalformedEvent('body', 'JSON', false, { cause: error });
  }
};

/** The payment provider through the stripe package. */
export class StripePayments extends Payments {
  constructor(
    private readonly stripe: Stripe,
    private readonly webhookSecrets: readonly string[],
    private readonly clock: Clock,
  ) {
    super();
  }

  override mayBeSigned(signature: string | undefined): boolean {
    const signedAt = Number(/(?:^|,)t=([0-9]{1,12})(?:,|$)/.exec(signature ?? '')?.[1]) * 1_000;
    // The package accepts timestamps of the future.
    const isNow = Math.abs(this.clock.now().getTime() - signedAt) <= TOLERANCE * 1_000;
    return isNow && SIGNATURE.test(signature ?? '');
  }

  override isSigned(body: Buffer, signature: string | undefined): boolean {
    const now = this.clock.now().getTime();
    if (signature === undefined || !this.mayBeSigned(signature)) return false;
    return this.webhookSecrets.some((secret) => this.isSignedWith(secret, body, signature, now));
  }

  override read(body: Buffer): PaymentNotice | undefined {
    const event = usedEvent(parsed(body));
    return event && noticeOf(event);
  }

  override async createCustomer(tenantId: TenantId): Promise<string> {
    const { customers } = this.stripe;
    const created = customers.create({ metadata: { tenant: tenantId } }, { idempotencyKey: `customer-${tenantId}` });
    return (await callStripe(created)).id;
  }

  override async openCreditsCheckout(checkout: CreditsCheckout): Promise<string> {
    const { tenantId, purchaseId, product, amountMinor } = checkout;
    const metadata = metadataOf(tenantId, purchaseId, 'checkout', { package: checkout.package });
    const price = { currency: CURRENCY, unit_amount: amountMinor, product_data: { name: product } };
    return this.openCheckout(checkout, {
      mode: 'payment',
      line_items: [{ quantity: 1, price_data: price }],
      metadata,
      payment_intent_data: { setup_future_usage: 'off_session', metadata },
    });
  }

  override async openSubscriptionCheckout(checkout: SubscriptionCheckout): Promise<string> {
    const metadata = metadataOf(checkout.tenantId, checkout.purchaseId, 'checkout');
    return this.openCheckout(checkout, {
      mode: 'subscription',
      line_items: [{ quantity: 1, price: await this.priceOf(checkout) }],
      metadata,
      subscription_data: { metadata },
    });
  }

  override async openPortal(customerId: string, returnUrl: string): Promise<string> {
    const { sessions } = this.stripe.billingPortal;
    return (await callStripe(sessions.create({ customer: customerId, return_url: returnUrl }))).url;
  }

  override async paymentMethodOf(customerId: string, kept: string): Promise<string> {
    const customer = await callStripe(this.stripe.customers.retrieve(customerId));
    return ('invoice_settings' in customer ? idOf(customer.invoice_settings.default_payment_method) : null) ?? kept;
  }

  override async payOffSession(payment: OffSessionPayment): Promise<OffSessionOutcome> {
    const { tenantId, purchaseId, customerId, paymentMethodId, amountMinor } = payment;
    const created = this.stripe.paymentIntents.create(
      {
        amount: amountMinor,
        currency: CURRENCY,
        customer: customerId,
        payment_method: paymentMethodId,
        allowed_payment_method_types: ['card'],
        off_session: true,
        confirm: true,
        metadata: metadataOf(tenantId, purchaseId, 'auto_recharge', { package: payment.package }),
      },
      { idempotencyKey: purchaseId },
    );
    try {
      return outcomeOf(await callStripe(created));
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      // The customer chose another card since a first request whose outcome is not known: that one alone counts.
      if (error.cause instanceof Stripe.errors.StripeIdempotencyError) return this.earlier(payment);
      return { kind: 'failed', reason: error.message };
    }
  }

  override async findOffSession(
    customerId: string,
    purchaseId: string,
    since: Date,
  ): Promise<OffSessionOutcome | undefined> {
    const found = this.stripe.paymentIntents.list({ customer: customerId, limit: PAGE, ...this.from(since) });
    for await (const intent of this.every(found)) {
      if (marksOf(intent.metadata).purchaseId === purchaseId) return outcomeOf(intent);
    }
    return undefined;
  }

  override async subscription(subscriptionId: string): Promise<ReportedSubscription | undefined> {
    const found = this.stripe.subscriptions.retrieve(subscriptionId).catch(this.absent);
    const subscription = await callStripe(found);
    return subscription && reported(subscription);
  }

  override async payment({
    paymentIntentId,
    chargeId,
  }: Partial<ReversedPayment>): Promise<StandingPayment | undefined> {
    const id = paymentIntentId ?? (await this.intentOf(chargeId ?? null));
    if (id === null) return undefined;
    const found = this.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }).catch(this.absent);
    const intent = await callStripe(found);
    return (
      intent && {
        marks: marksOf(intent.metadata),
        paymentMethodId: idOf(intent.payment_method),
        refundedMinor: refundedOf(intent),
      }
    );
  }

  override async receipt(paymentIntentId: string): Promise<string | null> {
    const found = this.stripe.paymentIntents.retrieve(paymentIntentId, { expand: ['latest_charge'] });
    const charge = (await callStripe(found.catch(this.absent)))?.latest_charge;
    return typeof charge === 'object' ? (charge?.receipt_url ?? null) : null;
  }

  override async *listPayments(since: Date): AsyncIterable<ListedPayment> {
    const refunds = new Map<string, number>();
    const intents = { limit: PAGE, expand: ['data.latest_charge'], ...this.from(since) };
    for await (const intent of this.every(this.stripe.paymentIntents.list(intents))) {
      const refundedMinor = refundedOf(intent);
      refunds.set(intent.id, refundedMinor);
      const payment = paymentOfIntent(intent);
      if (payment.paid && payment.marks.origin === 'auto_recharge') yield { payment, refundedMinor };
    }
    for await (const session of this.every(this.stripe.checkout.sessions.list({ limit: PAGE, ...this.from(since) }))) {
      const payment = paymentOfSession(session);
      if (session.mode !== 'payment' || !payment.paid) continue;
      yield { payment, refundedMinor: refunds.get(payment.paymentIntentId ?? '') ?? 0 };
    }
  }

  override async *listPaidInvoices(since: Date): AsyncIterable<ListedInvoice> {
    const paid = this.stripe.invoices.list({ limit: PAGE, status: 'paid', ...this.from(since) });
    for await (const invoice of this.every(paid)) {
      const { subscriptionId, marks } = subscriptionOfInvoice(invoice);
      if (subscriptionId !== null) yield { invoiceId: invoice.id, subscriptionId, marks };
    }
  }

  private async intentOf(chargeId: string | null): Promise<string | null> {
    if (chargeId === null) return null;
    const charge = await callStripe(this.stripe.charges.retrieve(chargeId).catch(this.absent));
    return idOf(charge?.payment_intent);
  }

  private isSignedWith(secret: string, body: Buffer, signature: string, now: number): boolean {
    const { signature: signatures } = this.stripe.webhooks;
    invariant(signatures !== null, 'the package checks signatures');
    try {
      return signatures.verifyHeader(body, signature, secret, TOLERANCE, undefined, now);
    } catch {
      // Of a caller's input every fault is a refusal, whatever the package makes of it.
      return false;
    }
  }

  /** The price by its own key, made where the provider has none yet. */
  private async priceOf({ priceKey, product, amountMinor }: SubscriptionCheckout): Promise<string> {
    const { prices } = this.stripe;
    const { data } = await callStripe(prices.list({ lookup_keys: [priceKey], active: true, limit: 1 }));
    if (data[0] !== undefined) return data[0].id;
    const created = prices.create(
      {
        currency: CURRENCY,
        unit_amount: amountMinor,
        recurring: { interval: 'month' },
        lookup_key: priceKey,
        nickname: product,
        product_data: { name: product },
      },
      { idempotencyKey: `price-${priceKey}-${amountMinor}` },
    );
    return (await callStripe(created)).id;
  }

  private async openCheckout(
    { customerId, tenantId, purchaseId, successUrl, cancelUrl }: CheckoutPages,
    what: Stripe.Checkout.SessionCreateParams,
  ): Promise<string> {
    const session = this.stripe.checkout.sessions.create(
      {
        customer: customerId,
        client_reference_id: tenantId,
        allowed_payment_method_types: ['card'],
        success_url: successUrl,
        cancel_url: cancelUrl,
        ...what,
      },
      { idempotencyKey: `checkout-${purchaseId}` },
    );
    const { url } = await callStripe(session);
    if (url === null) throw new PaymentRefused('the checkout has no page');
    return url;
  }

  private async earlier({ customerId, purchaseId }: OffSessionPayment): Promise<OffSessionOutcome> {
    const since = new Date(this.clock.now().getTime() - KEYS_LAST);
    const found = await this.findOffSession(customerId, purchaseId, since);
    if (found === undefined) throw new Unavailable('payments');
    return found;
  }

  private from(since: Date): { readonly created: { readonly gte: number } } {
    return { created: { gte: Math.floor(since.getTime() / 1_000) } };
  }

  private async *every<Row>(list: AsyncIterable<Row>): AsyncIterable<Row> {
    const rows = list[Symbol.asyncIterator]();
    for (let next = await callStripe(rows.next()); next.done !== true; next = await callStripe(rows.next()))
      yield next.value;
  }

  private readonly absent = (error: unknown): undefined => {
    if (isAbsent(error)) return undefined;
    throw error;
  };
}
