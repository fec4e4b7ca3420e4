import { type Decider } from '../../kernel/decider.js';
import { unreachable } from '../../kernel/invariant.js';
import { CREDIT_PACKAGES, type CreditPackage } from '../../kernel/pricing.js';
import { refuse } from '../../kernel/rejection.js';
import {
  type HoldPayment,
  type OpenPayment,
  type OpenSubscriptionCheckout,
  type PaymentCommand,
  type RefuseHeld,
  type ReleaseHeld,
  type ReportDispute,
  type ReportFailure,
  type ReportPayment,
  type ReportRefund,
} from './payment.commands.js';
import { type HoldReason, type PaymentEvent, type PaymentHeld } from './payment.events.js';

interface Purchase {
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

/** One purchase, from its opening to whatever became of the money. */
export interface Payment {
  /** Absent for the checkout of a subscription, and for a payment that nobody opened. */
  readonly purchase: Purchase | undefined;
  readonly status: 'absent' | 'open' | 'received' | 'failed';
  /** In the smallest unit of the currency that was paid; refunds and disputes are parts of it. */
  readonly paidMinor: number;
  readonly held: PaymentHeld['data'] | undefined;
  /** An operator refused what was held. */
  readonly refused: boolean;
  readonly refundedMinor: number;
  readonly refundedCredits: number;
  readonly disputes: Readonly<Record<string, Dispute>>;
}

const initialState = (): Payment => ({
  purchase: undefined,
  status: 'absent',
  paidMinor: 0,
  held: undefined,
  refused: false,
  refundedMinor: 0,
  refundedCredits: 0,
  disputes: {},
});

const CURRENCY = 'usd';

const open = ({ purchaseId, origin, package: name }: OpenPayment, { status }: Payment): PaymentEvent[] => {
  if (status !== 'absent') return [];
  const { credits, amountMinor } = CREDIT_PACKAGES[name];
  return [{ type: 'PaymentOpened.v1', data: { purchaseId, origin, package: name, credits, amountMinor } }];
};

const openSubscription = (
  { purchaseId, tier, amountMinor }: OpenSubscriptionCheckout,
  { status }: Payment,
): PaymentEvent[] =>
  status === 'absent' ? [{ type: 'SubscriptionCheckoutOpened.v1', data: { purchaseId, tier, amountMinor } }] : [];

/** Why a reported payment may not be granted; undefined if it may. */
const faultOf = (report: ReportPayment, { purchase, refused }: Payment): HoldReason | undefined => {
  if (purchase === undefined) return 'unknown_purchase';
  if (!report.ownMode) return 'other_mode';
  if (!report.paid) return 'unpaid';
  if (report.currency !== CURRENCY) return 'other_currency';
  if (report.amountMinor !== purchase.amountMinor) return 'other_amount';
  return refused ? 'refused_before' : undefined;
};

const hold = (command: HoldPayment & { paymentIntentId?: string | null }, payment: Payment): PaymentEvent[] => {
  const { purchaseId, reason, amountMinor, currency, providerId, paymentIntentId = null } = command;
  if (payment.held?.reason === reason && payment.held.providerId === providerId) return [];
  // What an operator refused stays refused, unless the money came another time.
  if (payment.refused && reason !== 'refused_before') return [];
  const known = payment.purchase?.package ?? null;
  const data = { purchaseId, reason, amountMinor, currency, providerId, paymentIntentId, package: known };
  return [{ type: 'PaymentHeld.v1', data }];
};

type Paid = Pick<ReportPayment, 'purchaseId' | 'providerId' | 'paymentIntentId'>;

const received = ({ purchaseId, providerId, paymentIntentId }: Paid, purchase: Purchase): PaymentEvent => ({
  type: 'PaymentReceived.v1',
  data: {
    purchaseId,
    reference: purchaseId,
    origin: purchase.origin,
    package: purchase.package,
    credits: purchase.credits,
    amountMinor: purchase.amountMinor,
    currency: 'USD',
    providerId,
    paymentIntentId,
  },
});

/** Refunds and disputes may be reported before the payment itself. */
const withReversals = (event: PaymentEvent, purchaseId: string, payment: Payment): PaymentEvent[] => {
  const events = [event];
  let state = evolve(payment, event);
  const add = (further: PaymentEvent): void => {
    events.push(further);
    state = evolve(state, further);
  };
  if (payment.refundedMinor > 0) add(refunded(purchaseId, payment.refundedMinor, state));
  for (const [disputeId, { state: standing, amountMinor }] of Object.entries(payment.disputes)) {
    if (standing !== 'won') add(disputed(purchaseId, disputeId, amountMinor, state));
  }
  return events;
};

const report = (command: ReportPayment, payment: Payment): PaymentEvent[] => {
  if (payment.status === 'received') return [];
  const reason = faultOf(command, payment);
  if (reason !== undefined || payment.purchase === undefined) {
    return hold({ ...command, type: 'HoldPayment', reason: reason ?? 'unknown_purchase' }, payment);
  }
  return withReversals(received(command, payment.purchase), command.purchaseId, payment);
};

const fail = ({ purchaseId, reason }: ReportFailure, { status, purchase }: Payment): PaymentEvent[] => {
  if (status !== 'open' || purchase === undefined) return [];
  const { origin, package: name, amountMinor } = purchase;
  return [{ type: 'PaymentFailed.v1', data: { purchaseId, origin, package: name, amountMinor, reason } }];
};

const release = ({ purchaseId }: ReleaseHeld, payment: Payment): PaymentEvent[] => {
  const { held, purchase, status } = payment;
  if (status === 'received') return [];
  if (held === undefined) throw refuse('not_found');
  if (purchase === undefined) {
    throw refuse('payment_not_grantable', { detail: 'There is no package to grant: refuse it and return the money.' });
  }
  const released: PaymentEvent = { type: 'HeldPaymentReleased.v1', data: { purchaseId } };
  const { providerId, paymentIntentId } = held;
  const paid = received({ purchaseId, providerId, paymentIntentId }, purchase);
  return [released, ...withReversals(paid, purchaseId, evolve(payment, released))];
};

const refuseHeld = ({ purchaseId }: RefuseHeld, { held, refused }: Payment): PaymentEvent[] => {
  if (held === undefined && refused) return [];
  if (held === undefined) throw refuse('not_found');
  return [{ type: 'HeldPaymentRefused.v1', data: { purchaseId } }];
};

/** Whole credits for a part of what was paid, as far as they were not taken back already. */
const proRata = (amountMinor: number, payment: Payment, already: number): number => {
  const { purchase, status, disputes, paidMinor } = payment;
  if (purchase === undefined || status !== 'received') return 0;
  const disputed = Object.values(disputes).reduce(
    (sum, { state, credits }) => sum + (state === 'won' ? 0 : credits),
    0,
  );
  const owed = Math.round((purchase.credits * Math.min(amountMinor, paidMinor)) / paidMinor);
  return Math.max(0, Math.min(owed - already, purchase.credits - payment.refundedCredits - disputed));
};

const refunded = (purchaseId: string, refundedMinor: number, payment: Payment, after = ''): PaymentEvent => ({
  type: 'PaymentRefunded.v1',
  data: {
    purchaseId,
    refundedMinor,
    credits: proRata(refundedMinor, payment, payment.refundedCredits),
    reference: `${purchaseId}:refund:${refundedMinor}${after}`,
  },
});

const disputed = (purchaseId: string, disputeId: string, amountMinor: number, payment: Payment): PaymentEvent => ({
  type: 'PaymentDisputed.v1',
  data: {
    purchaseId,
    disputeId,
    amountMinor,
    credits: proRata(amountMinor, payment, 0),
    reference: `${purchaseId}:dispute:${disputeId}`,
  },
});

const reportRefund = ({ purchaseId, refundedMinor }: ReportRefund, payment: Payment): PaymentEvent[] =>
  refundedMinor > payment.refundedMinor ? [refunded(purchaseId, refundedMinor, payment)] : [];

const won = (purchaseId: string, disputeId: string, credits: number): PaymentEvent => {
  const reversalReference = `${purchaseId}:dispute:${disputeId}`;
  const reference = `${reversalReference}:won`;
  return { type: 'DisputeWon.v1', data: { purchaseId, disputeId, credits, reversalReference, reference } };
};

/** While a dispute holds the credits, a refund can't take them. It takes its part once the dispute is won. */
const refundAfter = (
  victory: PaymentEvent,
  purchaseId: string,
  disputeId: string,
  payment: Payment,
): PaymentEvent[] => {
  const state = evolve(payment, victory);
  const { refundedMinor, refundedCredits } = state;
  return proRata(refundedMinor, state, refundedCredits) > 0
    ? [refunded(purchaseId, refundedMinor, state, `:after:${disputeId}`)]
    : [];
};

const reportDispute = (command: ReportDispute, payment: Payment): PaymentEvent[] => {
  const { purchaseId, disputeId, amountMinor, state } = command;
  const known = payment.disputes[disputeId];
  if (known !== undefined && known.state !== 'open') return [];
  const opened = known === undefined ? [disputed(purchaseId, disputeId, amountMinor, payment)] : [];
  switch (state) {
    case 'open':
      return opened;
    case 'lost':
      return [...opened, { type: 'DisputeLost.v1', data: { purchaseId, disputeId } }];
    case 'won': {
      // The news that it was opened comes later, and then takes nothing.
      const victory = won(purchaseId, disputeId, known?.credits ?? 0);
      return [victory, ...refundAfter(victory, purchaseId, disputeId, payment)];
    }
  }
};

const decide = (command: PaymentCommand, payment: Payment): PaymentEvent[] => {
  switch (command.type) {
    case 'OpenPayment':
      return open(command, payment);
    case 'OpenSubscriptionCheckout':
      return openSubscription(command, payment);
    case 'ReportPayment':
      return report(command, payment);
    case 'ReportFailure':
      return fail(command, payment);
    case 'HoldPayment':
      return hold(command, payment);
    case 'ReleaseHeld':
      return release(command, payment);
    case 'RefuseHeld':
      return refuseHeld(command, payment);
    case 'ReportRefund':
      return reportRefund(command, payment);
    case 'ReportDispute':
      return reportDispute(command, payment);
    default:
      return unreachable(command);
  }
};

const withDispute = (payment: Payment, disputeId: string, changed: Partial<Dispute>): Payment => {
  const known = payment.disputes[disputeId] ?? { state: 'open', amountMinor: 0, credits: 0 };
  return { ...payment, disputes: { ...payment.disputes, [disputeId]: { ...known, ...changed } } };
};

function evolve(payment: Payment, event: PaymentEvent): Payment {
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
    case 'PaymentHeld.v1':
      return { ...payment, held: event.data };
    case 'HeldPaymentReleased.v1': {
      const paid = payment.held?.amountMinor ?? 0;
      return { ...payment, held: undefined, paidMinor: paid > 0 ? paid : payment.paidMinor };
    }
    case 'HeldPaymentRefused.v1':
      return { ...payment, held: undefined, refused: true };
    case 'PaymentRefunded.v1': {
      const { refundedMinor, credits } = event.data;
      return { ...payment, refundedMinor, refundedCredits: payment.refundedCredits + credits };
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
}

export const paymentDecider: Decider<Payment, PaymentCommand, PaymentEvent> = { initialState, decide, evolve };
