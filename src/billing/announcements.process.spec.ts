import { type SubscriptionEvent } from '../accounts/domain/subscription.events.js';
import { ANNOUNCEMENTS } from '../kernel/contract.js';
import { type DomainEvent } from '../kernel/decider.js';
import { type StoredEvent } from '../kernel/events.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { paymentAnnouncer, subscriptionAnnouncer } from './announcements.process.js';
import { type PaymentEvent } from './domain/payment.events.js';

const AT = '2026-11-27T10:00:00.000Z';
const LATER = '2026-12-27T10:00:00.000Z';
const tenantId = newTenantId();

const stored = ({ type, data }: DomainEvent): StoredEvent => ({
  id: newUuid(),
  type,
  data,
  metadata: { $correlationId: 'r', actor: { type: 'system', id: 's' }, time: AT, schemaVersion: 1 },
  stream: `account-${tenantId}`,
  revision: 0n,
  position: 0n,
  created: new Date(AT),
});

const ofPayment = (event: PaymentEvent) => paymentAnnouncer.announce(stored(event));
const ofSubscription = (event: SubscriptionEvent) => subscriptionAnnouncer.announce(stored(event));

const purchaseId = newUuid();
const opened = { purchaseId, origin: 'checkout', package: 'small', amountMinor: 12_000 } as const;
const bought = { purchase_id: purchaseId, package: 'small', amount: 120, currency: 'USD', origin: 'checkout' };
const received: PaymentEvent = {
  type: 'PaymentReceived.v1',
  data: {
    ...opened,
    ...{ reference: purchaseId, credits: 1_000, currency: 'USD', providerId: 'cs_1', paymentIntentId: 'pi_1' },
  },
};
const failed: PaymentEvent = { type: 'PaymentFailed.v1', data: { ...opened, reason: 'card_declined' } };

const subscriptionId = 'sub_1';
const SUBSCRIPTION_EVENTS: readonly SubscriptionEvent[] = [
  { type: 'SubscriptionStarted.v1', data: { subscriptionId, tier: 'growth', startedAt: AT, periodEnd: LATER } },
  { type: 'SubscriptionRenewed.v1', data: { subscriptionId, periodEnd: LATER } },
  { type: 'SubscriptionChanged.v1', data: { subscriptionId, tier: 'starter', cancelsAtPeriodEnd: true } },
  { type: 'SubscriptionPastDue.v1', data: { subscriptionId, since: AT, graceEnds: LATER } },
  { type: 'SubscriptionLapsed.v1', data: { subscriptionId, lapsedAt: AT } },
  { type: 'SubscriptionEnded.v1', data: { subscriptionId, endedAt: AT } },
];

describe('what webhooks hear of payments', () => {
  it('is that one succeeded or failed, in dollars', () => {
    expect([...ofPayment(received), ...ofPayment(failed)]).toEqual([
      { type: 'billing.payment_succeeded', data: { ...bought, credits: 1_000 } },
      { type: 'billing.payment_failed', data: { ...bought, reason: 'card_declined' } },
    ]);
    expect(paymentAnnouncer.eventTypes).toEqual(['PaymentReceived.v1', 'PaymentFailed.v1']);
  });
});

describe('what webhooks hear of a subscription', () => {
  it('is each of its changes', () => {
    const updated = (change: object) => ({
      type: 'subscription.updated',
      data: { subscription_id: subscriptionId, ...change },
    });
    expect(SUBSCRIPTION_EVENTS.flatMap(ofSubscription)).toEqual([
      updated({ status: 'active', tier: 'growth', renews_at: LATER }),
      updated({ status: 'active', renews_at: LATER }),
      updated({ tier: 'starter', cancels_at_period_end: true }),
      { type: 'billing.payment_failed', data: { subscription_id: subscriptionId, reason: 'past_due' } },
      updated({ status: 'past_due', grace_ends_at: LATER }),
      updated({ status: 'lapsed' }),
      updated({ status: 'ended', ended_at: AT }),
    ]);
    expect(subscriptionAnnouncer.eventTypes).toEqual(SUBSCRIPTION_EVENTS.map(({ type }) => type));
  });
});

it('what webhooks hear of either has the members that its description shows, and no other', () => {
  const announcements = [...ofPayment(received), ...ofPayment(failed), ...SUBSCRIPTION_EVENTS.flatMap(ofSubscription)];
  for (const { type, data } of announcements) {
    const { example, optional = [] } = ANNOUNCEMENTS[type];
    const needed = Object.keys(example).filter((name) => !optional.includes(name));
    expect(Object.keys(example)).toEqual(expect.arrayContaining(Object.keys(data)));
    expect(Object.keys(data)).toEqual(expect.arrayContaining(needed));
  }
});
