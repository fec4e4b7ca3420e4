import { type OperatorEvent } from '../../src/accounts/domain/operator.events.js';
import { type AuditEvent } from '../../src/audit/domain/audit.events.js';
import { type DocumentEvent, isExportRequest } from '../../src/reports/domain/document.events.js';
import { type RetentionEvent } from '../../src/retention/domain/retention.events.js';
import {
  type ChargeReversed,
  type CreditEvent,
  type CreditsDeducted,
  type CreditsReturned,
  type DeductionRefunded,
  type OperationCharged,
  settlementIdOf,
} from '../../src/credits/domain/credits.events.js';
import { type Recorded, tenantOfStream } from '../../src/kernel/events.js';
import { tenantUuid } from '../../src/kernel/ids.js';
import { actorOf } from '../../src/kernel/audit-actors.js';
import { AuditDays } from './audit-days.js';
import { type Recording, type ReversedCharge } from './accesses.js';
import { type Charge } from './charges.js';
import { type TransactionType } from '../../src/kernel/transactions.js';

export interface TransactionRow {
  readonly tenant_id: string;
  readonly tenant: string;
  readonly revision: string;
  readonly position: string;
  readonly id: string;
  readonly type: TransactionType;
  readonly amount: number;
  /** Sum of this tenant's amounts in the batch, up to and including this one. */
  readonly running: number;
  readonly operation: string | null;
  readonly request_id: string;
  readonly reference: string | null;
  readonly actor: string | null;
  readonly occurred_at: string;
}

export interface OpenRow {
  readonly tenant_id: string;
  readonly deduction_id: string;
  readonly operation: string;
  readonly actor: string;
  readonly amount: number;
  readonly deducted_at: string;
  readonly day: string;
}

interface Total {
  readonly tenant_id: string;
  readonly tenant: string;
  amount: number;
  transactions: number;
}

interface Usage {
  readonly tenant_id: string;
  readonly day: string;
  readonly operation: string;
  readonly actor: string;
  credits: number;
}

interface Moves {
  readonly tenant_id: string;
  readonly day: string;
  moved: number;
  purchased: number;
}

interface DeductionKey {
  readonly tenant_id: string;
  readonly deduction_id: string;
}

/** Any event in the streams that the ledger reads. */
export type LedgerEvent = CreditEvent | AuditEvent | DocumentEvent | OperatorEvent | RetentionEvent;

type Entry = Pick<TransactionRow, 'type' | 'amount'> &
  Partial<Pick<TransactionRow, 'operation' | 'reference' | 'actor'>>;

const refundOf = (reference: string, amount: number) => ({ type: 'refund', amount, reference }) as const;
const reversalOf = (reference: string, amount: number) => ({ type: 'reversal', amount, reference }) as const;

/** An operation that counts for nothing in the usage of its day, as its deduction's row shows. */
interface ReturnedRow {
  readonly tenant_id: string;
  readonly tenant: string;
  readonly deduction_id: string;
  readonly amount: number;
}

/** `time` is ISO 8601 in UTC, or only its day. */
interface Use {
  readonly tenantId: string;
  readonly time: string;
  readonly operation: string;
  readonly actor: string;
  readonly credits: number;
}

const addTo = (days: Map<string, Usage>, { tenantId, time, operation, actor, credits }: Use): void => {
  const day = time.slice(0, 10);
  const key = `${tenantId} ${day} ${operation} ${actor}`;
  const usage = days.get(key) ?? { tenant_id: tenantId, day, operation, actor, credits: 0 };
  usage.credits += credits;
  days.set(key, usage);
};

/** Sums up a batch of events, so that it takes a few statements at any length. */
export class BatchSum {
  readonly charges: Charge[] = [];
  /** All other transactions. */
  readonly transactions: TransactionRow[] = [];
  readonly totals = new Map<string, Total>();
  /** Deductions made in this batch and still open at its end. */
  readonly opened = new Map<string, OpenRow>();
  readonly usage = new Map<string, Usage>();
  readonly moves = new Map<string, Moves>();
  /** What charges had added to the usage of their days, and does not count. */
  readonly unused = new Map<string, Usage>();
  /** Daily numbers of the charges' audit entries. */
  readonly days = new AuditDays();
  /** Deductions of earlier batches. */
  readonly settled: DeductionKey[] = [];
  readonly refunded: DeductionKey[] = [];
  readonly reversed: ReversedCharge[] = [];
  readonly returned: ReturnedRow[] = [];
  readonly recordings: Recording[] = [];

  add(event: Recorded<LedgerEvent>): void {
    switch (event.type) {
      case 'CreditsPurchased.v1':
        this.enter(event, { type: 'purchase', amount: event.data.credits, reference: event.data.reference });
        break;
      case 'CreditsRecharged.v1':
        this.enter(event, { type: 'auto_recharge', amount: event.data.credits, reference: event.data.reference });
        break;
      case 'DebtPaid.v1':
        this.enter(event, reversalOf(event.data.reference, -event.data.amount));
        break;
      case 'CreditsReversed.v1':
        this.enter(event, reversalOf(event.data.reference, -event.data.taken));
        break;
      case 'CreditsRestored.v1':
        this.enter(event, reversalOf(event.data.reference, event.data.credits - event.data.debtCancelled));
        break;
      case 'CreditsReturned.v1':
        this.giveBack(event);
        break;
      case 'CreditsAdjusted.v1':
        this.enter(event, { type: 'adjustment', amount: event.data.amount, reference: event.data.reference });
        break;
      case 'OperationCharged.v1':
        this.charge(event);
        break;
      case 'ChargeReversed.v1':
        this.enter(event, { ...refundOf(event.data.chargeId, event.data.amount), operation: event.data.operation });
        // A reversed charge does not count in the usage of its day.
        addTo(this.unused, {
          tenantId: tenantOfStream(event.stream),
          time: event.data.chargedAt,
          operation: event.data.operation,
          actor: actorOf({ type: 'tenant', id: event.data.chargedBy }),
          credits: event.data.amount,
        });
        this.reverse(event);
        break;
      case 'CreditsDeducted.v1':
        this.deduct(event);
        break;
      case 'DeductionSettled.v1':
        this.close(event, event.data.deductionId, this.settled);
        this.recordings.push(event);
        break;
      case 'DeductionRefunded.v1':
        this.refund(event);
        break;
      case 'AccessRecorded.v1':
      case 'AccessesRecorded.v1':
        this.recordings.push(event);
        break;
      case 'DocumentRequested.v1':
        if (isExportRequest(event)) this.recordings.push(event);
        break;
      // Statements that act on this batch's rows run between sums. The operators' acts belong to no tenant's log. Alerts
      // and the course of a recharge move no credits.
      case 'BalanceCarriedForward.v1':
      case 'StreamPurged.v1':
      case 'OperatorActed.v1':
      case 'OperatorActConcluded.v1':
      case 'LowBalanceReached.v1':
      case 'KeyCapReached.v1':
      case 'AlertThresholdsFollowed.v1':
      case 'AutoRechargeConfigured.v1':
      case 'AutoRechargeRequested.v1':
      case 'AutoRechargeFailed.v1':
      case 'AutoRechargeSwitchedOff.v1':
      case 'SuspensionFollowed.v1':
      case 'DocumentCompleted.v1':
      case 'DocumentFileLost.v1':
      case 'DocumentFailed.v1':
      case 'DocumentExpired.v1':
      case 'DocumentWithdrawn.v1':
        break;
    }
  }

  private enter(event: Recorded<CreditEvent>, entry: Entry): void {
    const isPurchase = entry.type === 'purchase' || entry.type === 'auto_recharge';
    const total = this.move(event, entry.amount, isPurchase ? entry.amount : 0);
    this.transactions.push({
      tenant_id: total.tenant_id,
      tenant: total.tenant,
      revision: event.revision.toString(),
      position: event.position.toString(),
      id: event.id,
      type: entry.type,
      amount: entry.amount,
      running: total.amount,
      operation: entry.operation ?? null,
      request_id: event.metadata.$correlationId,
      reference: entry.reference ?? null,
      actor: entry.actor ?? null,
      occurred_at: event.metadata.time,
    });
  }

  private move({ stream, metadata }: Recorded<CreditEvent>, amount: number, purchased = 0): Total {
    const [tenantId, day] = [tenantOfStream(stream), metadata.time.slice(0, 10)];
    const moves = this.moves.get(`${tenantId} ${day}`) ?? { tenant_id: tenantId, day, moved: 0, purchased: 0 };
    moves.moved += amount;
    moves.purchased += purchased;
    this.moves.set(`${tenantId} ${day}`, moves);
    const total = this.totals.get(tenantId) ?? {
      tenant_id: tenantId,
      tenant: tenantUuid(tenantId),
      amount: 0,
      transactions: 0,
    };
    total.amount += amount;
    total.transactions += 1;
    this.totals.set(tenantId, total);
    return total;
  }

  private charge(event: Recorded<OperationCharged>): void {
    const { operation, amount, action, result } = event.data;
    const { tenant_id: tenantId, tenant } = this.move(event, -amount);
    this.charges.push({ tenant, event });
    const [{ time }, actor] = [event.metadata, actorOf(event.metadata.actor)];
    addTo(this.usage, { tenantId, time, operation, actor, credits: amount });
    this.days.add(tenantId, time, { action, result, actor });
  }

  private reverse({ stream, data }: Recorded<ChargeReversed>): void {
    const tenantId = tenantOfStream(stream);
    this.reversed.push({
      tenant: tenantUuid(tenantId),
      tenant_id: tenantId,
      revision: data.revision,
      id: data.chargeId,
      settlement: settlementIdOf(data.chargeId),
    });
  }

  private deduct(event: Recorded<CreditsDeducted>): void {
    const { deductionId, operation, amount } = event.data;
    const [{ time }, actor] = [event.metadata, actorOf(event.metadata.actor)];
    this.enter(event, { type: 'usage', amount: -amount, operation, reference: deductionId, actor });
    const row: OpenRow = {
      tenant_id: tenantOfStream(event.stream),
      deduction_id: deductionId,
      operation,
      actor,
      amount,
      // By the store's clock, so that the times of all deductions are comparable.
      deducted_at: event.created.toISOString(),
      day: time.slice(0, 10),
    };
    this.opened.set(deductionId, row);
    addTo(this.usage, { tenantId: row.tenant_id, time, operation, actor, credits: amount });
  }

  /** The deduction's row if this batch opened it. Otherwise its key is added to `earlier`. */
  private close(event: Recorded<CreditEvent>, deductionId: string, earlier: DeductionKey[]): OpenRow | undefined {
    const own = this.opened.get(deductionId);
    if (own === undefined) earlier.push({ tenant_id: tenantOfStream(event.stream), deduction_id: deductionId });
    else this.opened.delete(deductionId);
    return own;
  }

  private refund(event: Recorded<DeductionRefunded>): void {
    const { deductionId, operation, amount } = event.data;
    const own = this.close(event, deductionId, this.refunded);
    if (own !== undefined) {
      const { tenant_id: tenantId, day: time, actor } = own;
      addTo(this.usage, { tenantId, time, operation: own.operation, actor, credits: -own.amount });
    }
    this.enter(event, { ...refundOf(deductionId, amount), operation });
  }

  private giveBack(event: Recorded<CreditsReturned>): void {
    const { reference, deductionId, operation, amount } = event.data;
    this.close(event, deductionId, this.settled);
    this.enter(event, { ...refundOf(reference, amount), operation });
    const tenantId = tenantOfStream(event.stream);
    this.returned.push({ tenant_id: tenantId, tenant: tenantUuid(tenantId), deduction_id: deductionId, amount });
  }
}
