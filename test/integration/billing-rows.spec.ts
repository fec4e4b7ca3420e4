import { jest } from '@jest/globals';
import fc from 'fast-check';
import { creditsByDay, type Transaction, transactionPage } from '../../projections/ledger/billing.queries.js';
import { type FilteredPage, filteredTransactions } from '../../projections/ledger/filtered-transactions.queries.js';
import { ledger } from '../../projections/ledger/ledger.projection.js';
import {
  ConfigureAutoRecharge,
  type CreditCommand,
  DeductCredits,
  FailAutoRecharge,
  PurchaseCredits,
  RestoreCredits,
  ReturnCredits,
  ReverseCredits,
} from '../../src/credits/domain/credits.commands.js';
import { type CreditEvent } from '../../src/credits/domain/credits.events.js';
import { type CreditAccount } from '../../src/credits/domain/credit-account.js';
import { creditAccount } from '../../src/credits/domain/credits.js';
import { daysUntil } from '../../src/credits/domain/days.js';
import { AccountCheck } from '../../src/credits/account-check.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newUuid, tenantUuid } from '../../src/kernel/ids.js';
import { TRANSACTION_TYPES } from '../../src/kernel/transactions.js';
import { isRejection } from '../../src/kernel/rejection.js';
import { type EventStore, type ReadOptions } from '../../src/platform/eventstore/event-store.js';
import { type ReadModels, type ReadModelSnapshot, type Statement } from '../../src/log/project/projection.js';
import { createSlot, schemaOf } from '../../src/log/project/checkpoints.js';
import { type ProjectionSession } from '../../src/platform/postgres/session.js';
import { adjust, charge, metadata, purchase, refund, reverse, settle, tenant } from '../support/credit-account.js';
import { createServiceDatabase } from '../support/stack.js';
import { openSession } from './projections-histories.js';

jest.setTimeout(180_000);

let session: ProjectionSession;

beforeAll(async () => {
  session = await openSession(await createServiceDatabase(), [ledger]);
});

afterAll(() => session.close());

const KINDS = [
  ...['purchase', 'recharge', 'take back', 'dispute', 'restore', 'adjust', 'configure', 'fail'],
  ...['charge', 'charge', 'charge', 'undo', 'deduct', 'deduct', 'settle', 'refund', 'return'],
] as const;

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    nth: fc.nat(5),
    amount: fc.integer({ min: 1, max: 400 }),
    wait: fc.constantFrom(0, 0, 1, 7, 24, 30),
  }),
  { minLength: 10, maxLength: 80 },
);

const HOUR = 3_600_000;

/** Times are those of transactions, by their place among them. */
const filters = fc.record({
  types: fc.option(fc.subarray([...TRANSACTION_TYPES], { minLength: 1 }), { nil: undefined }),
  operations: fc.option(fc.subarray(['check_eligibility', 'report'] as const, { minLength: 1 }), { nil: undefined }),
  from: fc.option(fc.nat(40), { nil: undefined }),
  to: fc.option(fc.nat(40), { nil: undefined }),
});

/** One account's life: its commands, decided one after the other, and what a bookkeeper notes of them. */
class Life {
  readonly log: StoredEvent[] = [];
  readonly used = new Map<string, number>();
  account: CreditAccount = creditAccount.initialState();
  lowest = 0;
  private now = Date.UTC(2026, 10, 1);
  private readonly charges: { readonly id: string; readonly amount: number; readonly time: string }[] = [];
  private readonly deductions = Array.from({ length: 6 }, () => newUuid());
  private readonly days = new Map<string, string>();

  step({ kind, nth, amount, wait }: { kind: string; nth: number; amount: number; wait: number }): void {
    this.now += wait * HOUR;
    const command = this.commandOf(kind, nth, amount);
    if (command === undefined) return;
    const today = new Date(this.now).toISOString().slice(0, 10);
    try {
      for (const event of creditAccount.decide({ ...command, today }, this.account)) this.append(event);
    } catch (error) {
      if (!isRejection(error)) throw error;
    }
  }

  private commandOf(kind: string, nth: number, amount: number): CreditCommand | undefined {
    const bought = this.account.recharge.inFlight;
    const deductionId = this.deductions[nth] ?? '';
    switch (kind) {
      case 'purchase':
        return purchase(`p${nth}`, amount);
      case 'recharge': {
        const data = { package: 'small', credits: amount, amountMinor: 1, origin: 'auto_recharge' } as const;
        return bought === null ? undefined : new PurchaseCredits(tenant, { reference: bought, ...data }, metadata);
      }
      case 'take back':
      case 'dispute': {
        const data = { reference: `${kind}${nth}`, purchaseReference: `p${amount % 6}`, credits: amount };
        return new ReverseCredits(tenant, { ...data, dispute: kind === 'dispute' }, metadata);
      }
      case 'restore':
        return new RestoreCredits(tenant, { reference: `w${nth}`, reversalReference: `dispute${nth}` }, metadata);
      case 'adjust':
        return adjust(`a${nth}${amount}`, amount - 200 || 1);
      case 'configure': {
        const setting = { enabled: amount > 100, threshold: amount, package: 'small' } as const;
        return new ConfigureAutoRecharge(tenant, setting, metadata);
      }
      case 'fail':
        return bought === null
          ? undefined
          : new FailAutoRecharge(tenant, { purchaseId: bought, reason: 'declined' }, metadata);
      case 'charge':
        return charge(newUuid(), amount % 40 || 1);
      case 'undo': {
        const made = this.charges.pop();
        return made && reverse(made.id, made.amount, { chargedAt: made.time });
      }
      case 'deduct': {
        const data = { deductionId, operation: 'report', amount: 5, requestId: 'r' } as const;
        return this.days.has(deductionId) ? undefined : new DeductCredits(tenant, data, metadata);
      }
      case 'settle':
        return settle(deductionId);
      case 'refund':
        return refund(deductionId);
      default:
        return this.returning(deductionId);
    }
  }

  /** Only an operation that was answered can fail later: a deduction that was made and not refunded. */
  private returning(deductionId: string): CreditCommand | undefined {
    const ended = this.log.some(
      ({ type, data }) =>
        type === 'DeductionRefunded.v1' && (data as { deductionId: string }).deductionId === deductionId,
    );
    if (!this.days.has(deductionId) || ended) return undefined;
    const data = { deductionId, operation: 'report', amount: 5, settledIn: this.account.carriedFor } as const;
    return new ReturnCredits(tenant, data, metadata);
  }

  /** Every other event is stamped by an instance whose clock is a minute behind. */
  private append(event: CreditEvent): void {
    const time = new Date(this.now - (this.log.length % 2) * 60_000).toISOString();
    this.account = creditAccount.evolve(this.account, event);
    this.lowest = Math.min(this.lowest, this.account.balance, this.account.debt);
    this.note(event, time);
    this.log.push({
      ...event,
      id: event.type === 'OperationCharged.v1' ? event.data.chargeId : newUuid(),
      metadata: { $correlationId: 'r', actor: metadata.actor, time, schemaVersion: 1 },
      stream: `credits-${tenant}`,
      revision: BigInt(this.log.length),
      position: BigInt(this.log.length),
      created: new Date(this.now),
    });
  }

  private note(event: CreditEvent, time: string): void {
    const day = time.slice(0, 10);
    if (event.type === 'OperationCharged.v1') {
      this.charges.push({ id: event.data.chargeId, amount: event.data.amount, time });
      this.use(day, 'check_eligibility', event.data.amount);
    } else if (event.type === 'ChargeReversed.v1') {
      this.use(event.data.chargedAt.slice(0, 10), 'check_eligibility', -event.data.amount);
    } else if (event.type === 'CreditsDeducted.v1') {
      this.days.set(event.data.deductionId, day);
      this.use(day, 'report', event.data.amount);
    } else if (event.type === 'DeductionRefunded.v1' || event.type === 'CreditsReturned.v1') {
      this.use(this.days.get(event.data.deductionId) ?? '', 'report', -event.data.amount);
    }
  }

  private use(day: string, operation: string, credits: number): void {
    const key = `${day} ${operation}`;
    this.used.set(key, (this.used.get(key) ?? 0) + credits);
  }
}

const project = async (log: readonly StoredEvent[], sizes: readonly number[]): Promise<void> => {
  await session.transaction('projections', () => createSlot(session, ledger, 'live'));
  for (let at = 0, index = 0; at < log.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    await session.transaction(schemaOf(ledger, 'live'), async () => {
      for (const { text, values } of ledger.project(log.slice(at, at + size))) await session.query(text, values);
    });
    at += size;
  }
};

const read = <Row extends object>(text: string): Promise<Row[]> =>
  session.transaction(schemaOf(ledger, 'live'), () => session.query<Row>(text, [tenantUuid(tenant)]));

/** The log, with one more event that the rows do not show yet. */
const logOf = ({ log, account }: Life): EventStore => {
  const last = log.at(-1);
  if (last === undefined) throw new Error('nothing happened');
  const place = { revision: BigInt(log.length), position: BigInt(log.length), id: newUuid() };
  const data = { reference: newUuid(), amount: account.balance + 1, reason: null };
  const later = { ...last, ...place, type: 'CreditsAdjusted.v1', data };
  async function* readPages(stream: string, { from = 0n }: ReadOptions = {}): AsyncGenerator<readonly StoredEvent[]> {
    const events = [...log, later].filter((event) => event.stream === stream && event.revision >= from);
    for (let at = 0; at < events.length; at += 7) yield Promise.resolve(events.slice(at, at + 7));
  }
  return { readPages } as unknown as EventStore;
};

const readModelsAt = (position: bigint): ReadModels => {
  const query = <Row extends object>({ text, values }: Statement): Promise<Row[]> =>
    session.transaction(schemaOf(ledger, 'live'), () => session.query<Row>(text, values));
  const snapshot = <Result>(work: (of: ReadModelSnapshot) => Promise<Result>): Promise<Result> =>
    work({ positions: new Map([['ledger', position]]), query });
  return { query, snapshot } as unknown as ReadModels;
};

/** What the drift watch finds, with rows that lag by one event. */
const driftOf = async (life: Life): Promise<unknown> => {
  const position = BigInt(life.log.length - 1);
  const check = new AccountCheck(logOf(life), readModelsAt(position));
  const found = await check.run(tenant, () => Promise.resolve(), new AbortController().signal);
  return { events: found?.events, position: found?.position, drift: found?.drift };
};

describe('the rows of an account, whatever happened to it', () => {
  it('agree with the fold of its stream, with each other, and with what was used on each day', () =>
    fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
        async (life, sizes) => {
          const one = new Life();
          for (const step of life) one.step(step);
          await project(one.log, sizes);
          const [balances] = await read<{ balance: string; transactions: string }>(
            'SELECT balance, transactions FROM balances WHERE tenant = $1',
          );
          const rows = await read<{ amount: string; balance_after: string }>(
            'SELECT amount, balance_after FROM credit_transactions WHERE tenant = $1 ORDER BY revision',
          );
          let sum = 0;
          for (const { amount, balance_after: after } of rows) expect(Number(after)).toBe((sum += Number(amount)));
          expect([Number(balances?.balance ?? 0), Number(balances?.transactions ?? 0)]).toEqual([sum, rows.length]);
          expect([sum, one.lowest]).toEqual([one.account.balance, 0]);
          const usage = await read<{ key: string; credits: string }>(
            `SELECT to_char(day, 'YYYY-MM-DD ') || operation AS key, credits FROM usage_by_day
           JOIN balances USING (tenant_id) WHERE tenant = $1`,
          );
          expect(new Map(usage.map(({ key, credits }) => [key, Number(credits)]))).toEqual(one.used);
          if (one.log.length === 0) return;
          const drift = { events: one.log.length, position: BigInt(one.log.length - 1), drift: [] };
          expect(await driftOf(one)).toEqual(drift);
        },
      ),
      { numRuns: 60 },
    ));

  it('are all found by any filter, page by page, and no others', () =>
    fc.assert(
      fc.asyncProperty(steps, filters, fc.integer({ min: 1, max: 4 }), async (life, wanted, lookAt) => {
        const one = new Life();
        for (const step of life) one.step(step);
        await project(one.log, [5]);
        const readModels = readModelsAt(0n);
        const { transactions } = await transactionPage(readModels, tenant, { limit: 1_000, offset: 0 });
        const timeOf = (place: number | undefined) =>
          place === undefined ? undefined : transactions[place % transactions.length]?.occurredAt;
        const filter = { ...wanted, from: timeOf(wanted.from), to: timeOf(wanted.to) };
        const found: Transaction[] = [];
        for (let below: number | undefined = Number.MAX_SAFE_INTEGER; below !== undefined;) {
          const page: FilteredPage = await filteredTransactions(readModels, tenant, filter, {
            limit: 2,
            below,
            lookAt,
          });
          found.push(...page.transactions);
          below = page.last?.revision;
          const last = transactions.find(({ revision }) => revision === below);
          // It looks through nothing that is surely older than wanted.
          if (page.transactions.length < 2 && last !== undefined && filter.from !== undefined)
            expect(last.occurredAt.getTime()).toBeGreaterThanOrEqual(filter.from.getTime() - 120_000);
        }
        expect(found).toEqual(
          transactions.filter(
            ({ type, operation, occurredAt }) =>
              (filter.types?.includes(type) ?? true) &&
              (filter.operations === undefined || filter.operations.some((each) => each === operation)) &&
              (filter.from === undefined || occurredAt >= filter.from) &&
              (filter.to === undefined || occurredAt < filter.to),
          ),
        );
      }),
      { numRuns: 60 },
    ));

  it('give the balance at the end of each day, and what was purchased on it', () =>
    fc.assert(
      fc.asyncProperty(steps, async (life) => {
        const one = new Life();
        for (const step of life) one.step(step);
        await project(one.log, [5]);
        const readModels = readModelsAt(0n);
        const { transactions } = await transactionPage(readModels, tenant, { limit: 1_000, offset: 0 });
        const dayOf = ({ occurredAt }: Transaction): string => occurredAt.toISOString().slice(0, 10);
        const dates = daysUntil(new Date(Date.UTC(2027, 5, 1)), 300);
        const found = await creditsByDay(readModels, tenant, dates);
        const first = transactions.map(dayOf).sort()[0] ?? '9999';
        const wanted = dates.map((date) => ({
          date,
          balance:
            date < first
              ? null
              : transactions.filter((each) => dayOf(each) <= date).reduce((sum, { amount }) => sum + amount, 0),
          purchased: transactions
            .filter((each) => dayOf(each) === date && ['purchase', 'auto_recharge'].includes(each.type))
            .reduce((sum, { amount }) => sum + amount, 0),
        }));
        expect(found).toEqual(wanted);
      }),
      { numRuns: 40 },
    ));

  it('are found by their own times where a later one was stamped by a clock behind', async () => {
    const one = new Life();
    const charged = { kind: 'charge', nth: 0, amount: 1, wait: 0 };
    for (const step of [{ ...charged, kind: 'purchase', amount: 400 }, charged, { ...charged, wait: 1 }, charged])
      one.step(step);
    await project(one.log, [5]);
    const readModels = readModelsAt(0n);
    const { transactions } = await transactionPage(readModels, tenant, { limit: 10, offset: 0 });
    const [behind, ahead] = transactions;
    expect(behind?.occurredAt.getTime()).toBe((ahead?.occurredAt.getTime() ?? 0) - 60_000);
    const filter = { types: undefined, operations: undefined, from: undefined, to: ahead?.occurredAt };
    const page = await filteredTransactions(readModels, tenant, filter, { limit: 10 });
    expect(page.transactions).toEqual(transactions.filter((each) => each !== ahead));
  });
});
