import { type PurchaseState, purchaseStatusOf } from './purchase-status.js';

const payment = (changed: Partial<PurchaseState>): PurchaseState => ({
  ...{ status: 'absent', isHeld: false, refused: false, disputes: [], refundedMinor: 0 },
  ...{ paidMinor: 6_000, ...changed },
});

describe('the status of a purchase', () => {
  it.each([
    ['pending', { status: 'open' }],
    ['paid', { status: 'received' }],
    ['paid', { status: 'received', refundedMinor: 3_000 }],
    ['refunded', { status: 'received', refundedMinor: 6_000 }],
    ['failed', { status: 'failed' }],
    ['failed', { status: 'open', refused: true }],
    ['paid', { status: 'received', refused: true }],
    ['disputed', { status: 'received', disputes: ['open'] }],
    ['disputed', { status: 'received', disputes: ['lost'] }],
    ['paid', { status: 'received', disputes: ['won'] }],
    ['held', { status: 'open', isHeld: true }],
  ] as const)('is %s for %j', (expected, changed) => expect(purchaseStatusOf(payment(changed))).toBe(expected));
});
