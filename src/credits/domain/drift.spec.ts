import { settled as settlement } from '../../../test/support/credit-account.js';
import { newUuid } from '../../kernel/ids.js';
import { type Recorded } from '../../kernel/events.js';
import { newAlerts } from './alerts.js';
import { newAutoRecharge } from './auto-recharge.js';
import { ExpectedAccountRows, type Movement } from './expected-account-rows.js';
import { type CreditEvent } from './credits.events.js';
import { type AccountSums, driftOfMovements, driftOfSums, type PurgedRows } from './drift.js';

const DEDUCTION = newUuid();
const NOTHING_PURGED: PurgedRows = { below: 0, upTo: '' };

const recorded = (event: CreditEvent, revision: number, time: string): Recorded<CreditEvent> => ({
  ...event,
  id: newUuid(),
  stream: 'credits-t1',
  revision: BigInt(revision),
  position: BigInt(revision * 10),
  created: new Date(time),
  metadata: { $correlationId: newUuid(), actor: { type: 'tenant', id: 'k' }, time, schemaVersion: 1 },
});

const adjusted = (amount: number): CreditEvent => ({
  type: 'CreditsAdjusted.v1',
  data: { reference: newUuid(), amount, reason: null },
});
const deducted: CreditEvent = {
  type: 'CreditsDeducted.v1',
  data: { deductionId: DEDUCTION, operation: 'report', amount: 5, requestId: newUuid() },
};
const returned: CreditEvent = {
  type: 'CreditsReturned.v1',
  data: { reference: newUuid(), deductionId: DEDUCTION, operation: 'report', amount: 5 },
};
const settled = settlement(DEDUCTION, 5);

const HISTORY = [
  recorded(adjusted(100), 0, '2026-11-01T10:00:00.000Z'),
  recorded(deducted, 1, '2026-11-02T10:00:00.000Z'),
  recorded(settled, 2, '2026-11-02T10:00:01.000Z'),
  recorded(returned, 3, '2026-11-03T10:00:00.000Z'),
];

/** The third event of the account's life, which holds the whole account. */
const carried = (balance: number): Recorded<CreditEvent> => {
  const data = { period: '2026-11', balance, open: [], references: [], referencesForgotten: false };
  const rest = { reversals: { since: '', charges: [] }, debt: 0, alerts: newAlerts(), recharge: newAutoRecharge() };
  return recorded(
    { type: 'BalanceCarriedForward.v1', data: { ...data, ...rest, spending: { day: '', keys: [], deductions: [] } } },
    2,
    '2026-11-02T12:00:00.000Z',
  );
};

const folded = (events: readonly Recorded<CreditEvent>[]): { books: ExpectedAccountRows; movements: Movement[] } => {
  const books = new ExpectedAccountRows();
  const movements = events.flatMap((event) => books.apply(event) ?? []);
  return { books, movements };
};

const RIGHT: AccountSums = {
  balance: 100,
  transactions: 3,
  usage: [{ day: '2026-11-02', operation: 'report', credits: 0 }],
  open: [],
};

const driftOf = (rows: AccountSums, events = HISTORY, purged = NOTHING_PURGED) =>
  driftOfSums(folded(events).books, rows, purged, 99n, () => '2026-11-02');

describe('the rows of an account', () => {
  it('have drifted in nothing where they say what the stream says', () => {
    expect(driftOf(RIGHT)).toEqual([]);
    expect(driftOf({ ...RIGHT, usage: [] })).toEqual([]);
    const { movements } = folded(HISTORY);
    expect(movements.map(({ amount, balanceAfter }) => [amount, balanceAfter])).toEqual([
      [100, 100],
      [-5, 95],
      [5, 100],
    ]);
    expect(driftOfMovements(movements, movements)).toEqual([]);
    expect(driftOf({ balance: undefined, transactions: 0, usage: [], open: [] }, [])).toEqual([]);
  });

  it.each<[string, AccountSums, object]>([
    ['a balance', { ...RIGHT, balance: 99 }, { table: 'balances', expected: 100, actual: 99 }],
    ['no balance', { ...RIGHT, balance: undefined }, { table: 'balances', expected: 100, actual: null }],
    ['a count', { ...RIGHT, transactions: 4 }, { column: 'transactions', expected: 3, actual: 4 }],
    [
      'a day of use',
      { ...RIGHT, usage: [{ day: '2026-11-02', operation: 'report', credits: 5 }] },
      { table: 'usage_by_day', key: '2026-11-02 report', expected: 0, actual: 5 },
    ],
    [
      'an open deduction',
      { ...RIGHT, open: [{ deductionId: DEDUCTION, amount: 5 }] },
      { table: 'open_deductions', key: DEDUCTION, expected: null, actual: 5 },
    ],
  ])('have drifted in %s', (_, rows, drift) => {
    expect(driftOf(rows)).toMatchObject([{ ...drift, position: 99n }]);
  });

  it('have drifted in a transaction, at its event', () => {
    const { movements } = folded(HISTORY);
    const [first, second, third] = movements as [Movement, Movement, Movement];
    const table = 'credit_transactions';
    expect(driftOfMovements(movements, [first, { ...second, amount: 5 }, third])).toMatchObject([
      { table, key: '1', column: 'amount', expected: -5, actual: 5, position: 10n },
    ]);
    expect(driftOfMovements(movements, [first, { ...second, balanceAfter: 94 }, third])).toMatchObject([
      { key: '1', column: 'balance_after', expected: 95, actual: 94 },
    ]);
    expect(driftOfMovements(movements, [first, third])).toMatchObject([{ key: '1', expected: -5, actual: null }]);
    expect(driftOfMovements([first], [first, second])).toMatchObject([{ key: '1', expected: null, actual: -5 }]);
  });

  it('are not missed where a purge has dropped them', () => {
    const kept = { ...RIGHT, transactions: 1, usage: [] };
    const purged = { below: 3, upTo: '2026-11-02' };
    expect(
      driftOf({ ...kept, usage: [{ day: '2026-11-02', operation: 'report', credits: 4 }] }, HISTORY, purged),
    ).toEqual([]);
    expect(driftOf({ ...kept, balance: 1 }, HISTORY, purged)).toHaveLength(1);
  });

  it('are judged by what a truncated stream still tells', () => {
    const truncated = [carried(95), ...HISTORY.slice(3)];
    const rows = { ...RIGHT, transactions: 77, usage: [{ day: '2026-10-01', operation: 'report', credits: 8 }] };
    expect(driftOf(rows, truncated, { below: 2, upTo: '2026-10-30' })).toEqual([]);
    expect(driftOf({ ...rows, balance: 7 }, truncated)).toHaveLength(1);
  });
});
