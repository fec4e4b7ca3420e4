import { ACCOUNT_STREAM_PREFIX } from '../accounts/domain/account.events.js';
import { type SubscriptionEvent } from '../accounts/domain/subscription.events.js';
import { type Announcement, type Announcer } from '../kernel/announcement.js';
import { type StoredEvent } from '../kernel/events.js';
import { PAYMENT_STREAM_PREFIX, type PaymentEvent } from './domain/payment.events.js';

const dollars = (minor: number): number => minor / 100;

type Announced = Extract<PaymentEvent, { readonly type: 'PaymentReceived.v1' | 'PaymentFailed.v1' }>;

const ofPayment = ({ type, data }: Announced): Announcement => {
  const { purchaseId: purchase_id, package: name, amountMinor, origin } = data;
  const payment = { purchase_id, package: name, amount: dollars(amountMinor), currency: 'USD', origin };
  return type === 'PaymentReceived.v1'
    ? { type: 'billing.payment_succeeded', data: { ...payment, credits: data.credits } }
    : { type: 'billing.payment_failed', data: { ...payment, reason: data.reason } };
};

const ofSubscription = ({ type, data }: SubscriptionEvent): readonly Announcement[] => {
  const subscription_id = data.subscriptionId;
  const updated = (change: object): Announcement => ({
    type: 'subscription.updated',
    data: { subscription_id, ...change },
  });
  switch (type) {
    case 'SubscriptionStarted.v1':
      return [updated({ status: 'active', tier: data.tier, renews_at: data.periodEnd })];
    case 'SubscriptionRenewed.v1':
      return [updated({ status: 'active', renews_at: data.periodEnd })];
    case 'SubscriptionChanged.v1':
      // It may be past due meanwhile.
      return [updated({ tier: data.tier, cancels_at_period_end: data.cancelsAtPeriodEnd })];
    case 'SubscriptionPastDue.v1':
      return [
        { type: 'billing.payment_failed', data: { subscription_id, reason: 'past_due' } },
        updated({ status: 'past_due', grace_ends_at: data.graceEnds }),
      ];
    case 'SubscriptionLapsed.v1':
      return [updated({ status: 'lapsed' })];
    case 'SubscriptionEnded.v1':
      return [updated({ status: 'ended', ended_at: data.endedAt })];
  }
};

/** Payments for credits. */
export const paymentAnnouncer: Announcer = {
  streamPrefixes: [PAYMENT_STREAM_PREFIX],
  eventTypes: ['PaymentReceived.v1', 'PaymentFailed.v1'] satisfies readonly Announced['type'][],
  announce: (event: StoredEvent) => [ofPayment(event as StoredEvent & Announced)],
};

export const subscriptionAnnouncer: Announcer = {
  streamPrefixes: [ACCOUNT_STREAM_PREFIX],
  eventTypes: [
    'SubscriptionStarted.v1',
    'SubscriptionRenewed.v1',
    'SubscriptionChanged.v1',
    'SubscriptionPastDue.v1',
    'SubscriptionLapsed.v1',
    'SubscriptionEnded.v1',
  ] satisfies readonly SubscriptionEvent['type'][],
  announce: (event: StoredEvent) => ofSubscription(event as StoredEvent & SubscriptionEvent),
};
