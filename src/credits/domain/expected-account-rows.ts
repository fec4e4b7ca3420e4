import { type Recorded } from '../../kernel/events.js';
import { type CreditEvent } from './credits.events.js';
import { type CreditAccount } from './credit-account.js';
import { creditAccount } from './credits.js';

/** What one event moved. */
export interface Movement {
  readonly revision: number;
  readonly position: bigint;
  readonly amount: number;
  readonly balanceAfter: number;
}

/** Credits used on one UTC day by one operation. */
export interface DayOfUse {
  readonly day: string;
  readonly operation: string;
  readonly credits: number;
}

interface Returned {
  readonly deductionId: string;
  readonly operation: string;
  readonly amount: number;
  /** Undefined: the deduction was settled before, or is not in the stream any more. */
  readonly day: string | undefined;
}

/** Types that each make one transaction, also of no credits. */
const MOVING: ReadonlySet<CreditEvent['type']> = new Set([
  'CreditsPurchased.v1',
  'CreditsRecharged.v1',
  'DebtPaid.v1',
  'CreditsReversed.v1',
  'CreditsRestored.v1',
  'CreditsReturned.v1',
  'CreditsAdjusted.v1',
  'OperationCharged.v1',
  'ChargeReversed.v1',
  'CreditsDeducted.v1',
  'DeductionRefunded.v1',
]);

/**
 * An account's stream, folded event by event: what its rows must say. It shares the decider with charging, and no code with
 * the projection. So a fault of one shows against the other.
 */
export class ExpectedAccountRows {
  private account: CreditAccount = creditAccount.initialState();
  private next = 0n;
  private moved = 0;
  private begins: { readonly revision: bigint; readonly day: string } | undefined;
  private readonly used = new Map<string, number>();
  private readonly days = new Map<string, string>();
  private readonly givenBack: Returned[] = [];

  /** Revision of the next event. */
  get nextRevision(): bigint {
    return this.next;
  }

  get balance(): number {
    return this.account.balance;
  }

  get isEmpty(): boolean {
    return this.begins === undefined;
  }

  /** Whether the stream still has all its events. */
  get isWhole(): boolean {
    return this.begins === undefined || this.begins.revision === 0n;
  }

  /** UTC day of the oldest event that was read. */
  get firstDay(): string | undefined {
    return this.begins?.day;
  }

  get transactions(): number {
    return this.moved;
  }

  /** Amounts by deduction. */
  get open(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.account.open, ([id, { amount }]) => [id, amount]));
  }

  get returned(): readonly Returned[] {
    return this.givenBack;
  }

  /** Without what was given back later. */
  get usage(): readonly DayOfUse[] {
    return Array.from(this.used, ([key, credits]) => {
      const [day = '', operation = ''] = key.split(' ');
      return { day, operation, credits };
    });
  }

  /** Returns what it moved. Undefined if it is no transaction. */
  apply(event: Recorded<CreditEvent>): Movement | undefined {
    if (this.isEmpty || event.revision !== this.next) this.begin(event);
    this.next = event.revision + 1n;
    this.use(event);
    const before = this.account.balance;
    this.account = creditAccount.evolve(this.account, event);
    if (!MOVING.has(event.type)) return undefined;
    this.moved += 1;
    const { balance } = this.account;
    const place = { revision: Number(event.revision), position: event.position };
    return { ...place, amount: balance - before, balanceAfter: balance };
  }

  /** The stream begins here. It may have been truncated while it was read: then the books begin again. */
  private begin({ revision, metadata }: Recorded<CreditEvent>): void {
    this.account = creditAccount.initialState();
    this.begins = { revision, day: metadata.time.slice(0, 10) };
    this.moved = 0;
    this.used.clear();
    this.days.clear();
    this.givenBack.length = 0;
  }

  private use(event: Recorded<CreditEvent>): void {
    const day = event.metadata.time.slice(0, 10);
    if (event.type === 'OperationCharged.v1') this.add(day, event.data.operation, event.data.amount);
    else if (event.type === 'ChargeReversed.v1')
      this.add(event.data.chargedAt.slice(0, 10), event.data.operation, -event.data.amount);
    else if (event.type === 'CreditsDeducted.v1') {
      this.days.set(event.data.deductionId, day);
      this.add(day, event.data.operation, event.data.amount);
    } else if (event.type === 'DeductionSettled.v1') this.days.delete(event.data.deductionId);
    else if (event.type === 'DeductionRefunded.v1') this.refund(event.data.deductionId);
    else if (event.type === 'CreditsReturned.v1') {
      const { deductionId, operation, amount } = event.data;
      this.givenBack.push({ deductionId, operation, amount, day: this.days.get(deductionId) });
      this.days.delete(deductionId);
    }
  }

  private refund(deductionId: string): void {
    const [day, open] = [this.days.get(deductionId), this.account.open.get(deductionId)];
    this.days.delete(deductionId);
    if (day !== undefined && open !== undefined) this.add(day, open.operation, -open.amount);
  }

  private add(day: string, operation: string, credits: number): void {
    const key = `${day} ${operation}`;
    this.used.set(key, (this.used.get(key) ?? 0) + credits);
  }
}
