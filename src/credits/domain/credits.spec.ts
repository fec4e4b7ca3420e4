import fc from 'fast-check';
import { type TenantId } from '../../kernel/ids.js';
import { isRejection, type RejectionCode } from '../../kernel/rejection.js';
import {
  AdjustCredits,
  CarryBalanceForward,
  type Cause,
  ConfirmState,
  type CreditCommand,
  DeductCredits,
  PurchaseCredits,
  RefundDeduction,
  SettleDeductions,
} from './credits.commands.js';
import { type CreditEvent } from './credits.events.js';
import {
  creditAccount,
  type CreditAccount,
  draftOf,
  fromSnapshot,
  MAXIMUM_BALANCE,
  MOST_CARRIED,
  toSnapshot,
} from './credits.js';

const tenant = 't01hzzzzzzzzzzzzzzzzzzzzzzz' as TenantId;
const cause: Cause = { requestId: 'r', actor: { type: 'system', id: 'spec' } };

const purchase = (reference: string, credits: number): PurchaseCredits =>
  new PurchaseCredits(tenant, { reference, package: 'small', credits, amountMinor: 12_000 }, cause);
const adjust = (reference: string, amount: number): AdjustCredits =>
  new AdjustCredits(tenant, { reference, amount, reason: null }, cause);
const deduct = (deductionId: string, amount: number): DeductCredits =>
  new DeductCredits(tenant, { deductionId, operation: 'check_eligibility', amount, requestId: 'r' }, cause);
const settle = (...deductionIds: string[]): SettleDeductions => new SettleDeductions(tenant, { deductionIds }, cause);
const refund = (deductionId: string): RefundDeduction =>
  new RefundDeduction(tenant, { deductionId, reason: 'operation_failed' }, cause);

const purchased = (reference: string, credits: number): CreditEvent => ({
  type: 'CreditsPurchased.v1',
  data: { reference, package: 'small', credits, amountMinor: 12_000, currency: 'USD' },
});
const adjusted = (reference: string, amount: number): CreditEvent => ({
  type: 'CreditsAdjusted.v1',
  data: { reference, amount, reason: null },
});
const deducted = (deductionId: string, amount: number): CreditEvent => ({
  type: 'CreditsDeducted.v1',
  data: { deductionId, operation: 'check_eligibility', amount, requestId: 'r' },
});
const settled = (...deductionIds: string[]): CreditEvent => ({ type: 'DeductionsSettled.v1', data: { deductionIds } });
const refunded = (deductionId: string, amount: number): CreditEvent => ({
  type: 'DeductionRefunded.v1',
  data: { deductionId, amount, reason: 'operation_failed' },
});

const accountAfter = (events: readonly CreditEvent[]): CreditAccount =>
  events.reduce(creditAccount.evolve, creditAccount.initialState());

const given = (...events: CreditEvent[]) => ({
  when: (command: CreditCommand) => ({
    then: (...expected: CreditEvent[]) => expect(creditAccount.decide(command, accountAfter(events))).toEqual(expected),
    thenNothing: () => expect(creditAccount.decide(command, accountAfter(events))).toEqual([]),
    thenRejected: (code: RejectionCode) => {
      try {
        creditAccount.decide(command, accountAfter(events));
      } catch (error) {
        expect(isRejection(error, code)).toBe(true);
        return;
      }
      throw new Error(`not rejected with ${code}`);
    },
  }),
});

describe('purchasing credits', () => {
  it('credits a purchase', () => given().when(purchase('p1', 1_000)).then(purchased('p1', 1_000)));
  it('credits a purchase once, however often it is announced', () =>
    given(purchased('p1', 1_000)).when(purchase('p1', 1_000)).thenNothing());
  it('credits a purchase once even when the credits are spent by then', () =>
    given(purchased('p1', 5), deducted('d1', 5), settled('d1')).when(purchase('p1', 5)).thenNothing());
  it('refuses the same reference for another amount', () =>
    given(purchased('p1', 1_000)).when(purchase('p1', 10_000)).thenRejected('reference_reused'));
  it('never lets a balance exceed its maximum', () =>
    given(purchased('p1', MAXIMUM_BALANCE)).when(purchase('p2', 1)).thenRejected('balance_limit_exceeded'));
  it('takes a purchase for a bug when it brings nothing', () =>
    expect(() => creditAccount.decide(purchase('p1', 0), accountAfter([]))).toThrow('invariant'));
});

describe('adjusting credits', () => {
  it('adds and takes', () => {
    given().when(adjust('a1', 7)).then(adjusted('a1', 7));
    given(adjusted('a1', 7)).when(adjust('a2', -7)).then(adjusted('a2', -7));
  });
  it('never goes below zero', () =>
    given(adjusted('a1', 7)).when(adjust('a2', -8)).thenRejected('adjustment_below_zero'));
  it('cannot take what an open deduction holds', () =>
    given(adjusted('a1', 7), deducted('d1', 3)).when(adjust('a2', -5)).thenRejected('adjustment_below_zero'));
  it('is applied once', () => given(adjusted('a1', 7)).when(adjust('a1', 7)).thenNothing());
  it('refuses a reference that moved another amount', () =>
    given(adjusted('a1', 7)).when(adjust('a1', 8)).thenRejected('reference_reused'));
});

describe('deducting credits', () => {
  it('takes the cost', () => given(purchased('p', 5)).when(deduct('d1', 5)).then(deducted('d1', 5)));
  it('never takes more than the balance', () =>
    given(purchased('p', 5)).when(deduct('d1', 6)).thenRejected('insufficient_credits'));
  it('says so when nothing is left', () =>
    given(purchased('p', 5), deducted('d1', 5)).when(deduct('d2', 1)).thenRejected('credits_depleted'));
  it('treats a retry as already done', () =>
    given(purchased('p', 5), deducted('d1', 3)).when(deduct('d1', 3)).thenNothing());
  it('treats a retry as already done when nothing is left', () =>
    given(purchased('p', 3), deducted('d1', 3)).when(deduct('d1', 3)).thenNothing());
  it('refuses an id that holds another amount', () =>
    given(purchased('p', 5), deducted('d1', 3)).when(deduct('d1', 2)).thenRejected('deduction_id_reused'));
});

describe('ending a deduction', () => {
  const open = [purchased('p', 5), deducted('d1', 3)];
  it('settles what is open', () =>
    given(...open)
      .when(settle('d1'))
      .then(settled('d1')));
  it('refunds what is open, in full', () =>
    given(...open)
      .when(refund('d1'))
      .then(refunded('d1', 3)));
  it('settles each once, though named twice', () =>
    given(...open)
      .when(settle('d1', 'd1'))
      .then(settled('d1')));
  it('never settles what was refunded', () =>
    given(...open, refunded('d1', 3))
      .when(settle('d1'))
      .thenNothing());
  it('never refunds what was settled', () =>
    given(...open, settled('d1'))
      .when(refund('d1'))
      .thenNothing());
  it('never refunds twice', () =>
    given(...open, refunded('d1', 3))
      .when(refund('d1'))
      .thenNothing());
  it('never refunds what was never deducted', () =>
    given(...open)
      .when(refund('d2'))
      .thenNothing());
  it('settles the open ones among several', () =>
    given(...open, deducted('d2', 1), refunded('d2', 1))
      .when(settle('d1', 'd2', 'd3'))
      .then(settled('d1')));
});

describe('reading the state', () => {
  it('changes nothing', () => given(purchased('p', 5)).when(new ConfirmState(tenant, cause)).thenNothing());
});

/** The account as a bookkeeper would keep it, against which the decider is held. */
interface Book {
  balance: number;
  deductions: Map<string, { amount: number; state: 'open' | 'settled' | 'refunded' }>;
  references: Map<string, number>;
}

const someCommand = fc.oneof(
  fc
    .record({ reference: fc.constantFrom('p1', 'p2', 'p3'), credits: fc.integer({ min: 1, max: 20 }) })
    .map((p) => purchase(p.reference, p.credits)),
  fc
    .record({
      reference: fc.constantFrom('a1', 'a2', 'a3'),
      amount: fc.integer({ min: -20, max: 20 }).filter((n) => n !== 0),
    })
    .map((a) => adjust(a.reference, a.amount)),
  fc
    .record({ id: fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5'), amount: fc.integer({ min: 1, max: 12 }) })
    .map((d) => deduct(d.id, d.amount)),
  fc.uniqueArray(fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5'), { minLength: 1 }).map((ids) => settle(...ids)),
  fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5').map((id) => refund(id)),
);

const record = (book: Book, event: CreditEvent): void => {
  switch (event.type) {
    case 'CreditsPurchased.v1':
      expect(book.references.has(event.data.reference)).toBe(false);
      book.references.set(event.data.reference, event.data.credits);
      book.balance += event.data.credits;
      return;
    case 'CreditsAdjusted.v1':
      expect(book.references.has(event.data.reference)).toBe(false);
      book.references.set(event.data.reference, event.data.amount);
      book.balance += event.data.amount;
      return;
    case 'CreditsDeducted.v1':
      expect(book.deductions.get(event.data.deductionId)?.state).not.toBe('open');
      book.deductions.set(event.data.deductionId, { amount: event.data.amount, state: 'open' });
      book.balance -= event.data.amount;
      return;
    case 'DeductionsSettled.v1':
      for (const id of event.data.deductionIds) {
        const deduction = book.deductions.get(id);
        expect(deduction?.state).toBe('open');
        if (deduction !== undefined) deduction.state = 'settled';
      }
      return;
    case 'DeductionRefunded.v1': {
      const deduction = book.deductions.get(event.data.deductionId);
      expect(deduction).toEqual({ amount: event.data.amount, state: 'open' });
      if (deduction !== undefined) deduction.state = 'refunded';
      book.balance += event.data.amount;
    }
  }
};

const carry = (period: string): CarryBalanceForward => new CarryBalanceForward(tenant, { period }, cause);

describe('carrying the balance forward', () => {
  const history = [purchased('p1', 1_000), adjusted('a1', -10), deducted('d1', 1), deducted('d2', 5), settled('d1')];
  const forward: CreditEvent = {
    type: 'BalanceCarriedForward.v1',
    data: {
      period: '2026-12',
      balance: 984,
      open: [{ deductionId: 'd2', operation: 'check_eligibility', amount: 5 }],
      references: [
        { reference: 'p1', amount: 1_000 },
        { reference: 'a1', amount: -10 },
      ],
    },
  };

  it('writes the whole account down', () =>
    given(...history)
      .when(carry('2026-12'))
      .then(forward));
  it('does so once a month, and never for a month that is behind', () => {
    given(...history, forward)
      .when(carry('2026-12'))
      .thenNothing();
    given(...history, forward)
      .when(carry('2026-11'))
      .thenNothing();
  });
  it('is what a reader may begin with: purchases stay known, and what is open can end', () => {
    given(forward).when(purchase('p1', 1_000)).thenNothing();
    given(forward).when(refund('d2')).then(refunded('d2', 5));
    given(forward).when(deduct('d3', 985)).thenRejected('insufficient_credits');
  });
  it('counts for nothing what a reader saw of earlier events', () => {
    given(purchased('left over', 5), deducted('d9', 2), forward).when(refund('d9')).thenNothing();
  });
  it('leaves alone an account too large for an append', () => {
    const large = Array.from({ length: MOST_CARRIED + 1 }, (_, index) => purchased(`p${index}`, 1));
    given(...large)
      .when(carry('2026-12'))
      .thenNothing();
  });
});

describe('any sequence of commands', () => {
  it('keeps the balance equal to a bookkeeper, never negative, and ends each deduction once', () =>
    fc.assert(
      fc.property(fc.array(someCommand, { maxLength: 60 }), (commands) => {
        let account = creditAccount.initialState();
        const book: Book = { balance: 0, deductions: new Map(), references: new Map() };
        for (const command of commands) {
          try {
            for (const event of creditAccount.decide(command, account)) {
              record(book, event);
              account = creditAccount.evolve(account, event);
            }
          } catch (error) {
            if (!isRejection(error)) throw error;
          }
          expect(account.balance).toBe(book.balance);
          expect(account.balance).toBeGreaterThanOrEqual(0);
          const open = [...book.deductions].filter(([, { state }]) => state === 'open').map(([id]) => id);
          expect([...account.open].map(([id]) => id).sort()).toEqual(open.sort());
        }
      }),
      { numRuns: 500 },
    ));

  it('is the same through a snapshot, and a draft leaves the account as it was', () =>
    fc.assert(
      fc.property(
        fc.array(someCommand, { maxLength: 40 }),
        fc.array(someCommand, { maxLength: 20 }),
        (before, after) => {
          const run = (account: CreditAccount, commands: readonly CreditCommand[]): CreditAccount => {
            let current = account;
            for (const command of commands) {
              try {
                current = creditAccount.decide(command, current).reduce(creditAccount.evolve, current);
              } catch (error) {
                if (!isRejection(error)) throw error;
              }
            }
            return current;
          };
          const plain = (account: CreditAccount) => {
            const { balance, open, references } = toSnapshot(account);
            return { balance, open: [...open].sort(), references: [...references].sort() };
          };
          const account = run(creditAccount.initialState(), before);
          const [forward] = creditAccount.decide(carry('2026-12'), account);
          const begun = [forward as CreditEvent].reduce(creditAccount.evolve, creditAccount.initialState());
          expect(plain(run(begun, after))).toEqual(plain(run(draftOf(account), after)));
          const kept = plain(account);
          const tried = plain(run(draftOf(account), after));
          expect(plain(account)).toEqual(kept);
          const restored = fromSnapshot(
            JSON.parse(JSON.stringify(toSnapshot(account))) as ReturnType<typeof toSnapshot>,
          );
          expect(plain(run(restored, after))).toEqual(tried);
        },
      ),
      { numRuns: 300 },
    ));
});
