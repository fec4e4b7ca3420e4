import { usedEvent } from './event-shapes.js';
import { noticeOf } from './notices.js';
import { type PaymentNotice } from './payments.js';

const metadata = { tenant: 't01jd0000000000000000000000', purchase: '88888888-8888-4888-8888-888888888888' };
const marks = { tenantId: metadata.tenant, purchaseId: metadata.purchase, origin: undefined };
const none = { tenantId: undefined, purchaseId: undefined, origin: undefined };

const noticed = (type: string, api_version: string, object: object): PaymentNotice | undefined => {
  const event = { id: 'evt_1', object: 'event', type, api_version, created: 1_763_000_000, livemode: false };
  const used = usedEvent({ ...event, data: { object } });
  return used && noticeOf(used);
};

describe.each([
  ['invoice.paid', false],
  ['invoice.payment_failed', true],
])('%s of a subscription', (type, paymentFailed) => {
  it.each<[string, object, object]>([
    [
      '2026-01-28.clover',
      { parent: { type: 'subscription_details', subscription_details: { subscription: 'sub_1', metadata } } },
      marks,
    ],
    ['2024-06-20', { subscription: 'sub_1', subscription_details: { metadata } }, marks],
    ['2024-06-20', { subscription: { id: 'sub_1' }, subscription_details: { metadata: null } }, none],
    ['2022-11-15', { subscription: 'sub_1', subscription_details: null }, none],
    ['2020-08-27', { subscription: 'sub_1', parent: undefined }, none],
    [
      '2020-08-27',
      { subscription: 'sub_1', parent: null, lines: { data: [{ metadata }] } },
      expect.any(Object) as object,
    ],
  ])('is read in the form of the API version %s (case %#)', (version, object, expectedMarks) => {
    const invoice = { id: 'in_1', object: 'invoice', billing_reason: 'subscription_cycle', ...object };
    expect(noticed(type, version, invoice)).toMatchObject({
      kind: 'subscription',
      subscriptionId: 'sub_1',
      paymentFailed,
      marks: expectedMarks,
    });
  });

  it('is refused where it is in none of the forms, and passed over where it is of no subscription', () => {
    const invoice = { id: 'in_1', billing_reason: 'subscription_cycle', subscription_of: 'sub_1' };
    expect(() => noticed(type, '2031-01-01', invoice)).toThrow(/data\.object\.subscription takes/);
    expect(noticed(type, '2031-01-01', { ...invoice, billing_reason: 'manual' })).toBeUndefined();
  });

  it('is refused by the member where that has another form, as in the present version', () => {
    const invoice = { id: 'in_1', billing_reason: 'subscription_cycle', subscription: 7 };
    expect(() => noticed(type, '2024-06-20', invoice)).toThrow(/data\.object\.subscription takes/);
  });
});

it('of a dispute in a state that nobody here knows is refused by name', () =>
  expect(() =>
    noticed('charge.dispute.closed', '2026-01-01', {
      id: 'du_1',
      status: 'settled',
      amount: 1,
      payment_intent: 'pi_1',
    }),
  ).toThrow(/data\.object\.status takes one of needs_response/));

describe.each([
  ['charge.dispute.created', 'needs_response'],
  ['refund.failed', 'failed'],
])('%s', (type, status) => {
  it('is read where it names its charge alone, as before the API version 2019-12-03', () => {
    const reversal = { id: 'du_1', status, amount: 12_000, charge: 'ch_1' };
    expect(noticed(type, '2019-02-11', reversal)).toMatchObject({
      reversed: { paymentIntentId: null, chargeId: 'ch_1' },
    });
  });
});
