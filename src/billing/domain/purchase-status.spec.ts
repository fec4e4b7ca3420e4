import { initialState, type Payment } from './payment-state.js';
import { purchaseStatusOf } from './purchase-status.js';

const payment = (changed: Partial<Payment>): Payment => ({ ...initialState(), paidMinor: 6_000, ...changed });

describe('the status of a purchase', () => {
  it.each([
    ['pending', { status: 'open' }],
    ['paid', { status: 'received' }],
    ['paid', { status: 'received', refundedMinor: 3_000 }],
    ['refunded', { status: 'received', refundedMinor: 6_000 }],
    ['failed', { status: 'failed' }],
    ['failed', { status: 'open', refused: true }],
    ['paid', { status: 'received', refused: true }],
    ['disputed', { status: 'received', disputes: { dp: { state: 'open', amountMinor: 6_000, credits: 1 } } }],
    ['disputed', { status: 'received', disputes: { dp: { state: 'lost', amountMinor: 6_000, credits: 1 } } }],
    ['paid', { status: 'received', disputes: { dp: { state: 'won', amountMinor: 6_000, credits: 1 } } }],
    ['held', { status: 'open', held: {} as NonNullable<Payment['held']> }],
  ] as const)('is %s for %j', (expected, changed) => expect(purchaseStatusOf(payment(changed))).toBe(expected));
});
