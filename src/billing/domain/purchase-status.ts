import { type PaymentStatus } from './payment-state.js';

export const PURCHASE_STATUSES = [
  'pending',
  'paid',
  'failed',
  'cancelled',
  'expired',
  'refunded',
  'disputed',
  'held',
] as const;
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number];

/** What the status of a purchase follows from. Amounts are US cents. */
export interface PurchaseState {
  readonly status: PaymentStatus;
  readonly isHeld: boolean;
  readonly refused: boolean;
  readonly disputes: readonly ('open' | 'won' | 'lost')[];
  readonly refundedMinor: number;
  readonly paidMinor: number;
}

/** `disputed`: the bank took the money back, until the dispute is won. `refunded`: all of it went back to the buyer. */
export const purchaseStatusOf = ({
  status,
  isHeld,
  refused,
  disputes,
  refundedMinor,
  paidMinor,
}: PurchaseState): PurchaseStatus => {
  if (isHeld) return 'held';
  // What an operator refused may be paid another time.
  if (refused && status !== 'received') return 'failed';
  if (status === 'failed' || status === 'cancelled' || status === 'expired') return status;
  if (status !== 'received') return 'pending';
  if (disputes.some((state) => state !== 'won')) return 'disputed';
  return refundedMinor > 0 && refundedMinor >= paidMinor ? 'refunded' : 'paid';
};
