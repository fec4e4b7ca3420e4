import { type CreditAccount } from './credit-account.js';
import { type Decider } from '../../kernel/decider.js';
import { invariant } from '../../kernel/invariant.js';
import { OverlayMap } from '../../kernel/overlay-map.js';
import { refuse } from '../../kernel/rejection.js';
import { newAlerts, rearmed, setThresholds } from './alerts.js';
import { isCredits, MAXIMUM_BALANCE } from './amounts.js';
import {
  configure,
  fail,
  followSuspension,
  withoutPendingPurchase,
  type Moment,
  newAutoRecharge,
  requested,
  review,
} from './auto-recharge.js';
import { carryForward, fromSnapshot } from './carrying.js';
import {
  type AdjustCredits,
  type ChargeOperation,
  type ConfirmFunds,
  type DatedCommand,
  type DeductCredits,
  type RefundDeduction,
  type ReverseCharge,
  type SettleDeduction,
} from './credits.commands.js';
import { type Caps } from '../../kernel/charging.js';
import { type CreditEvent, type CreditsRestored, type CreditsReversed } from './credits.events.js';
import { withLowBalanceEffects } from './low-balance.js';
import { isGivenBack, returnCredits } from './giving-back.js';
import {
  announceCap,
  announced,
  cappedBy,
  draftOfSpending,
  giveBack,
  refuseBeyondCap,
  spend,
  spendingOn,
} from './key-caps.js';
import { purchase, restoreCredits, reverseCredits } from './purchases.js';
import { isCounted } from './references.js';

export const initialState = (): CreditAccount => ({
  balance: 0,
  open: new OverlayMap(),
  references: new OverlayMap(),
  referencesForgotten: false,
  reversals: new OverlayMap(),
  reversalsSince: '',
  carriedFor: null,
  debt: 0,
  alerts: newAlerts(),
  recharge: newAutoRecharge(),
  spending: spendingOn(''),
});

/** A copy on which decisions can be tried. The account itself stays unchanged. */
export const draftOf = (account: CreditAccount): CreditAccount => ({
  ...account,
  open: account.open.draft(),
  references: account.references.draft(),
  reversals: account.reversals.draft(),
  spending: draftOfSpending(account.spending),
});

type Dated<Command> = Command & Pick<DatedCommand, 'today'>;

const adjust = (command: Dated<AdjustCredits>, account: CreditAccount): CreditEvent[] => {
  const { data, older } = command;
  invariant(isCredits(data.amount) && data.amount !== 0, 'an adjustment moves whole credits');
  if (isCounted(data, account, older)) return [];
  const balance = account.balance + data.amount;
  if (balance < 0) throw refuse('adjustment_below_zero');
  if (balance > MAXIMUM_BALANCE) throw refuse('balance_limit_exceeded');
  const { reference, amount, reason } = data;
  const adjusted: CreditEvent = { type: 'CreditsAdjusted.v1', data: { reference, amount, reason } };
  return amount > 0 ? [adjusted] : withLowBalanceEffects(adjusted, account, balance, command);
};

interface Spending {
  readonly data: { readonly amount: number; readonly caps?: Caps };
  readonly today: string;
}

/** Refuses an amount above a cap of the key or above the balance. A cap comes first, since it asks for no recharge. */
const cover = ({ data: { amount, caps }, today }: Spending, account: CreditAccount): void => {
  refuseBeyondCap(account.spending, caps, amount, today);
  if (account.balance === 0) throw refuse('credits_depleted');
  if (account.balance < amount) throw refuse('insufficient_credits');
};

const charge = (command: Dated<ChargeOperation>, account: CreditAccount): CreditEvent[] => {
  const { data } = command;
  invariant(isCredits(data.amount) && data.amount > 0, 'a charge is positive');
  cover(command, account);
  const balance = account.balance - data.amount;
  const charged: CreditEvent = {
    type: 'OperationCharged.v1',
    data: {
      chargeId: data.chargeId,
      operation: data.operation,
      amount: data.amount,
      balance,
      requestId: data.requestId,
      action: data.action,
      result: data.result,
      access: data.access,
      ...cappedBy(account.spending, data.caps, command.today),
      ...(data.subject === undefined ? {} : { subject: data.subject }),
      ...(data.record === undefined ? {} : { record: data.record }),
    },
  };
  return withLowBalanceEffects(charged, account, balance, command);
};

/** Counts once, even if several processes reverse the charge, and not where the credits came back otherwise. */
const reverse = ({ data }: ReverseCharge, account: CreditAccount): CreditEvent[] => {
  if (isGivenBack(account, data.chargeId)) return [];
  // The account may have forgotten that they came back, so a search of the stream must have found it settled. A carry
  // after the search makes it out of date.
  if (data.chargedAt < account.reversalsSince && data.searchedIn !== account.carriedFor) return [];
  return [
    {
      type: 'ChargeReversed.v1',
      data: {
        chargeId: data.chargeId,
        revision: data.revision,
        chargedAt: data.chargedAt,
        operation: data.operation,
        amount: data.amount,
        balance: account.balance + data.amount,
        chargedBy: data.chargedBy,
        ...(data.capped === undefined ? {} : { capped: data.capped }),
      },
    },
  ];
};

const confirmFunds = (command: Dated<ConfirmFunds>, account: CreditAccount): CreditEvent[] => {
  cover(command, account);
  return [];
};

const deduct = (command: Dated<DeductCredits>, account: CreditAccount): CreditEvent[] => {
  const { data } = command;
  invariant(isCredits(data.amount) && data.amount > 0, 'a deduction is positive');
  // A retry after a lost acknowledgement finds its own deduction still open.
  const earlier = account.open.get(data.deductionId);
  if (earlier?.amount === data.amount && earlier.operation === data.operation) return [];
  if (earlier !== undefined) throw refuse('deduction_id_reused');
  cover(command, account);
  const { deductionId, operation, amount, requestId } = data;
  const capped = cappedBy(account.spending, data.caps, command.today);
  const deducted: CreditEvent = {
    type: 'CreditsDeducted.v1',
    data: { deductionId, operation, amount, requestId, ...capped },
  };
  return withLowBalanceEffects(deducted, account, account.balance - amount, command);
};

const settle = ({ data }: SettleDeduction, account: CreditAccount): CreditEvent[] => {
  // A deduction that another process has refunded stays as it is.
  if (!account.open.has(data.deductionId)) return [];
  return [
    {
      type: 'DeductionSettled.v1',
      data: {
        deductionId: data.deductionId,
        operation: data.operation,
        amount: data.amount,
        deductedAt: data.deductedAt,
        requestId: data.requestId,
        action: data.action,
        result: data.result,
        access: data.access,
        ...(data.subject === undefined ? {} : { subject: data.subject }),
      },
    },
  ];
};

const refund = ({ data }: RefundDeduction, account: CreditAccount): CreditEvent[] => {
  const open = account.open.get(data.deductionId);
  if (open === undefined) return [];
  return [
    {
      type: 'DeductionRefunded.v1',
      data: { deductionId: data.deductionId, operation: open.operation, amount: open.amount, reason: data.reason },
    },
  ];
};

const decide = (command: DatedCommand, account: CreditAccount): readonly CreditEvent[] => {
  switch (command.type) {
    case 'PurchaseCredits':
      return purchase(command, account);
    case 'ReverseCredits':
      return reverseCredits(command, account);
    case 'RestoreCredits':
      return restoreCredits(command, account);
    case 'ReturnCredits':
      return returnCredits(command, account);
    case 'AdjustCredits':
      return adjust(command, account);
    case 'ConfigureAutoRecharge':
      return configure(command, account.recharge, momentOf(command, account));
    case 'FailAutoRecharge':
      return fail(command, account.recharge, momentOf(command, account));
    case 'ReviewAutoRecharge':
      return review(account.recharge, momentOf(command, account));
    case 'SetAlertThresholds':
      return setThresholds(command, account.alerts);
    case 'FollowSuspension':
      return followSuspension(command, account.recharge, momentOf(command, account));
    case 'ChargeOperation':
      return charge(command, account);
    case 'ReverseCharge':
      return reverse(command, account);
    case 'ConfirmFunds':
      return confirmFunds(command, account);
    case 'AnnounceKeyCap':
      return announceCap(account.spending, command.data.caps, command.data.amount, command.today);
    case 'DeductCredits':
      return deduct(command, account);
    case 'SettleDeduction':
      return settle(command, account);
    case 'RefundDeduction':
      return refund(command, account);
    case 'CarryBalanceForward':
      return carryForward(command, account);
    case 'ConfirmState':
      return [];
  }
};

const momentOf = ({ tenantId, today }: DatedCommand, { balance }: CreditAccount): Moment => ({
  tenantId,
  balance,
  today,
});

const bought = (account: CreditAccount, reference: string, credits: number): CreditAccount => {
  account.references.set(reference, { kind: 'purchase', amount: credits, reversed: 0, carriedAt: null });
  const balance = account.balance + credits;
  return { ...account, balance, alerts: rearmed(account.alerts, balance) };
};

const adjusted = (account: CreditAccount, reference: string, amount: number): CreditAccount => {
  account.references.set(reference, { kind: 'adjustment', amount, carriedAt: null });
  const balance = account.balance + amount;
  return { ...account, balance, alerts: amount > 0 ? rearmed(account.alerts, balance) : account.alerts };
};

const claimedBack = (account: CreditAccount, { data }: CreditsReversed): CreditAccount => {
  const { purchaseReference, purchased: amount, reversed, credits, taken } = data;
  const debt = credits - taken;
  const carriedAt = account.references.get(purchaseReference)?.carriedAt ?? null;
  account.references.set(purchaseReference, { kind: 'purchase', amount, reversed, carriedAt });
  const reversal = { kind: 'reversal', amount: -credits, purchaseReference, debt, restored: false } as const;
  account.references.set(data.reference, { ...reversal, carriedAt: null });
  return { ...account, balance: account.balance - taken, debt: account.debt + debt };
};

const restored = (account: CreditAccount, { data }: CreditsRestored): CreditAccount => {
  const { reference, reversalReference, purchaseReference, credits, debtCancelled } = data;
  account.references.set(reference, { kind: 'restoration', amount: credits, carriedAt: null });
  const reversal = account.references.get(reversalReference);
  if (reversal?.kind === 'reversal') account.references.set(reversalReference, { ...reversal, restored: true });
  const purchased = account.references.get(purchaseReference);
  if (purchased?.kind === 'purchase')
    account.references.set(purchaseReference, { ...purchased, reversed: purchased.reversed - credits });
  const balance = account.balance + credits - debtCancelled;
  return { ...account, balance, debt: account.debt - debtCancelled };
};

const givenBack = (account: CreditAccount, returned: Parameters<typeof giveBack>[1]): CreditAccount => ({
  ...account,
  balance: account.balance + returned.amount,
  spending: giveBack(account.spending, returned),
});

const evolve = (account: CreditAccount, event: CreditEvent): CreditAccount => {
  const { recharge } = account;
  switch (event.type) {
    case 'OperationCharged.v1':
      return {
        ...account,
        balance: account.balance - event.data.amount,
        spending: spend(account.spending, event.data),
      };
    case 'CreditsPurchased.v1':
      return bought(account, event.data.reference, event.data.credits);
    case 'CreditsRecharged.v1': {
      const paid = bought(account, event.data.reference, event.data.credits);
      return { ...paid, recharge: { ...withoutPendingPurchase(recharge, event.data.reference), failures: 0 } };
    }
    case 'DebtPaid.v1': {
      const balance = account.balance - event.data.amount;
      return { ...account, balance, debt: account.debt - event.data.amount, alerts: rearmed(account.alerts, balance) };
    }
    case 'CreditsReversed.v1':
      return claimedBack(account, event);
    case 'CreditsRestored.v1':
      return restored(account, event);
    case 'CreditsAdjusted.v1':
      return adjusted(account, event.data.reference, event.data.amount);
    case 'ChargeReversed.v1':
      account.reversals.set(event.data.chargeId, event.data.chargedAt);
      return givenBack(account, { ...event.data, deductionId: event.data.chargeId });
    case 'CreditsDeducted.v1':
      account.open.set(event.data.deductionId, { operation: event.data.operation, amount: event.data.amount });
      return {
        ...account,
        balance: account.balance - event.data.amount,
        spending: spend(account.spending, event.data),
      };
    case 'DeductionSettled.v1':
      account.open.delete(event.data.deductionId);
      return account;
    case 'DeductionRefunded.v1':
      account.open.delete(event.data.deductionId);
      return givenBack(account, event.data);
    case 'CreditsReturned.v1':
      account.open.delete(event.data.deductionId);
      account.references.set(event.data.reference, { kind: 'return', amount: event.data.amount, carriedAt: null });
      return givenBack(account, event.data);
    case 'LowBalanceReached.v1':
      return { ...account, alerts: { ...account.alerts, reached: event.data.percentage } };
    case 'KeyCapReached.v1':
      return { ...account, spending: announced(account.spending, event.data.countsAs, event.data.day) };
    case 'AlertThresholdsFollowed.v1':
      return { ...account, alerts: { ...account.alerts, ...event.data } };
    case 'AutoRechargeConfigured.v1':
      return { ...account, recharge: { ...recharge, ...event.data, failures: 0 } };
    case 'AutoRechargeRequested.v1':
      return { ...account, recharge: requested(recharge, event) };
    case 'AutoRechargeFailed.v1': {
      const ended = withoutPendingPurchase(recharge, event.data.purchaseId);
      return { ...account, recharge: { ...ended, failures: event.data.failures } };
    }
    case 'AutoRechargeSwitchedOff.v1':
      return { ...account, recharge: { ...recharge, enabled: false } };
    case 'SuspensionFollowed.v1':
      return { ...account, recharge: { ...recharge, ...event.data } };
    case 'BalanceCarriedForward.v1':
      return fromSnapshot(event.data);
  }
};

export const creditAccount: Decider<CreditAccount, DatedCommand, CreditEvent> = { initialState, decide, evolve };
