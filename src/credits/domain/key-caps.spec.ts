import fc from 'fast-check';
import { access, metadata, purchase, tenant } from '../../../test/support/credit-account.js';
import { type KeyCap } from '../../kernel/charging.js';
import { isRejection } from '../../kernel/rejection.js';
import { fromSnapshot, toSnapshot } from './carrying.js';
import { type CreditAccount } from './credit-account.js';
import {
  AnnounceKeyCap,
  CarryBalanceForward,
  ChargeOperation,
  ConfirmFunds,
  type CreditCommand,
  DeductCredits,
  RefundDeduction,
  ReturnCredits,
  ReverseCharge,
  SettleDeduction,
} from './credits.commands.js';
import { creditAccount, draftOf } from './credits.js';
import { type CreditEvent } from './credits.events.js';

const OPERATION = 'check_eligibility';
const ENTRY = { operation: OPERATION, action: 'eligibility_check', result: 'found', access } as const;
const DAY = '2026-03-01';
const NEXT_DAY = '2026-03-02';
const CAPS: readonly KeyCap[] = [{ keyId: 'a', countsAs: 'a', creditsPerDay: 10 }];

const charge = (chargeId: string, amount: number, caps?: readonly KeyCap[]): ChargeOperation =>
  new ChargeOperation(tenant, { ...ENTRY, chargeId, amount, requestId: 'r', ...(caps && { caps }) }, metadata);
const deduct = (deductionId: string, amount: number, caps: readonly KeyCap[]): DeductCredits =>
  new DeductCredits(tenant, { deductionId, operation: OPERATION, amount, requestId: 'r', caps }, metadata);
const refund = (deductionId: string): RefundDeduction =>
  new RefundDeduction(tenant, { deductionId, reason: 'operation_failed' }, metadata);
const settle = (deductionId: string, amount: number): SettleDeduction => {
  const settled = { ...ENTRY, deductionId, amount, requestId: 'r', deductedAt: `${DAY}T00:00:00.000Z` };
  return new SettleDeduction(tenant, settled, metadata);
};
const giveBack = (deductionId: string, amount: number): ReturnCredits =>
  new ReturnCredits(tenant, { deductionId, operation: OPERATION, amount, settledIn: null }, metadata);

/** An account to which commands are given one after the other. */
class Desk {
  account: CreditAccount = creditAccount.initialState();
  today = DAY;

  give(command: CreditCommand): readonly CreditEvent[] {
    const events = creditAccount.decide(Object.assign({}, command, { today: this.today }), draftOf(this.account));
    for (const event of events) this.account = creditAccount.evolve(this.account, event);
    return events;
  }

  /** The code of its refusal. */
  refusal(command: CreditCommand): string | undefined {
    try {
      this.give(command);
      return undefined;
    } catch (error) {
      if (isRejection(error)) return error.code;
      throw error;
    }
  }

  /** As a look-up's reversal is made of its event. */
  reverse(event: CreditEvent | undefined): void {
    if (event?.type !== 'OperationCharged.v1') throw new Error('no charge');
    const { chargeId, amount, capped } = event.data;
    const origin = { revision: 1, chargedAt: `${DAY}T00:00:00.000Z`, operation: OPERATION, chargedBy: 'a' } as const;
    this.give(new ReverseCharge(tenant, { chargeId, amount, ...origin, ...(capped && { capped }) }, metadata));
  }

  restart(): void {
    this.account = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(this.account))) as ReturnType<typeof toSnapshot>);
  }
}

const desk = (): Desk => {
  const made = new Desk();
  made.give(purchase('p', 100_000));
  return made;
};

describe('a capped key', () => {
  it('spends its cap and no more, until the next day', () => {
    const here = desk();
    here.give(charge('1', 6, CAPS));
    expect(here.refusal(charge('2', 5, CAPS))).toBe('key_cap_reached');
    expect(here.refusal(deduct('3', 5, CAPS))).toBe('key_cap_reached');
    expect(here.refusal(new ConfirmFunds(tenant, { amount: 5, caps: CAPS }, metadata))).toBe('key_cap_reached');
    here.give(deduct('4', 4, CAPS));
    expect(here.refusal(charge('5', 1, CAPS))).toBe('key_cap_reached');
    here.give(charge('6', 50));
    here.today = NEXT_DAY;
    here.give(charge('7', 10, CAPS));
    expect(here.refusal(charge('8', 1, CAPS))).toBe('key_cap_reached');
    // A process whose clock is behind.
    here.today = DAY;
    expect(here.refusal(charge('9', 1, CAPS))).toBe('key_cap_reached');
  });

  it('is refused with the end of the day, and before funds are', () => {
    const empty = new Desk();
    expect(empty.refusal(charge('1', 11, CAPS))).toBe('key_cap_reached');
    expect(empty.refusal(charge('1', 10, CAPS))).toBe('credits_depleted');
    const here = desk();
    here.give(charge('1', 10, CAPS));
    expect(() => here.give(charge('2', 1, CAPS))).toThrow(
      expect.objectContaining({
        info: expect.objectContaining({ retryAt: new Date(`${NEXT_DAY}T00:00:00Z`) }) as object,
      }),
    );
  });

  it('gets back what came back on the same day', () => {
    const here = desk();
    const [charged] = here.give(charge('1', 10, CAPS));
    here.reverse(charged);
    here.give(deduct('2', 10, CAPS));
    here.give(refund('2'));
    here.give(deduct('3', 10, CAPS));
    here.give(settle('3', 10));
    here.give(giveBack('3', 10));
    here.give(charge('4', 10, CAPS));
    expect(here.refusal(charge('5', 1, CAPS))).toBe('key_cap_reached');
    here.today = NEXT_DAY;
    here.give(charge('6', 3, CAPS));
    const before = here.account.spending.keys.get('a')?.credits;
    here.give(new ReverseCharge(tenant, { ...REVERSED, capped: { day: DAY, keyIds: ['a'] } }, metadata));
    expect(here.account.spending.keys.get('a')?.credits).toBe(before);
  });

  it('is announced once a day, and again on the next', () => {
    const here = desk();
    const announce = new AnnounceKeyCap(tenant, { amount: 1, caps: CAPS }, metadata);
    expect(here.give(announce)).toEqual([]);
    here.give(charge('1', 10, CAPS));
    const reached = (day: string) => ({ type: 'KeyCapReached.v1', data: { ...CAPS[0], spent: 10, day } });
    expect(here.give(announce)).toEqual([reached(DAY)]);
    here.restart();
    expect(here.give(announce)).toEqual([]);
    here.today = NEXT_DAY;
    here.give(charge('2', 10, CAPS));
    expect(here.give(announce)).toEqual([reached(NEXT_DAY)]);
  });

  it('is carried forward within its day only', () => {
    const here = desk();
    here.give(deduct('1', 7, CAPS));
    const carried = (time: string, period: string) =>
      here.give(new CarryBalanceForward(tenant, { period, time }, metadata));
    carried(`${DAY}T10:00:00.000Z`, '2026-03');
    expect(here.refusal(charge('2', 4, CAPS))).toBe('key_cap_reached');
    carried('2026-04-01T00:00:01.000Z', '2026-04');
    expect(toSnapshot(here.account).spending).toEqual({ day: '', keys: [], deductions: [] });
  });
});

const REVERSED = {
  chargeId: '4',
  amount: 10,
  revision: 1,
  chargedAt: `${DAY}T00:00:00.000Z`,
  operation: OPERATION,
  chargedBy: 'a',
} as const;

describe('over any order of calls, returns, days and restarts', () => {
  it('a call is refused exactly where it would exceed a cap, its own or that of the key that made its key', () => {
    const caps = { a: 20, b: 7 };
    const keys = {
      a: [{ keyId: 'a', countsAs: 'a', creditsPerDay: caps.a }],
      b: [
        { keyId: 'b', countsAs: 'b', creditsPerDay: caps.b },
        { keyId: 'a', countsAs: 'a', creditsPerDay: caps.a },
      ],
    };
    const step = fc.record({
      kind: fc.constantFrom('charge', 'deduct', 'settle', 'refund', 'return', 'reverse', 'midnight', 'restart'),
      key: fc.constantFrom<'a' | 'b'>('a', 'b'),
      amount: fc.integer({ min: 1, max: 8 }),
      which: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const here = desk();
        let spent = { a: 0, b: 0 };
        const made: {
          id: string;
          key: 'a' | 'b';
          amount: number;
          day: string;
          event: CreditEvent | undefined;
          state: string;
        }[] = [];
        for (const [index, { kind, key, amount, which }] of steps.entries()) {
          const one = made.length === 0 ? undefined : made[which % made.length];
          const returned = (): void => {
            if (one === undefined) return;
            one.state = 'back';
            if (one.day !== here.today) return;
            spent.a -= one.amount;
            if (one.key === 'b') spent.b -= one.amount;
          };
          switch (kind) {
            case 'charge':
            case 'deduct': {
              const fits = spent.a + amount <= caps.a && (key === 'a' || spent.b + amount <= caps.b);
              const id = `${index}`;
              let event: CreditEvent | undefined;
              try {
                [event] = here.give(kind === 'charge' ? charge(id, amount, keys[key]) : deduct(id, amount, keys[key]));
              } catch (error) {
                expect([isRejection(error, 'key_cap_reached'), fits]).toEqual([true, false]);
                break;
              }
              expect(fits).toBe(true);
              spent.a += amount;
              if (key === 'b') spent.b += amount;
              made.push({ id, key, amount, day: here.today, event, state: kind === 'charge' ? 'charged' : 'open' });
              break;
            }
            case 'settle':
              if (one?.state !== 'open') break;
              here.give(settle(one.id, one.amount));
              one.state = 'settled';
              break;
            case 'refund':
              if (one?.state !== 'open') break;
              here.give(refund(one.id));
              returned();
              break;
            case 'return':
              if (one?.state !== 'open' && one?.state !== 'settled') break;
              here.give(giveBack(one.id, one.amount));
              returned();
              break;
            case 'reverse':
              if (one?.state !== 'charged') break;
              here.reverse(one.event);
              returned();
              break;
            case 'midnight':
              here.today = new Date(Date.parse(here.today) + 86_400_000).toISOString().slice(0, 10);
              spent = { a: 0, b: 0 };
              break;
            case 'restart':
              here.restart();
              break;
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
