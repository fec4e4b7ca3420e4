import { type Decider } from '../../kernel/decider.js';
import { unreachable } from '../../kernel/invariant.js';
import { CREDIT_PACKAGES } from '../../kernel/pricing.js';
import { refuse } from '../../kernel/rejection.js';
import {
  type EndCheckout,
  type HoldPayment,
  type OpenPayment,
  type OpenSubscriptionCheckout,
  type PaymentCommand,
  type RefuseHeld,
  type ReleaseHeld,
  type ReportFailure,
  type ReportPayment,
} from './payment.commands.js';
import { type HoldReason, type PaymentEvent } from './payment.events.js';
import { evolve, initialState, type Payment, type Purchase } from './payment-state.js';
import { reportDispute, reportRefund, withReversals } from './reversals.js';

const CURRENCY = 'usd';

const open = ({ purchaseId, origin, package: name, labels }: OpenPayment, { status }: Payment): PaymentEvent[] => {
  if (status !== 'absent') return [];
  const { credits, amountMinor } = CREDIT_PACKAGES[name];
  const data = { purchaseId, origin, package: name, credits, amountMinor };
  return [{ type: 'PaymentOpened.v1', data: labels === undefined ? data : { ...data, labels } }];
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

const end = ({ purchaseId, how }: EndCheckout, { status, held }: Payment): PaymentEvent[] =>
  status === 'open' && held === undefined ? [{ type: 'CheckoutEnded.v1', data: { purchaseId, how } }] : [];

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
    case 'EndCheckout':
      return end(command, payment);
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

export const paymentDecider: Decider<Payment, PaymentCommand, PaymentEvent> = { initialState, decide, evolve };
