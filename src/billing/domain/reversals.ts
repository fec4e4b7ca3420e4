import { type ReportDispute, type ReportRefund } from './payment.commands.js';
import { type PaymentEvent } from './payment.events.js';
import { evolve, type Payment, withDispute } from './payment-state.js';

/** Whole credits for the share of what was paid that is with the buyer or a bank. */
const owed = ({ purchase, status, disputes, refundedMinor, paidMinor }: Payment): number => {
  if (purchase === undefined || status !== 'received') return 0;
  const disputed = Object.values(disputes).reduce(
    (sum, { state, amountMinor }) => sum + (state === 'won' ? 0 : amountMinor),
    0,
  );
  return Math.round((purchase.credits * Math.min(refundedMinor + disputed, paidMinor)) / paidMinor);
};

const taken = ({ reversals, disputes }: Payment): number =>
  [...reversals, ...Object.values(disputes).filter(({ state }) => state !== 'won')].reduce(
    (sum, { credits }) => sum + credits,
    0,
  );

/** Credits still to take, once the payment stands as `next`. */
const due = (next: Payment, payment: Payment): number => Math.max(0, owed(next) - taken(payment));

const refunded = (purchaseId: string, refundedMinor: number, payment: Payment): PaymentEvent => ({
  type: 'PaymentRefunded.v1',
  data: {
    purchaseId,
    refundedMinor,
    credits: due({ ...payment, refundedMinor }, payment),
    reference: `${purchaseId}:refund:${payment.refundReports}`,
  },
});

/** A reversal is given back whole; what of it is owed all the same is taken again. */
const refundFailed = (purchaseId: string, refundedMinor: number, payment: Payment): PaymentEvent => {
  const isOwed = taken(payment) <= owed({ ...payment, refundedMinor });
  const reversal = isOwed ? undefined : payment.reversals.at(-1);
  return {
    type: 'RefundFailed.v1',
    data: {
      purchaseId,
      refundedMinor,
      credits: reversal?.credits ?? 0,
      reversalReference: reversal?.reference ?? null,
      reference: `${purchaseId}:refund-failed:${payment.refundReports}`,
    },
  };
};

/** Only the whole credits of its own share, which stay due whatever becomes of refunds and other disputes. */
const disputed = (purchaseId: string, disputeId: string, amountMinor: number, payment: Payment): PaymentEvent => {
  const share = Math.floor(((payment.purchase?.credits ?? 0) * amountMinor) / payment.paidMinor);
  const credits = Math.min(share, due(withDispute(payment, disputeId, { amountMinor }), payment));
  const reference = `${purchaseId}:dispute:${disputeId}`;
  return { type: 'PaymentDisputed.v1', data: { purchaseId, disputeId, amountMinor, credits, reference } };
};

const won = (purchaseId: string, disputeId: string, credits: number): PaymentEvent => {
  const reversalReference = `${purchaseId}:dispute:${disputeId}`;
  const reference = `${reversalReference}:won`;
  return { type: 'DisputeWon.v1', data: { purchaseId, disputeId, credits, reversalReference, reference } };
};

/** Refunds and disputes of the same money take its credits once, so the end of one may leave some to give back or take. */
const balanced = (purchaseId: string, first: PaymentEvent, payment: Payment): PaymentEvent[] => {
  const events = [first];
  let state = evolve(payment, first);
  const add = (event: PaymentEvent): void => {
    events.push(event);
    state = evolve(state, event);
  };
  while (taken(state) > owed(state) && state.reversals.length > 0) {
    add(refundFailed(purchaseId, state.refundedMinor, state));
  }
  if (taken(state) < owed(state)) add(refunded(purchaseId, state.refundedMinor, state));
  return events;
};

/** A provider lowers what was refunded when a refund fails or is cancelled. */
export const reportRefund = ({ purchaseId, refundedMinor }: ReportRefund, payment: Payment): PaymentEvent[] => {
  if (refundedMinor === payment.refundedMinor) return [];
  return refundedMinor > payment.refundedMinor
    ? [refunded(purchaseId, refundedMinor, payment)]
    : balanced(purchaseId, refundFailed(purchaseId, refundedMinor, payment), payment);
};

export const reportDispute = (command: ReportDispute, payment: Payment): PaymentEvent[] => {
  const { purchaseId, disputeId, amountMinor, state } = command;
  const known = payment.disputes[disputeId];
  // A lost dispute may yet be won, by an appeal. Only that takes it further.
  if (known?.state === 'won' || (known?.state === 'lost' && state !== 'won')) return [];
  const opened =
    known === undefined ? balanced(purchaseId, disputed(purchaseId, disputeId, amountMinor, payment), payment) : [];
  switch (state) {
    case 'open':
      return opened;
    case 'lost':
      return [...opened, { type: 'DisputeLost.v1', data: { purchaseId, disputeId } }];
    case 'won':
      // The news that it was opened comes later, and then takes nothing.
      return balanced(purchaseId, won(purchaseId, disputeId, known?.credits ?? 0), payment);
  }
};

/** Refunds and disputes may be reported before the payment itself: each takes its part as if it came after. */
export const withReversals = (received: PaymentEvent, purchaseId: string, payment: Payment): PaymentEvent[] => {
  const events = [received];
  let state: Payment = { ...evolve(payment, received), refundedMinor: 0, disputes: {} };
  const add = (event: PaymentEvent): void => {
    events.push(event);
    state = evolve(state, event);
  };
  if (payment.refundedMinor > 0) add(refunded(purchaseId, payment.refundedMinor, state));
  for (const [disputeId, { state: standing, amountMinor }] of Object.entries(payment.disputes)) {
    if (standing !== 'won') add(disputed(purchaseId, disputeId, amountMinor, state));
  }
  if (taken(state) < owed(state)) add(refunded(purchaseId, state.refundedMinor, state));
  return events;
};
