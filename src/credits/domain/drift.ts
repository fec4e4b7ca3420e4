import { type ExpectedAccountRows, type Movement } from './expected-account-rows.js';

/** A row that is not what the account's stream says. */
export interface Drift {
  readonly table: 'balances' | 'credit_transactions' | 'usage_by_day' | 'open_deductions';
  /** Revision of a transaction, day and operation of a usage, id of a deduction. Empty for the balance. */
  readonly key: string;
  readonly column: string;
  /** By the stream, and in the row. Null: there is no row. */
  readonly expected: number | null;
  readonly actual: number | null;
  /** The event of the transaction, else the position at which the rows were compared. */
  readonly position: bigint;
}

/** The rows of an account that are sums, at one position of the log. */
export interface AccountSums {
  readonly balance: number | undefined;
  readonly transactions: number;
  readonly usage: readonly { readonly day: string; readonly operation: string; readonly credits: number }[];
  readonly open: readonly { readonly deductionId: string; readonly amount: number }[];
}

/** What purges have dropped of an account's rows. */
export interface PurgedRows {
  /** Transactions below this revision are gone, or go now. */
  readonly below: number;
  /** Usage up to this UTC day is gone, or in part. '' if none is. */
  readonly upTo: string;
}

const movement = (
  key: string,
  position: bigint,
  expected: Movement | undefined,
  actual: Movement | undefined,
): Drift[] => {
  const sides = (column: 'amount' | 'balanceAfter', name: string): Drift[] => {
    const [one, other] = [expected?.[column] ?? null, actual?.[column] ?? null];
    if (one === other) return [];
    return [{ table: 'credit_transactions', key, column: name, expected: one, actual: other, position }];
  };
  const amount = sides('amount', 'amount');
  return amount.length > 0 ? amount : sides('balanceAfter', 'balance_after');
};

/** `actual`: the rows of the same revisions. */
export const driftOfMovements = (expected: readonly Movement[], actual: readonly Movement[]): readonly Drift[] => {
  const rows = new Map(actual.map((row) => [row.revision, row]));
  const found = expected.flatMap((one) => {
    const row = rows.get(one.revision);
    rows.delete(one.revision);
    return movement(String(one.revision), one.position, one, row);
  });
  const unexpected = [...rows.values()].flatMap((row) => movement(String(row.revision), row.position, undefined, row));
  return [...found, ...unexpected];
};

const DAY_MS = 86_400_000;

const dayBehind = (day: string): string =>
  day === '' ? '' : new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

/** The last UTC day of which the stream or the rows may lack a part. A day is allowed for clocks that differ. */
const partialUpTo = (books: ExpectedAccountRows, { upTo }: PurgedRows): string => {
  const begun = books.isWhole ? '' : dayBehind(books.firstDay ?? '');
  return begun > upTo ? begun : upTo;
};

const usageOf = (
  books: ExpectedAccountRows,
  dayOf: (deductionId: string) => string | undefined,
): ReadonlyMap<string, number> => {
  const usage = new Map(books.usage.map(({ day, operation, credits }) => [`${day} ${operation}`, credits]));
  for (const { deductionId, operation, amount, day = dayOf(deductionId) } of books.returned) {
    const key = `${day ?? ''} ${operation}`;
    usage.set(key, (usage.get(key) ?? 0) - amount);
  }
  return usage;
};

/** Compares numbers by key. A key that one side lacks counts as `absent`. */
const differing = (
  table: Drift['table'],
  column: string,
  expected: ReadonlyMap<string, number>,
  actual: ReadonlyMap<string, number>,
  { position, absent }: { readonly position: bigint; readonly absent: number | null },
): readonly Drift[] =>
  [...new Set([...expected.keys(), ...actual.keys()])].flatMap((key) => {
    const [one, other] = [expected.get(key) ?? absent, actual.get(key) ?? absent];
    return one === other ? [] : [{ table, key, column, expected: one, actual: other, position }];
  });

/** `dayOf`: the day of a deduction that was settled before its credits came back. */
export const driftOfSums = (
  books: ExpectedAccountRows,
  rows: AccountSums,
  purged: PurgedRows,
  position: bigint,
  dayOf: (deductionId: string) => string | undefined,
): readonly Drift[] => {
  const place = { position, absent: null };
  const balance = (value: number | undefined): ReadonlyMap<string, number> =>
    new Map(value === undefined ? [] : [['', value]]);
  // An account's first events may move nothing; then it has no balance yet.
  const expected = books.transactions > 0 || !books.isWhole || rows.balance !== undefined ? books.balance : undefined;
  const counted = books.isWhole && purged.below === 0 && rows.balance !== undefined;
  const after = partialUpTo(books, purged);
  const whole = (usage: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    new Map([...usage].filter(([key]) => key.slice(0, 10) > after));
  const usage = new Map(rows.usage.map(({ day, operation, credits }) => [`${day} ${operation}`, credits]));
  const open = new Map(rows.open.map(({ deductionId, amount }) => [deductionId, amount]));
  const count = (transactions: number): ReadonlyMap<string, number> => new Map(counted ? [['', transactions]] : []);
  return [
    ...differing('balances', 'balance', balance(expected), balance(rows.balance), place),
    ...differing('balances', 'transactions', count(books.transactions), count(rows.transactions), place),
    ...differing('usage_by_day', 'credits', whole(usageOf(books, dayOf)), whole(usage), { position, absent: 0 }),
    ...differing('open_deductions', 'amount', books.open, open, place),
  ];
};
