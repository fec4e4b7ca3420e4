import fc from 'fast-check';
import {
  adjust,
  carry,
  charge,
  deduct,
  metadata,
  purchase,
  refund,
  reverse,
  rules,
  settle,
  tenant,
} from '../../../test/support/credit-account.js';
import { isRejection } from '../../kernel/rejection.js';
import { type CreditCommand, ReturnCredits } from './credits.commands.js';
import { type CreditEvent } from './credits.events.js';
import { fromSnapshot, toSnapshot } from './carrying.js';
import { type CreditAccount } from './credit-account.js';
import { draftOf } from './credits.js';
import { isGivenBack } from './giving-back.js';

/** The account as a bookkeeper would keep it, against which the decider is held. */
interface Book {
  balance: number;
  deductions: Map<string, { amount: number; state: 'open' | 'settled' | 'refunded' }>;
  references: Map<string, number>;
  charges: Map<string, number>;
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
  fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5').map((id) => settle(id)),
  fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5').map((id) => refund(id)),
  fc.record({ id: fc.uuid(), amount: fc.integer({ min: 1, max: 12 }) }).map(({ id, amount }) => charge(id, amount)),
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
    case 'OperationCharged.v1':
      book.balance -= event.data.amount;
      expect(event.data.balance).toBe(book.balance);
      book.charges.set(event.data.chargeId, event.data.amount);
      return;
    case 'ChargeReversed.v1':
      book.balance += event.data.amount;
      expect(event.data.balance).toBe(book.balance);
      expect(book.charges.get(event.data.chargeId)).toBe(event.data.amount);
      book.charges.delete(event.data.chargeId);
      return;
    case 'CreditsDeducted.v1':
      expect(book.deductions.get(event.data.deductionId)?.state).not.toBe('open');
      book.deductions.set(event.data.deductionId, { amount: event.data.amount, state: 'open' });
      book.balance -= event.data.amount;
      return;
    case 'DeductionSettled.v1': {
      const deduction = book.deductions.get(event.data.deductionId);
      expect(deduction?.state).toBe('open');
      if (deduction !== undefined) deduction.state = 'settled';
      return;
    }
    case 'DeductionRefunded.v1': {
      const deduction = book.deductions.get(event.data.deductionId);
      expect(deduction).toEqual({ amount: event.data.amount, state: 'open' });
      if (deduction !== undefined) deduction.state = 'refunded';
      book.balance += event.data.amount;
    }
  }
};

describe('any sequence of commands', () => {
  it('keeps the balance equal to a bookkeeper, never negative, and ends each deduction once', () =>
    fc.assert(
      fc.property(fc.array(someCommand, { maxLength: 60 }), fc.nat({ max: 3 }), (commands, reversedEvery) => {
        let account = rules.initialState();
        const book: Book = { balance: 0, deductions: new Map(), references: new Map(), charges: new Map() };
        const carryOut = (command: CreditCommand): void => {
          try {
            for (const event of rules.decide(command, account)) {
              record(book, event);
              account = rules.evolve(account, event);
            }
          } catch (error) {
            if (!isRejection(error)) throw error;
          }
        };
        for (const [index, command] of commands.entries()) {
          carryOut(command);
          // Now and then what landed is reversed, and by a second instance again.
          const [chargeToReverse] = index % 4 < reversedEvery ? book.charges : [];
          if (chargeToReverse !== undefined)
            for (let time = 0; time < 2; time += 1) carryOut(reverse(...chargeToReverse));
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
                current = rules.decide(command, current).reduce(rules.evolve, current);
              } catch (error) {
                if (!isRejection(error)) throw error;
              }
            }
            return current;
          };
          const plain = (account: CreditAccount) => {
            const { balance, open, references, reversals } = toSnapshot(account);
            const texts = (entries: readonly object[]) => entries.map((entry) => JSON.stringify(entry)).sort();
            const uncarried = references.map((one) => ({ ...one, carriedAt: null }));
            return { balance, open: texts(open), references: texts(uncarried), reversals: texts(reversals.charges) };
          };
          const account = run(rules.initialState(), before);
          const [forward] = rules.decide(carry('2026-12'), account);
          const begun = [forward as CreditEvent].reduce(rules.evolve, rules.initialState());
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

const DAY = 86_400_000;
const timeOf = (day: number): string => new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString();

/** The state of a deduction that the last event that names it gives it. */
const stateIn = (log: readonly CreditEvent[], deductionId: string): string | undefined =>
  log.findLast(({ data }) => [Reflect.get(data, 'deductionId'), Reflect.get(data, 'chargeId')].includes(deductionId))
    ?.type;

/** The ways of giving the credits of a charge or deduction back. */
const GIVEN_BACK: ReadonlySet<string> = new Set(['ChargeReversed.v1', 'CreditsReturned.v1', 'DeductionRefunded.v1']);

/** One process that returns the credits of one deduction whose work failed, step by step like Reversing. */
class Returning {
  ended = false;
  private found: { readonly state: string | undefined; readonly carriedFor: string | null } | undefined;

  constructor(private readonly deductionId: string) {}

  step(account: CreditAccount, log: readonly CreditEvent[]): readonly CreditEvent[] {
    const { deductionId, found } = this;
    if (found === undefined) {
      const state = stateIn(log, deductionId);
      this.found = { state, carriedFor: account.carriedFor };
      this.ended = state !== undefined && GIVEN_BACK.has(state);
      return [];
    }
    this.found = undefined;
    const settledIn = found.state === 'DeductionSettled.v1' ? { settledIn: found.carriedFor } : {};
    const data = { deductionId, operation: 'report', amount: 1, ...settledIn } as const;
    try {
      // References are never forgotten here: `older` finds them all.
      const older = {
        searchedIn: account.carriedFor,
        found: new Map(
          log.flatMap((event) =>
            event.type === 'CreditsReturned.v1'
              ? [[event.data.reference, { kind: 'return', amount: 1, carriedAt: null } as const]]
              : [],
          ),
        ),
      };
      const events = rules.decide(new ReturnCredits(tenant, data, metadata, older), account);
      this.ended = true;
      return events;
    } catch (error) {
      if (!isRejection(error, 'unavailable')) throw error;
      return [];
    }
  }
}

/** One process that reverses one charge, step by step: it may stop for long between any two. */
class Reversing {
  ended = false;
  private searchedIn: string | null | undefined;
  private searching = false;

  constructor(
    private readonly chargeId: string,
    private readonly chargedAt: string,
  ) {}

  step(account: CreditAccount, log: readonly CreditEvent[]): readonly CreditEvent[] {
    const { chargeId, chargedAt } = this;
    if (this.searching) {
      this.searching = false;
      this.ended = GIVEN_BACK.has(stateIn(log, chargeId) ?? '');
      return [];
    }
    const searched = this.searchedIn === undefined ? {} : { searchedIn: this.searchedIn };
    const events = rules.decide(reverse(chargeId, 1, { chargedAt, ...searched }), account);
    this.ended = events.length > 0 || isGivenBack(account, chargeId);
    this.searching = !this.ended;
    this.searchedIn = account.carriedFor;
    return events;
  }
}

describe('reversals by several processes, however late', () => {
  const action = fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('charge' as const), nth: fc.nat(7) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), nth: fc.nat(12) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('carry' as const), nth: fc.integer({ min: -9, max: 9 }) }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('step' as const), nth: fc.nat(30) }) },
  );

  it('give each charge back exactly once, whatever is carried forward in between', () =>
    fc.assert(
      fc.property(fc.array(action, { minLength: 10, maxLength: 120 }), (actions) => {
        const log: CreditEvent[] = [];
        const processes: Reversing[] = [];
        let account = rules.initialState();
        let [day, months, charges] = [0, 0, 0];
        const take = (events: readonly CreditEvent[]): void => {
          log.push(...events);
          account = events.reduce(rules.evolve, account);
        };
        take(rules.decide(purchase('p', 200), account));
        for (const { kind, nth } of actions) {
          if (kind === 'wait') day += nth;
          else if (kind === 'carry') {
            // The clock that carries differs from those that charge, by days.
            const period = timeOf((months += 31)).slice(0, 7);
            take(rules.decide(carry(period, timeOf(day + nth)), account));
          } else if (kind === 'charge') {
            const chargeId = `c${(charges += 1)}`;
            take(rules.decide(charge(chargeId, 1), account));
            for (let process = 0; process < 2; process += 1) processes.push(new Reversing(chargeId, timeOf(day - nth)));
          } else {
            const running = processes.filter(({ ended }) => !ended);
            const process = running[nth % Math.max(running.length, 1)];
            if (process !== undefined) take(process.step(account, log));
          }
        }
        for (const process of processes) while (!process.ended) take(process.step(account, log));
        const reversed = log.flatMap((event) => (event.type === 'ChargeReversed.v1' ? [event.data.chargeId] : []));
        expect(reversed.sort()).toEqual(Array.from({ length: charges }, (_, index) => `c${index + 1}`).sort());
        expect(account.balance).toBe(200);
      }),
      { numRuns: 2_000 },
    ));
});

describe('a deduction whose work failed, reversed, returned and refunded by several processes', () => {
  const action = fc.record({
    kind: fc.constantFrom('deduct', 'settle', 'refund', 'wait', 'carry', 'step', 'step', 'step', 'step'),
    nth: fc.nat(30),
  });

  it('comes back at most once, whatever comes first, and is gone for good only where nothing gave it back', () =>
    fc.assert(
      fc.property(fc.array(action, { minLength: 10, maxLength: 120 }), (actions) => {
        const log: CreditEvent[] = [];
        const deductions: string[] = [];
        const processes: { ended: boolean; step: Returning['step'] }[] = [];
        let account = rules.initialState();
        let [day, months] = [0, 0];
        const take = (events: readonly CreditEvent[]): void => {
          log.push(...events);
          account = events.reduce(rules.evolve, account);
        };
        take(rules.decide(purchase('p', 200), account));
        for (const { kind, nth } of actions) {
          const id = deductions[nth % Math.max(deductions.length, 1)];
          if (kind === 'wait') day += nth;
          else if (kind === 'carry') {
            const period = timeOf((months += 31)).slice(0, 7);
            take(rules.decide(carry(period, timeOf(day)), account));
          } else if (kind === 'deduct') {
            const deductionId = `d${deductions.push('')}`;
            deductions.splice(-1, 1, deductionId);
            take(rules.decide(deduct(deductionId, 1), account));
            processes.push(new Returning(deductionId), new Returning(deductionId));
          } else if (kind === 'step') {
            const process = processes.filter(({ ended }) => !ended)[nth];
            if (process !== undefined) take(process.step(account, log));
          } else if (id !== undefined && kind === 'refund') take(rules.decide(refund(id), account));
          else if (id !== undefined && account.open.has(id)) {
            take(rules.decide(settle(id), account));
            const chargedAt = timeOf(day);
            processes.push(new Reversing(id, chargedAt), new Reversing(id, chargedAt));
          }
        }
        for (const process of processes) while (!process.ended) take(process.step(account, log));
        const ends = log.filter(({ type }) => GIVEN_BACK.has(type));
        const back = ends.map(({ data }) => String(Reflect.get(data, 'deductionId') ?? Reflect.get(data, 'chargeId')));
        expect(back.sort()).toEqual(deductions.toSorted());
        expect(account.balance).toBe(200);
      }),
      { numRuns: 2_000 },
    ));
});
