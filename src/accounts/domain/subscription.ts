import { type BillingAccount, type Subscription } from '../../kernel/billing-accounts.js';
import { refuse } from '../../kernel/rejection.js';
import { type KeepPaymentCustomer, type LapseSubscription, type ObserveSubscription } from './subscription.commands.js';
import { type PaymentCustomerKept, type SubscriptionEvent, type SubscriptionStarted } from './subscription.events.js';

/** 7 days after a failed payment. */
const GRACE_MS = 7 * 86_400_000;
/** Most ended subscriptions that an account remembers. Events about older ones come no more. */
const MAX_ENDED = 100;

export const noBilling: BillingAccount = {
  customerId: null,
  paymentMethodId: null,
  subscription: null,
  ended: [],
  version: 0,
};

type Observed = ObserveSubscription['data'];

const newSubscription = ({
  subscriptionId,
  tier,
  startedAt,
  periodEnd,
}: SubscriptionStarted['data']): Subscription => ({
  subscriptionId,
  tier,
  startedAt,
  periodEnd,
  cancelsAtPeriodEnd: false,
  graceEnds: null,
  lapsed: false,
});

const changes = (observed: Observed, known: Subscription): SubscriptionEvent[] => {
  const { subscriptionId, tier, cancelsAtPeriodEnd, status, since } = observed;
  const events: SubscriptionEvent[] = [];
  if (tier !== known.tier || cancelsAtPeriodEnd !== known.cancelsAtPeriodEnd) {
    events.push({ type: 'SubscriptionChanged.v1', data: { subscriptionId, tier, cancelsAtPeriodEnd } });
  }
  const periodEnd = observed.periodEnd > known.periodEnd ? observed.periodEnd : known.periodEnd;
  const paidAfterAll = status === 'live' && known.graceEnds !== null;
  if (paidAfterAll || (status === 'live' && periodEnd > known.periodEnd)) {
    events.push({ type: 'SubscriptionRenewed.v1', data: { subscriptionId, periodEnd } });
  }
  if (status === 'past_due' && known.graceEnds === null) {
    const graceEnds = new Date(Date.parse(since) + GRACE_MS).toISOString();
    events.push({ type: 'SubscriptionPastDue.v1', data: { subscriptionId, since, graceEnds } });
  }
  return events;
};

export const observe = ({ data }: ObserveSubscription, billing: BillingAccount): SubscriptionEvent[] => {
  if (billing.ended.includes(data.subscriptionId)) return [];
  // Something changed after the account was read and the provider asked: the caller asks again.
  if (data.version !== billing.version) throw refuse('account_state_conflict');
  if (data.status === 'ended') {
    return [{ type: 'SubscriptionEnded.v1', data: { subscriptionId: data.subscriptionId, endedAt: data.since } }];
  }
  const known = billing.subscription;
  if (known?.subscriptionId === data.subscriptionId) return changes(data, known);
  const { subscriptionId, tier, startedAt, periodEnd } = data;
  const beginning = { subscriptionId, tier, startedAt, periodEnd };
  return [{ type: 'SubscriptionStarted.v1', data: beginning }, ...changes(data, newSubscription(beginning))];
};

export const lapse = ({ data, metadata }: LapseSubscription, { subscription }: BillingAccount): SubscriptionEvent[] => {
  const { subscriptionId } = data;
  if (subscription?.subscriptionId !== subscriptionId || subscription.lapsed) return [];
  if (subscription.graceEnds === null || subscription.graceEnds > metadata.at) return [];
  return [{ type: 'SubscriptionLapsed.v1', data: { subscriptionId, lapsedAt: metadata.at } }];
};

export const keepCustomer = ({ data }: KeepPaymentCustomer, billing: BillingAccount): PaymentCustomerKept[] => {
  const { customerId } = data;
  const sameCustomer = billing.customerId === customerId;
  const paymentMethodId = data.paymentMethodId ?? (sameCustomer ? billing.paymentMethodId : null);
  if (sameCustomer && billing.paymentMethodId === paymentMethodId) return [];
  return [{ type: 'PaymentCustomerKept.v1', data: { customerId, paymentMethodId } }];
};

const subscriptionAfter = (event: SubscriptionEvent, known: Subscription | null): Subscription | null => {
  if (event.type === 'SubscriptionStarted.v1') return newSubscription(event.data);
  if (known?.subscriptionId !== event.data.subscriptionId) return known;
  switch (event.type) {
    case 'SubscriptionRenewed.v1':
      return { ...known, periodEnd: event.data.periodEnd, graceEnds: null, lapsed: false };
    case 'SubscriptionChanged.v1':
      return { ...known, tier: event.data.tier, cancelsAtPeriodEnd: event.data.cancelsAtPeriodEnd };
    case 'SubscriptionPastDue.v1':
      return { ...known, graceEnds: event.data.graceEnds };
    case 'SubscriptionLapsed.v1':
      return { ...known, lapsed: true };
    case 'SubscriptionEnded.v1':
      return null;
    default:
      return known;
  }
};

export const billingAfter = (
  billing: BillingAccount,
  event: SubscriptionEvent | PaymentCustomerKept,
): BillingAccount => {
  if (event.type === 'PaymentCustomerKept.v1') {
    const { customerId, paymentMethodId } = event.data;
    return { ...billing, customerId, paymentMethodId };
  }
  const ended =
    event.type === 'SubscriptionEnded.v1'
      ? [...billing.ended, event.data.subscriptionId].slice(-MAX_ENDED)
      : billing.ended;
  const subscription = subscriptionAfter(event, billing.subscription);
  return { ...billing, subscription, ended, version: billing.version + 1 };
};
