import { type Decider } from '../../kernel/decider.js';
import { invariant } from '../../kernel/invariant.js';
import { OverlayMap } from '../../kernel/overlay-map.js';
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
import { type BalanceCarriedForward, type CarriedReversals, type CreditEvent } from './credits.events.js';

/** Highest balance. Credits are safe integers (docs/contract.md, Credits). */
export const MAXIMUM_BALANCE = 1_000_000_000_000;

/**
 * Most entries (open deductions, references and reversals) of an account that is carried forward. With a full batch
 * beside it, the append stays below the store's 1 MiB. A larger account keeps its whole stream.
 */
export const MAX_CARRIED = 3_400;

/**
 * How long an account remembers a reversal beyond its next carry. A reversal has no time limit, since its note waits
 * for a process that can read both stores. It usually takes a minute, and a week covers outages. An older charge's
 * reversal may be forgotten, so a new one needs a search of the stream (ReverseCharge.searchedIn). So each charge is
 * reversed exactly once, even if late.
 */
const REVERSALS_REMEMBERED_MS = 7 * 86_400_000;

export interface OpenDeduction {
  readonly operation: BillableOperation;
  /** Credits. */
  readonly amount: number;
}

export interface CreditAccount {
  /** Credits that may be spent. Open deductions are already subtracted. */
  readonly balance: number;
  readonly open: OverlayMap<string, OpenDeduction>;
  /** References of purchases and adjustments, each with its change of the balance. */
  readonly references: OverlayMap<string, number>;
  /** Reversed charges, each with the time of the charge. */
  readonly reversals: OverlayMap<string, string>;
  /** A charge from before this time may have a forgotten reversal. '' if none is forgotten. */
  readonly reversalsSince: string;
  /** The latest month for which it was carried forward. Null before the first. */
  readonly carriedFor: string | null;
}

const initialState = (): CreditAccount => ({
  balance: 0,
  open: new OverlayMap(),
  references: new OverlayMap(),
  reversals: new OverlayMap(),
  reversalsSince: '',
  carriedFor: null,
});

/** A copy on which decisions can be tried. The account itself stays unchanged. */
export const draftOf = (account: CreditAccount): CreditAccount => ({
  ...account,
  open: account.open.draft(),
  references: account.references.draft(),
  reversals: account.reversals.draft(),
});

const isCredits = (amount: number): boolean => Number.isSafeInteger(amount) && Math.abs(amount) <= MAXIMUM_BALANCE;

const purchase = ({ data }: PurchaseCredits, account: CreditAccount): CreditEvent[] => {
  invariant(isCredits(data.credits) && data.credits > 0, 'a purchase brings credits');
  // The payment provider may announce a purchase repeatedly.
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

/** Refuses an amount above the balance. */
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

export const isReversed = (account: CreditAccount, chargeId: string): boolean => account.reversals.has(chargeId);

/** Counts once, even if several processes reverse the charge. */
const reverse = ({ data }: ReverseCharge, account: CreditAccount): CreditEvent[] => {
  if (isReversed(account, data.chargeId)) return [];
  // The account may have forgotten an earlier reversal, so a search of the stream must have found none. A carry after
  // the search makes it out of date.
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
  // Deductions closed meanwhile by another process stay as they are.
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
  const reversals = rememberedAt(data.time, account);
  if (open.length + references.length + reversals.charges.length > MAX_CARRIED) return [];
  const { balance } = account;
  return [{ type: 'BalanceCarriedForward.v1', data: { period: data.period, balance, open, references, reversals } }];
};

const rememberedAt = (time: string, { reversals, reversalsSince }: CreditAccount): CarriedReversals => {
  const weekBefore = new Date(Date.parse(time) - REVERSALS_REMEMBERED_MS).toISOString();
  // A clock that was set back must not lower the limit, since older reversals are already forgotten.
  const since = weekBefore > reversalsSince ? weekBefore : reversalsSince;
  const charges = [...reversals].filter(([, chargedAt]) => chargedAt >= since);
  return { since, charges: charges.map(([chargeId, chargedAt]) => ({ chargeId, chargedAt })) };
};

const FORMER_REVERSAL = 'reversal:';

/**
 * Events without `reversals` list them among the references, without times. Each gets a time later than its true one,
 * so that none is forgotten early.
 */
const formerReversals = ({ period, references }: BalanceCarriedForward['data']): CarriedReversals => {
  const [year = 0, month = 0] = period.split('-').map(Number);
  const chargedAt = new Date(Date.UTC(year, month + 1)).toISOString();
  const former = references.filter(({ reference }) => reference.startsWith(FORMER_REVERSAL));
  return {
    since: '',
    charges: former.map(({ reference }) => ({ chargeId: reference.slice(FORMER_REVERSAL.length), chargedAt })),
  };
};

/** Starts from an empty account and ignores the earlier state, since readers may begin here. */
const carried = ({ data }: BalanceCarriedForward): CreditAccount => {
  const { since, charges } = data.reversals ?? formerReversals(data);
  const account = { ...initialState(), balance: data.balance, reversalsSince: since, carriedFor: data.period };
  for (const { deductionId, operation, amount } of data.open) account.open.set(deductionId, { operation, amount });
  for (const { chargeId, chargedAt } of charges) account.reversals.set(chargeId, chargedAt);
  for (const { reference, amount } of data.references) {
    if (data.reversals !== undefined || !reference.startsWith(FORMER_REVERSAL))
      account.references.set(reference, amount);
  }
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
      account.reversals.set(event.data.chargeId, event.data.chargedAt);
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

/**
 * The account in a snapshot. A change of its shape or of `evolve` needs a new version, which outdates the old
 * snapshots.
 */
export interface CreditAccountSnapshot {
  readonly balance: number;
  readonly open: readonly (readonly [string, BillableOperation, number])[];
  readonly references: readonly (readonly [string, number])[];
  readonly reversals: readonly (readonly [string, string])[];
  readonly reversalsSince: string;
  readonly carriedFor: string | null;
}

export const CREDIT_ACCOUNT_VERSION = 'credit-account.4';

export const toSnapshot = (account: CreditAccount): CreditAccountSnapshot => ({
  balance: account.balance,
  open: [...account.open].map(([id, { operation, amount }]) => [id, operation, amount] as const),
  references: [...account.references].map(([reference, amount]) => [reference, amount] as const),
  reversals: [...account.reversals].map(([chargeId, chargedAt]) => [chargeId, chargedAt] as const),
  reversalsSince: account.reversalsSince,
  carriedFor: account.carriedFor,
});

export const fromSnapshot = (snapshot: CreditAccountSnapshot): CreditAccount => {
  const { balance, reversalsSince, carriedFor } = snapshot;
  const account = { ...initialState(), balance, reversalsSince, carriedFor };
  for (const [id, operation, amount] of snapshot.open) account.open.set(id, { operation, amount });
  for (const [reference, amount] of snapshot.references) account.references.set(reference, amount);
  for (const [chargeId, chargedAt] of snapshot.reversals) account.reversals.set(chargeId, chargedAt);
  return account;
};
