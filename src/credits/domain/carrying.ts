import { OverlayMap } from '../../kernel/overlay-map.js';
import { type CarryBalanceForward } from './credits.commands.js';
import { type BalanceCarriedForward, type CarriedReversals, type CreditEvent } from './credits.events.js';
import { type CreditAccount } from './credit-account.js';
import { fromCarried, spendingOn, toCarried } from './key-caps.js';
import { carriedReferences } from './references.js';

/**
 * Most entries of an account that is carried forward. With a full batch beside it, the append stays below the store's 1 MiB. A
 * larger account keeps its whole stream.
 */
export const MAX_CARRIED = 2_000;

/**
 * How long an account remembers a reversal beyond its next carry. A reversal has no time limit, since its note waits
 * for a process that can read both stores. It usually takes a minute, and a week covers outages. An older charge's
 * reversal may be forgotten, so a new one needs a search of the stream (ReverseCharge.searchedIn). So each charge is
 * reversed exactly once, even if late.
 */
const REVERSALS_REMEMBERED_MS = 7 * 86_400_000;

type Carried = Pick<BalanceCarriedForward['data'], 'open' | 'references' | 'reversals' | 'spending'>;

/** Open deductions, references, reversals, the day's capped spending, and the keys that it names. */
export const carriedEntries = (carried: Carried): number => {
  const { open, references, reversals, spending } = carried;
  const lists = [open, references, reversals.charges, spending.keys, spending.deductions];
  const keyIds = spending.deductions.map((deduction) => deduction.keyIds);
  return [...lists, ...keyIds].reduce((sum, { length }) => sum + length, 0);
};

export const carryForward = ({ data }: CarryBalanceForward, account: CreditAccount): CreditEvent[] => {
  if (account.carriedFor !== null && account.carriedFor >= data.period) return [];
  const whole = toSnapshot(account);
  const references = carriedReferences(whole.references, data.time);
  const reversals = rememberedAt(data.time, account);
  const spending = whole.spending.day < data.time.slice(0, 10) ? toCarried(spendingOn('')) : whole.spending;
  if (carriedEntries({ open: whole.open, references, reversals, spending }) > MAX_CARRIED) return [];
  const referencesForgotten = whole.referencesForgotten || references.length < whole.references.length;
  const { period } = data;
  return [
    {
      type: 'BalanceCarriedForward.v1',
      data: { ...whole, period, references, referencesForgotten, reversals, spending },
    },
  ];
};

const rememberedAt = (time: string, { reversals, reversalsSince }: CreditAccount): CarriedReversals => {
  const weekBefore = new Date(Date.parse(time) - REVERSALS_REMEMBERED_MS).toISOString();
  // A clock that was set back must not lower the limit, since older reversals are already forgotten.
  const since = weekBefore > reversalsSince ? weekBefore : reversalsSince;
  const charges = [...reversals].filter(([, chargedAt]) => chargedAt >= since);
  return { since, charges: charges.map(([chargeId, chargedAt]) => ({ chargeId, chargedAt })) };
};

/**
 * The account in a snapshot, in the shape in which it is carried forward. A change of the state's shape or of `evolve`
 * needs a new version, which outdates the old snapshots.
 */
export type CreditAccountSnapshot = Omit<BalanceCarriedForward['data'], 'period'> & { readonly period: string | null };

export const CREDIT_ACCOUNT_VERSION = 'credit-account.6';

/** Ignores the earlier state, since readers may begin here. */
export const fromSnapshot = (data: CreditAccountSnapshot): CreditAccount => {
  const { balance, referencesForgotten, reversals, debt, alerts, recharge, spending } = data;
  return {
    balance,
    open: overlayOf(data.open.map(({ deductionId, operation, amount }) => [deductionId, { operation, amount }])),
    references: overlayOf(data.references.map(({ reference, ...referenced }) => [reference, referenced])),
    referencesForgotten,
    reversals: overlayOf(reversals.charges.map(({ chargeId, chargedAt }) => [chargeId, chargedAt])),
    reversalsSince: reversals.since,
    carriedFor: data.period,
    debt,
    alerts,
    recharge,
    spending: fromCarried(spending),
  };
};

const overlayOf = <Value>(entries: readonly (readonly [string, Value])[]): OverlayMap<string, Value> => {
  const map = new OverlayMap<string, Value>();
  for (const [key, value] of entries) map.set(key, value);
  return map;
};

export const toSnapshot = (account: CreditAccount): CreditAccountSnapshot => {
  const { balance, referencesForgotten, debt, alerts, recharge } = account;
  return {
    period: account.carriedFor,
    balance,
    open: [...account.open].map(([deductionId, { operation, amount }]) => ({ deductionId, operation, amount })),
    references: [...account.references].map(([reference, referenced]) => ({ reference, ...referenced })),
    referencesForgotten,
    reversals: {
      since: account.reversalsSince,
      charges: [...account.reversals].map(([chargeId, chargedAt]) => ({ chargeId, chargedAt })),
    },
    debt,
    alerts,
    recharge,
    spending: toCarried(account.spending),
  };
};
