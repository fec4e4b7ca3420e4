import { type Envelope } from '../../kernel/envelope.js';
import { type CreditPackage, type SubscriptionTier } from '../../kernel/pricing.js';
import { type HoldReason } from './payment.events.js';

interface Purchase {
  readonly purchaseId: string;
}

export interface OpenPayment extends Purchase {
  readonly type: 'OpenPayment';
  readonly origin: 'checkout' | 'auto_recharge';
  readonly package: CreditPackage;
  readonly labels?: Envelope;
}

export interface OpenSubscriptionCheckout extends Purchase {
  readonly type: 'OpenSubscriptionCheckout';
  readonly tier: SubscriptionTier;
  readonly amountMinor: number;
}

/** The provider reports a payment. */
export interface ReportPayment extends Purchase {
  readonly type: 'ReportPayment';
  /** Whether it is of this environment's mode: real money in production, test money in a sandbox. */
  readonly ownMode: boolean;
  readonly paid: boolean;
  readonly amountMinor: number;
  readonly currency: string;
  readonly providerId: string;
  readonly paymentIntentId: string | null;
}

export interface ReportFailure extends Purchase {
  readonly type: 'ReportFailure';
  readonly reason: string;
}

export interface EndCheckout extends Purchase {
  readonly type: 'EndCheckout';
  readonly how: 'cancelled' | 'expired';
}

export interface HoldPayment extends Purchase {
  readonly type: 'HoldPayment';
  readonly reason: HoldReason;
  readonly amountMinor: number | null;
  readonly currency: string;
  readonly providerId: string;
}

export interface ReleaseHeld extends Purchase {
  readonly type: 'ReleaseHeld';
}

export interface RefuseHeld extends Purchase {
  readonly type: 'RefuseHeld';
}

export interface ReportRefund extends Purchase {
  readonly type: 'ReportRefund';
  /** All refunds that stand, together, in the smallest unit of the currency that was paid. */
  readonly refundedMinor: number;
}

export interface ReportDispute extends Purchase {
  readonly type: 'ReportDispute';
  readonly disputeId: string;
  readonly amountMinor: number;
  readonly state: 'open' | 'won' | 'lost';
}

export type PaymentCommand =
  | OpenPayment
  | OpenSubscriptionCheckout
  | ReportPayment
  | ReportFailure
  | EndCheckout
  | HoldPayment
  | ReleaseHeld
  | RefuseHeld
  | ReportRefund
  | ReportDispute;
