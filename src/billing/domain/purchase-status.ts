import { type Payment } from './payment-state.js';

export const PURCHASE_STATUSES = ['pending', 'paid', 'failed', 'refunded', 'disputed', 'held'] as const;
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number];

/** `disputed`: the bank took the money back, until the dispute is won. `refunded`: all of it went back to the buyer. */
export const purchaseStatusOf = ({
  status,
  held,
  refused,
  disputes,
  refundedMinor,
  paidMinor,
}: Payment): PurchaseStatus => {
  if (held !== undefined) return 'held';
  // What an operator refused may be paid another time.
  if (status !== 'received') return status === 'failed' || refused ? 'failed' : 'pending';
  if (Object.values(disputes).some(({ state }) => state !== 'won')) return 'disputed';
  return refundedMinor > 0 && refundedMinor >= paidMinor ? 'refunded' : 'paid';
};
