import { type CreditPackage } from '../../kernel/pricing.js';
import { type PaymentEvent, type PaymentHeld } from './payment.events.js';

export interface Purchase {
  readonly origin: 'checkout' | 'auto_recharge';
  readonly package: CreditPackage;
  readonly credits: number;
  readonly amountMinor: number;
}

interface Dispute {
  readonly state: 'open' | 'won' | 'lost';
  readonly amountMinor: number;
  readonly credits: number;
}

export interface Reversal {
  readonly reference: string;
  readonly credits: number;
}

export type PaymentStatus = 'absent' | 'open' | 'received' | 'failed' | 'cancelled' | 'expired';

/** One purchase, from its opening to whatever became of the money. */
export interface Payment {
  /** Absent for the checkout of a subscription, and for a payment that no one opened. */
  readonly purchase: Purchase | undefined;
  readonly status: PaymentStatus;
  /** In the smallest unit of the currency that was paid; refunds and disputes are parts of it. */
  readonly paidMinor: number;
  readonly held: PaymentHeld['data'] | undefined;
  /** An operator refused what was held. */
  readonly refused: boolean;
  readonly refundedMinor: number;
  /** Reports of refunds so far, which number their references. */
  readonly refundReports: number;
  /** What refunds took and nothing gave back, oldest first. */
  readonly reversals: readonly Reversal[];
  readonly disputes: Readonly<Record<string, Dispute>>;
}

export const initialState = (): Payment => ({
  purchase: undefined,
  status: 'absent',
  paidMinor: 0,
  held: undefined,
  refused: false,
  refundedMinor: 0,
  refundReports: 0,
  reversals: [],
  disputes: {},
});

export const withDispute = (payment: Payment, disputeId: string, changed: Partial<Dispute>): Payment => {
  const known = payment.disputes[disputeId] ?? { state: 'open', amountMinor: 0, credits: 0 };
  return { ...payment, disputes: { ...payment.disputes, [disputeId]: { ...known, ...changed } } };
};

export const evolve = (payment: Payment, event: PaymentEvent): Payment => {
  switch (event.type) {
    case 'PaymentOpened.v1': {
      const { origin, package: name, credits, amountMinor } = event.data;
      const purchase = { origin, package: name, credits, amountMinor };
      return { ...payment, status: 'open', purchase, paidMinor: amountMinor };
    }
    case 'SubscriptionCheckoutOpened.v1':
      return { ...payment, status: 'open' };
    case 'PaymentReceived.v1':
      return { ...payment, status: 'received', held: undefined };
    case 'PaymentFailed.v1':
      return { ...payment, status: 'failed' };
    case 'CheckoutEnded.v1':
      return { ...payment, status: event.data.how };
    case 'PaymentHeld.v1':
      return { ...payment, held: event.data };
    case 'HeldPaymentReleased.v1': {
      const paid = payment.held?.amountMinor ?? 0;
      return { ...payment, held: undefined, paidMinor: paid > 0 ? paid : payment.paidMinor };
    }
    case 'HeldPaymentRefused.v1':
      return { ...payment, held: undefined, refused: true };
    case 'PaymentRefunded.v1': {
      const { refundedMinor, credits, reference } = event.data;
      const reversals = credits === 0 ? payment.reversals : [...payment.reversals, { reference, credits }];
      return { ...payment, refundedMinor, refundReports: payment.refundReports + 1, reversals };
    }
    case 'RefundFailed.v1': {
      const { refundedMinor, reversalReference } = event.data;
      const reversals = payment.reversals.filter(({ reference }) => reference !== reversalReference);
      return { ...payment, refundedMinor, refundReports: payment.refundReports + 1, reversals };
    }
    case 'PaymentDisputed.v1': {
      const { disputeId, amountMinor, credits } = event.data;
      return withDispute(payment, disputeId, { amountMinor, credits });
    }
    case 'DisputeWon.v1':
      return withDispute(payment, event.data.disputeId, { state: 'won' });
    case 'DisputeLost.v1':
      return withDispute(payment, event.data.disputeId, { state: 'lost' });
    default:
      return payment;
  }
};
