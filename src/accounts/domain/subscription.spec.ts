import { type BillingAccount } from '../../kernel/billing-accounts.js';
import { type TenantId } from '../../kernel/ids.js';
import { isRejection } from '../../kernel/rejection.js';
import { LapseSubscription, ObserveSubscription } from './subscription.commands.js';
import { billingAfter, lapse, noBilling, observe } from './subscription.js';

const tenantId = 't01jd0000000000000000000000' as TenantId;
const metadataAt = (at: string) => ({
  requestId: 'r',
  commandId: 'c',
  actor: { type: 'system', id: 's' } as const,
  at,
});
const AT = '2026-11-10T10:00:00.000Z';

type Seen = Partial<ObserveSubscription['data']>;

const seen = (billing: BillingAccount, changed: Seen = {}): BillingAccount => {
  const data = {
    version: billing.version,
    subscriptionId: 'sub_1',
    status: 'live' as const,
    tier: 'growth' as const,
    startedAt: '2026-11-01T10:00:00.000Z',
    periodEnd: '2026-12-01T10:00:00.000Z',
    cancelsAtPeriodEnd: false,
    since: AT,
    ...changed,
  };
  return observe(new ObserveSubscription(tenantId, data, metadataAt(AT)), billing).reduce(billingAfter, billing);
};

const lapsedAt = (billing: BillingAccount, at: string): BillingAccount =>
  lapse(new LapseSubscription(tenantId, { subscriptionId: 'sub_1' }, metadataAt(at)), billing).reduce(
    billingAfter,
    billing,
  );

describe('a subscription', () => {
  const started = seen(noBilling);

  it('starts once, however often it is seen', () => {
    expect(started.subscription).toMatchObject({ subscriptionId: 'sub_1', tier: 'growth', graceEnds: null });
    expect(seen(started)).toBe(started);
  });

  it('has an end of period that only grows', () => {
    const renewed = seen(started, { periodEnd: '2027-01-01T10:00:00.000Z' });
    expect(renewed.subscription?.periodEnd).toBe('2027-01-01T10:00:00.000Z');
    expect(seen(renewed, { periodEnd: '2026-12-01T10:00:00.000Z' })).toBe(renewed);
  });

  it('that is past due lapses after 7 days and not before, and comes back when it is paid', () => {
    const due = seen(started, { status: 'past_due' });
    expect(due.subscription?.graceEnds).toBe('2026-11-17T10:00:00.000Z');
    expect(seen(due, { status: 'past_due', since: '2026-11-12T10:00:00.000Z' })).toBe(due);
    expect(lapsedAt(due, '2026-11-17T09:59:59.999Z')).toBe(due);
    const lapsed = lapsedAt(due, '2026-11-17T10:00:00.000Z');
    expect(lapsed.subscription?.lapsed).toBe(true);
    expect(lapsedAt(lapsed, '2026-11-18T10:00:00.000Z')).toBe(lapsed);
    expect(seen(lapsed).subscription).toMatchObject({ lapsed: false, graceEnds: null });
    expect(lapsedAt(seen(due), '2026-11-18T10:00:00.000Z').subscription?.lapsed).toBe(false);
  });

  it('that has ended never comes back, even where its end is seen first', () => {
    const ended = seen(started, { status: 'ended' });
    expect(ended.subscription).toBeNull();
    expect(seen(ended)).toBe(ended);
    const unseen = seen(noBilling, { status: 'ended' });
    expect(seen(unseen)).toBe(unseen);
  });

  it('that ends leaves a newer one alone', () => {
    const second = seen(seen(started, { status: 'ended' }), { subscriptionId: 'sub_2' });
    expect(seen(second, { status: 'ended', subscriptionId: 'sub_1' }).subscription?.subscriptionId).toBe('sub_2');
  });

  it('is refused where the account changed after it was read', () => {
    let refusal: unknown;
    try {
      seen(started, { version: 0, tier: 'starter' });
    } catch (error) {
      refusal = error;
    }
    expect(isRejection(refusal, 'account_state_conflict')).toBe(true);
  });
});
