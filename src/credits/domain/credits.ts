import { type Decider } from '../../kernel/decider.js';
import { invariant } from '../../kernel/invariant.js';
import { LayeredMap } from '../../kernel/layered.js';
import { type BillableOperation } from '../../kernel/operations.js';
import { refuse } from '../../kernel/rejection.js';
import {
  type AdjustCredits,
  type CarryBalanceForward,
  type ChargeOperation,
  type ConfirmFunds,
  type CreditCommand,
  type DeductCredits,
  type PurchaseCredits,
  type RefundDeduction,
  type ReverseCharge,
  type SettleDeductions,
} from './credits.commands.js';
import { type BalanceCarriedForward, type CreditEvent } from './credits.events.js';

/** Credits are safe integers; no balance exceeds this (decisions.md section 5). */
export const MAXIMUM_BALANCE = 1_000_000_000_000;

/**
 * Entries (open deductions and references) of the largest account that is carried forward: with a full batch beside it the
 * append stays below the store's 1 MiB. A larger account keeps its whole stream.
 */
export const MOST_CARRIED = 3_400;

export interface OpenDeduction {
  readonly operation: BillableOperation;
  /** Credits. */
  readonly amount: number;
}

export interface CreditAccount {
  /** Credits that may be spent: open deductions are already taken off. */
  readonly balance: number;
  readonly open: LayeredMap<string, OpenDeduction>;
  /** References of purchases, adjustments and reversals, with the amount each moved. */
  readonly references: LayeredMap<string, number>;
  /** The latest month that it was carried forward for; null before the first. */
  readonly carriedFor: string | null;
}

const initialState = (): CreditAccount => ({
  balance: 0,
  open: new LayeredMap(),
  references: new LayeredMap(),
  carriedFor: null,
});

/** A draft to try decisions on; the account itself stays as it is. */
export const draftOf = (account: CreditAccount): CreditAccount => ({
  balance: account.balance,
  open: account.open.draft(),
  references: account.references.draft(),
  carriedFor: account.carriedFor,
});

const isCredits = (amount: number): boolean => Number.isSafeInteger(amount) && Math.abs(amount) <= MAXIMUM_BALANCE;

const purchase = ({ data }: PurchaseCredits, account: CreditAccount): CreditEvent[] => {
  invariant(isCredits(data.credits) && data.credits > 0, 'a purchase brings credits');
  // The payment provider announces a purchase as often as it likes.
  const earlier = account.references.get(data.reference);
  if (earlier === data.credits) return [];
  if (earlier !== undefined) throw refuse('reference_reused');
  if (account.balance + data.credits > MAXIMUM_BALANCE) throw refuse('balance_limit_exceeded');
  return [
    {
      type: 'CreditsPurchased.v1',
      data: {
        reference: data.reference,
        package: data.package,
        credits: data.credits,
        amountMinor: data.amountMinor,
        currency: 'USD',
      },
    },
  ];
};

const adjust = ({ data }: AdjustCredits, account: CreditAccount): CreditEvent[] => {
  invariant(isCredits(data.amount) && data.amount !== 0, 'an adjustment moves whole credits');
  const earlier = account.references.get(data.reference);
  if (earlier === data.amount) return [];
  if (earlier !== undefined) throw refuse('reference_reused');
  if (account.balance + data.amount < 0) throw refuse('adjustment_below_zero');
  if (account.balance + data.amount > MAXIMUM_BALANCE) throw refuse('balance_limit_exceeded');
  return [
    { type: 'CreditsAdjusted.v1', data: { reference: data.reference, amount: data.amount, reason: data.reason } },
  ];
};

/** Refuses what the balance does not cover. */
const cover = (amount: number, account: CreditAccount): void => {
  if (account.balance === 0) throw refuse('credits_depleted');
  if (account.balance < amount) throw refuse('insufficient_credits');
};

const charge = ({ data }: ChargeOperation, account: CreditAccount): CreditEvent[] => {
  invariant(isCredits(data.amount) && data.amount > 0, 'a charge is positive');
  cover(data.amount, account);
  return [
    {
      type: 'OperationCharged.v1',
      data: {
        chargeId: data.chargeId,
        operation: data.operation,
        amount: data.amount,
        balance: account.balance - data.amount,
        requestId: data.requestId,
        action: data.action,
        result: data.result,
        access: data.access,
        ...(data.record === undefined ? {} : { record: data.record }),
      },
    },
  ];
};

/** Reversals are remembered among the references, so that each counts once, whoever makes it. */
const referenceOfReversal = (chargeId: string): string => `reversal:${chargeId}`;

const reverse = ({ data }: ReverseCharge, account: CreditAccount): CreditEvent[] => {
  if (account.references.has(referenceOfReversal(data.chargeId))) return [];
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
      },
    },
  ];
};

const confirmFunds = ({ data }: ConfirmFunds, account: CreditAccount): CreditEvent[] => {
  cover(data.amount, account);
  return [];
};

const deduct = ({ data }: DeductCredits, account: CreditAccount): CreditEvent[] => {
  invariant(isCredits(data.amount) && data.amount > 0, 'a deduction is positive');
  // A retry after a lost acknowledgement finds its own deduction still open.
  const earlier = account.open.get(data.deductionId);
  if (earlier?.amount === data.amount && earlier.operation === data.operation) return [];
  if (earlier !== undefined) throw refuse('deduction_id_reused');
  cover(data.amount, account);
  return [
    {
      type: 'CreditsDeducted.v1',
      data: {
        deductionId: data.deductionId,
        operation: data.operation,
        amount: data.amount,
        requestId: data.requestId,
      },
    },
  ];
};

const settle = ({ data }: SettleDeductions, account: CreditAccount): CreditEvent[] => {
  // What another process closed meanwhile stays as it was closed.
  const deductionIds = [...new Set(data.deductionIds)].filter((id) => account.open.has(id));
  return deductionIds.length === 0 ? [] : [{ type: 'DeductionsSettled.v1', data: { deductionIds } }];
};

const refund = ({ data }: RefundDeduction, account: CreditAccount): CreditEvent[] => {
  const open = account.open.get(data.deductionId);
  if (open === undefined) return [];
  return [
    {
      type: 'DeductionRefunded.v1',
      data: { deductionId: data.deductionId, amount: open.amount, reason: data.reason },
    },
  ];
};

const carryForward = ({ data }: CarryBalanceForward, account: CreditAccount): CreditEvent[] => {
  if (account.carriedFor !== null && account.carriedFor >= data.period) return [];
  const open = [...account.open].map(([deductionId, { operation, amount }]) => ({ deductionId, operation, amount }));
  const references = [...account.references].map(([reference, amount]) => ({ reference, amount }));
  if (open.length + references.length > MOST_CARRIED) return [];
  const { balance } = account;
  return [{ type: 'BalanceCarriedForward.v1', data: { period: data.period, balance, open, references } }];
};

/** Nothing of what was before counts, since readers may begin here. */
const carried = ({ data }: BalanceCarriedForward): CreditAccount => {
  const account = { ...initialState(), balance: data.balance, carriedFor: data.period };
  for (const { deductionId, operation, amount } of data.open) account.open.set(deductionId, { operation, amount });
  for (const { reference, amount } of data.references) account.references.set(reference, amount);
  return account;
};

const decide = (command: CreditCommand, account: CreditAccount): readonly CreditEvent[] => {
  switch (command.type) {
    case 'PurchaseCredits':
      return purchase(command, account);
    case 'AdjustCredits':
      return adjust(command, account);
    case 'ChargeOperation':
      return charge(command, account);
    case 'ReverseCharge':
      return reverse(command, account);
    case 'ConfirmFunds':
      return confirmFunds(command, account);
    case 'DeductCredits':
      return deduct(command, account);
    case 'SettleDeductions':
      return settle(command, account);
    case 'RefundDeduction':
      return refund(command, account);
    case 'CarryBalanceForward':
      return carryForward(command, account);
    case 'ConfirmState':
      return [];
  }
};

const evolve = (account: CreditAccount, event: CreditEvent): CreditAccount => {
  switch (event.type) {
    case 'CreditsPurchased.v1':
      account.references.set(event.data.reference, event.data.credits);
      return { ...account, balance: account.balance + event.data.credits };
    case 'CreditsAdjusted.v1':
      account.references.set(event.data.reference, event.data.amount);
      return { ...account, balance: account.balance + event.data.amount };
    case 'OperationCharged.v1':
      return { ...account, balance: account.balance - event.data.amount };
    case 'ChargeReversed.v1':
      account.references.set(referenceOfReversal(event.data.chargeId), event.data.amount);
      return { ...account, balance: account.balance + event.data.amount };
    case 'CreditsDeducted.v1':
      account.open.set(event.data.deductionId, { operation: event.data.operation, amount: event.data.amount });
      return { ...account, balance: account.balance - event.data.amount };
    case 'DeductionsSettled.v1':
      for (const id of event.data.deductionIds) account.open.delete(id);
      return account;
    case 'DeductionRefunded.v1':
      account.open.delete(event.data.deductionId);
      return { ...account, balance: account.balance + event.data.amount };
    case 'BalanceCarriedForward.v1':
      return carried(event);
  }
};

export const creditAccount: Decider<CreditAccount, CreditCommand, CreditEvent> = { initialState, decide, evolve };

/** An account as a snapshot keeps it. A change of its shape or of `evolve` takes a new version, which outdates old ones. */
export interface CreditAccountSnapshot {
  readonly balance: number;
  readonly open: readonly (readonly [string, BillableOperation, number])[];
  readonly references: readonly (readonly [string, number])[];
  readonly carriedFor: string | null;
}

export const CREDIT_ACCOUNT_VERSION = 'credit-account.3';

export const toSnapshot = (account: CreditAccount): CreditAccountSnapshot => ({
  balance: account.balance,
  open: [...account.open].map(([id, { operation, amount }]) => [id, operation, amount] as const),
  references: [...account.references].map(([reference, amount]) => [reference, amount] as const),
  carriedFor: account.carriedFor,
});

export const fromSnapshot = (snapshot: CreditAccountSnapshot): CreditAccount => {
  const account = { ...initialState(), balance: snapshot.balance, carriedFor: snapshot.carriedFor };
  for (const [id, operation, amount] of snapshot.open) account.open.set(id, { operation, amount });
  for (const [reference, amount] of snapshot.references) account.references.set(reference, amount);
  return account;
};
