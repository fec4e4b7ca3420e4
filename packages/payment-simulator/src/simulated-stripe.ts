import { type Behaviour, behaviourOf } from './cards.js';
import { type EventDeliveries } from './event-deliveries.js';
import { ApiFault } from './form.js';
import {
  type Charge,
  type Customer,
  type Dispute,
  type Intent,
  type Invoice,
  type Metadata,
  newId,
  type PortalSession,
  type Price,
  secondsNow,
  type Session,
  type SessionPlan,
  type Subscription,
} from './objects.js';
import { type SimulatorState } from './store.js';

const DAY = 86_400;
const MONTH = 30 * DAY;

export interface NewSession {
  readonly mode: 'payment' | 'subscription';
  readonly customer: string;
  readonly amount: number;
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly metadata: Metadata;
  readonly plan: SessionPlan;
}

export interface NewIntent {
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
  readonly paymentMethod: string;
  readonly metadata: Metadata;
}

export type PaymentOutcome = 'paid' | 'declined' | 'needs_authentication' | 'unknown_card';

const cardFault = (code: string, message: string, intent: Intent): ApiFault =>
  new ApiFault(402, message, { type: 'card_error', code, decline_code: code, payment_intent: intent });

/** What Stripe would do with the objects. Each change notes its events; whoever calls saves the state. */
export class SimulatedStripe {
  constructor(
    readonly state: SimulatorState,
    private readonly deliveries: EventDeliveries,
    private readonly baseUrl: () => string,
    private readonly livemode: boolean,
  ) {}

  find<Row>(table: Readonly<Record<string, Row>>, id: string, what: string): Row {
    const row = Object.hasOwn(table, id) ? table[id] : undefined;
    if (row !== undefined) return row;
    throw new ApiFault(404, `No such ${what}: '${id}'`, { type: 'invalid_request_error', code: 'resource_missing' });
  }

  createCustomer(metadata: Metadata): Customer {
    const customer: Customer = {
      ...this.base('cus', 'customer'),
      metadata,
      invoice_settings: { default_payment_method: null },
    };
    return (this.state.customers[customer.id] = customer);
  }

  createPrice(lookupKey: string, amount: number, currency: string, nickname: string): Price {
    const price: Price = {
      ...this.base('price', 'price'),
      active: true,
      currency,
      lookup_key: lookupKey,
      unit_amount: amount,
      nickname,
      recurring: { interval: 'month', interval_count: 1 },
    };
    return (this.state.prices[price.id] = price);
  }

  createSession({ mode, customer, amount, currency, successUrl, cancelUrl, metadata, plan }: NewSession): Session {
    this.find(this.state.customers, customer, 'customer');
    const base = this.base('cs_test', 'checkout.session');
    const session: Session = {
      ...base,
      expires_at: base.created + DAY,
      mode,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: amount,
      currency,
      success_url: successUrl,
      cancel_url: cancelUrl,
      url: `${this.baseUrl()}/pay/${base.id}`,
      customer,
      metadata,
      payment_intent: null,
      subscription: null,
    };
    this.state.plans[session.id] = plan;
    return (this.state.sessions[session.id] = session);
  }

  createPortal(customer: string, returnUrl: string): PortalSession {
    this.find(this.state.customers, customer, 'customer');
    const base = this.base('bps', 'billing_portal.session');
    const portal = { ...base, customer, return_url: returnUrl, url: `${this.baseUrl()}/portal/${base.id}` };
    return (this.state.portals[base.id] = portal);
  }

  /** A person pays on the hosted page. */
  pay(session: Session, card: string, authenticated: boolean): PaymentOutcome {
    const behaviour = behaviourOf(card);
    if (behaviour === undefined) return 'unknown_card';
    if (behaviour === 'declined') return 'declined';
    if (behaviour.startsWith('authenticates') && !authenticated) return 'needs_authentication';
    const method = this.keepCard(session.customer, card);
    if (session.mode === 'payment') this.completePayment(session, method, behaviour);
    else this.completeSubscription(session, method);
    return 'paid';
  }

  /** A payment without the person. Throws ApiFault where the card refuses. */
  chargeOffSession({ amount, currency, customer, paymentMethod, metadata }: NewIntent): Intent {
    const behaviour = behaviourOf(this.state.cards[paymentMethod] ?? '');
    if (behaviour === undefined) {
      throw new ApiFault(400, `No such PaymentMethod: '${paymentMethod}'`, { type: 'invalid_request_error' });
    }
    const intent = this.newIntent(amount, currency, customer, paymentMethod, metadata);
    const fault =
      behaviour === 'authenticates_always'
        ? 'authentication_required'
        : behaviour === 'declined_later' || behaviour === 'declined'
          ? 'card_declined'
          : undefined;
    if (fault === undefined) {
      this.succeed(intent, behaviour);
      return intent;
    }
    intent.status = 'requires_payment_method';
    this.deliveries.add('payment_intent.payment_failed', intent);
    throw cardFault(fault, 'Your card was declined.', intent);
  }

  refund(charge: Charge, amount: number): void {
    charge.amount_refunded = Math.min(charge.amount, charge.amount_refunded + amount);
    charge.refunded = charge.amount_refunded === charge.amount;
    this.deliveries.add('charge.refunded', charge);
  }

  /** What a bank does that can't pay a refund out: all of it comes back. */
  failRefund(charge: Charge): void {
    const { id, amount_refunded: amount, currency, payment_intent } = charge;
    if (amount === 0) return;
    charge.amount_refunded = 0;
    charge.refunded = false;
    const refund = { ...this.base('re', 'refund'), amount, currency, charge: id, payment_intent, status: 'failed' };
    this.deliveries.add('refund.failed', refund);
  }

  dispute(charge: Charge): Dispute {
    const { amount, currency, payment_intent } = charge;
    const dispute: Dispute = {
      ...this.base('du', 'dispute'),
      amount,
      currency,
      status: 'needs_response',
      reason: 'fraudulent',
      charge: charge.id,
      payment_intent,
    };
    this.deliveries.add('charge.dispute.created', dispute);
    return (this.state.disputes[dispute.id] = dispute);
  }

  closeDispute(dispute: Dispute, status: 'won' | 'lost'): void {
    dispute.status = status;
    this.deliveries.add('charge.dispute.closed', dispute);
  }

  subscriptionOf(customer: string): Subscription | undefined {
    return Object.values(this.state.subscriptions).find(
      (subscription) => subscription.customer === customer && subscription.status !== 'canceled',
    );
  }

  /** What this customer paid, newest first. */
  paymentsOf(customer: string): readonly (Charge | Invoice)[] {
    const { charges, invoices } = this.state;
    return [...Object.values(charges), ...Object.values(invoices)]
      .filter((paid) => paid.customer === customer)
      .sort((one, other) => other.created - one.created);
  }

  changePrice(subscription: Subscription, price: Price): void {
    const [item] = subscription.items.data;
    if (item !== undefined) item.price = price;
    subscription.cancel_at_period_end = false;
    this.deliveries.add('customer.subscription.updated', subscription);
  }

  cancel(subscription: Subscription, when: 'now' | 'period_end'): void {
    if (when === 'period_end') {
      subscription.cancel_at_period_end = true;
      this.deliveries.add('customer.subscription.updated', subscription);
      return;
    }
    subscription.status = 'canceled';
    subscription.ended_at = secondsNow();
    this.deliveries.add('customer.subscription.deleted', subscription);
  }

  /** The end of a period: the next one is charged, or the subscription ends. */
  renew(subscription: Subscription): void {
    if (subscription.cancel_at_period_end) {
      this.cancel(subscription, 'now');
      return;
    }
    const method = this.state.customers[subscription.customer]?.invoice_settings.default_payment_method ?? '';
    const behaviour = behaviourOf(this.state.cards[method] ?? '');
    const paid = behaviour === 'pays' || behaviour === 'authenticates_once' || behaviour === 'disputed';
    subscription.status = paid ? 'active' : 'past_due';
    const [item] = subscription.items.data;
    if (paid && item !== undefined) item.current_period_end += MONTH;
    const invoice = this.newInvoice(subscription, paid, 'subscription_cycle');
    this.deliveries.add(paid ? 'invoice.paid' : 'invoice.payment_failed', invoice);
    this.deliveries.add('customer.subscription.updated', subscription);
  }

  /** A page that can be paid on no more. */
  expire(session: Session): Session {
    if (session.status !== 'open')
      throw new ApiFault(400, 'Only open sessions can be expired', { type: 'invalid_request_error' });
    session.status = 'expired';
    this.deliveries.add('checkout.session.expired', session);
    return session;
  }

  /** Expires the pages whose time is over. Returns whether any was. */
  expireDue(): boolean {
    const now = secondsNow();
    const due = Object.values(this.state.sessions).filter(
      ({ status, expires_at }) => status === 'open' && expires_at <= now,
    );
    for (const session of due) this.expire(session);
    return due.length > 0;
  }

  /** Renews whatever is due. Returns whether anything was. */
  renewDue(): boolean {
    const now = secondsNow();
    const due = Object.values(this.state.subscriptions).filter(
      ({ status, items }) => status === 'active' && (items.data[0]?.current_period_end ?? Infinity) <= now,
    );
    for (const subscription of due) this.renew(subscription);
    return due.length > 0;
  }

  /** Keeps the card as the customer's own, for payments without the person. */
  private keepCard(customerId: string, card: string): string {
    const method = newId('pm');
    this.state.cards[method] = card.replace(/[\s-]/g, '');
    const customer = this.find(this.state.customers, customerId, 'customer');
    customer.invoice_settings.default_payment_method = method;
    return method;
  }

  isKnown(card: string): boolean {
    return behaviourOf(card) !== undefined;
  }

  /** In the portal: the card of later payments. */
  changeCard(customerId: string, card: string): void {
    this.keepCard(customerId, card);
    this.deliveries.add('customer.updated', this.find(this.state.customers, customerId, 'customer'));
  }

  private completePayment(session: Session, method: string, behaviour: Behaviour): void {
    const { amount_total: amount, currency, customer, id } = session;
    const metadata = this.state.plans[id]?.intentMetadata ?? {};
    const intent = this.newIntent(amount ?? 0, currency ?? 'usd', customer, method, metadata);
    session.payment_intent = intent.id;
    this.succeed(intent, behaviour);
    this.complete(session);
  }

  private completeSubscription(session: Session, method: string): void {
    const plan = this.find(this.state.plans, session.id, 'plan');
    const price = this.find(this.state.prices, plan.price ?? '', 'price');
    const base = this.base('sub', 'subscription');
    const item = { id: newId('si'), current_period_end: base.created + MONTH, price };
    const subscription: Subscription = {
      ...base,
      status: 'active',
      start_date: base.created,
      cancel_at_period_end: false,
      ended_at: null,
      customer: session.customer,
      default_payment_method: method,
      metadata: plan.subscriptionMetadata,
      items: { object: 'list', data: [item] },
    };
    this.state.subscriptions[subscription.id] = subscription;
    session.subscription = subscription.id;
    this.deliveries.add('invoice.paid', this.newInvoice(subscription, true, 'subscription_create'));
    this.complete(session);
  }

  private complete(session: Session): void {
    session.status = 'complete';
    session.payment_status = 'paid';
    this.deliveries.add('checkout.session.completed', session);
  }

  private newInvoice(subscription: Subscription, paid: boolean, reason: Invoice['billing_reason']): Invoice {
    const price = subscription.items.data[0]?.price;
    const { id, metadata, customer } = subscription;
    const invoice: Invoice = {
      ...this.base('in', 'invoice'),
      status: paid ? 'paid' : 'open',
      amount_paid: paid ? (price?.unit_amount ?? 0) : 0,
      currency: price?.currency ?? 'usd',
      billing_reason: reason,
      customer,
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { subscription: id, metadata },
      },
    };
    return (this.state.invoices[invoice.id] = invoice);
  }

  private newIntent(amount: number, currency: string, customer: string, method: string, metadata: Metadata): Intent {
    const intent: Intent = {
      ...this.base('pi', 'payment_intent'),
      amount,
      currency,
      status: 'processing',
      customer,
      metadata,
      payment_method: method,
      latest_charge: null,
    };
    return (this.state.intents[intent.id] = intent);
  }

  private succeed(intent: Intent, behaviour: Behaviour): void {
    const { amount, currency, customer, metadata, id } = intent;
    const base = this.base('ch', 'charge');
    const charge: Charge = {
      ...base,
      receipt_url: `${this.baseUrl()}/receipts/${base.id}`,
      amount,
      amount_refunded: 0,
      currency,
      paid: true,
      refunded: false,
      customer,
      metadata,
      payment_intent: id,
    };
    this.state.charges[charge.id] = charge;
    intent.status = 'succeeded';
    intent.latest_charge = charge.id;
    this.deliveries.add('payment_intent.succeeded', intent);
    if (behaviour === 'disputed') this.dispute(charge);
  }

  private base<Kind extends string>(prefix: string, object: Kind) {
    return { id: newId(prefix), object, created: secondsNow(), livemode: this.livemode };
  }
}
