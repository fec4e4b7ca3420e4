import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  type ChargedTimes,
  tenantsWithEntriesBefore,
  timeOfChargeAfter,
} from '../../projections/ledger/audit-log.queries.js';
import {
  type PurgeableAccount,
  purgeableAccounts,
  tenantsToCarryForward,
  transactionAfter,
} from '../../projections/ledger/ledger.queries.js';
import { type PurgedStream, purgedStreams } from '../../projections/retention/retention.queries.js';
import { Attempts } from '../kernel/attempts.js';
import { type Clock } from '../kernel/clock.js';
import { type Recorded, type StoredEvent } from '../kernel/events.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { LeafRetirement } from '../kernel/leaf-retirement.js';
import { paginate } from '../kernel/paginate.js';
import { AggregateStore } from '../platform/eventstore/aggregate-store.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ReadModels } from '../platform/projections/projection.js';
import { CLOCK } from '../platform/tokens.js';
import { utcDay } from './domain/retention-periods.js';
import { purgeClaims } from './claims-purge.js';
import { purgeCredentials, purgeDocuments, purgePayments } from './ended-streams-purge.js';
import { purgeIngestions } from './ingestion-purge.js';
import {
  type AgeingStream,
  AUDIT_OF_OPERATORS,
  AUDIT_STREAM_PREFIX,
  auditOf,
  billingOf,
  carriedSince,
  carryForward,
  CLAIMS_STREAM_PREFIX,
  CREDENTIAL_STREAM_PREFIX,
  CREDITS_STREAM_PREFIX,
  DOCUMENT_STREAM_PREFIX,
  INGESTION_STREAM_PREFIX,
  PAYMENT_STREAM_PREFIX,
  SECURITY_LOG,
  startOfMonth,
  type AuditEvent,
  entriesIn,
} from './retention.process.js';
import { ALL_KEPT, type Piece, purgeStream } from './stream-purge.js';

/**
 * Most rows that one purge drops, of accesses and of charges each. One event or one millisecond may exceed it. The
 * limit bounds the transactions of the log's readers.
 */
const ROWS_A_PURGE = 5_000;

/** The oldest piece to purge. */
interface OldestPiece extends Piece {
  /** Whether events past their limit remain above it. */
  readonly more: boolean;
}

/**
 * Removes data past its retention limit from the log. The first step is the event on which every reader drops its
 * rows. Truncation follows, and a scavenge removes the data from disk. Every step may be repeated, and steps missed
 * in a crash are found again.
 */
@Injectable()
export class LogPurge {
  constructor(
    readonly store: EventStore,
    readonly aggregates: AggregateStore,
    readonly readModels: ReadModels,
    readonly leaves: LeafRetirement,
    private readonly commands: CommandBus,
    @Inject(CLOCK) readonly clock: Clock,
  ) {}

  /** A failure for one account does not stop the others. Throws the first fault at the end. */
  async run(): Promise<void> {
    const attempts = new Attempts();
    await attempts.make(() => this.truncateWhatWasPurged());
    await attempts.make(() => this.purgeAuditLogs(attempts));
    await attempts.make(() => this.carryBalancesForward(attempts));
    await attempts.make(() => this.purgeBillingRecords(attempts));
    await attempts.make(() => purgeIngestions(this, this.keptSince(INGESTION_STREAM_PREFIX)));
    await attempts.make(() => purgeClaims(this, this.keptSince(CLAIMS_STREAM_PREFIX)));
    await attempts.make(() => purgeCredentials(this, this.keptSince(CREDENTIAL_STREAM_PREFIX)));
    await attempts.make(() => purgeDocuments(this, this.keptSince(DOCUMENT_STREAM_PREFIX)));
    await attempts.make(() => purgePayments(this, this.keptSince(PAYMENT_STREAM_PREFIX)));
    attempts.end();
  }

  /** Repeats truncations lost in a crash after the event, or in a restore of older log metadata. */
  private async truncateWhatWasPurged(): Promise<void> {
    const find = (last: PurgedStream | undefined, limit: number) =>
      purgedStreams(this.readModels, last?.stream ?? '', limit);
    for await (const streams of paginate(find)) {
      for (const { stream, firstKept } of streams) {
        await this.leaves.retire(stream, firstKept);
        await this.store.truncateBefore(stream, firstKept);
      }
    }
  }

  private keptSince(stream: string): Date {
    return this.aggregates.categories.keptSince(stream, this.clock.now());
  }

  private async purgeAuditLogs(attempts: Attempts): Promise<void> {
    for (const log of [AUDIT_OF_OPERATORS, SECURITY_LOG]) await attempts.make(() => this.purgeByAge(log));
    const since = this.keptSince(AUDIT_STREAM_PREFIX);
    const tenants = await tenantsWithEntriesBefore(this.readModels, utcDay(since));
    for (const tenantId of tenants) await attempts.make(() => this.purgeAuditLog(tenantId, since));
  }

  private async purgeByAge(ageing: AgeingStream): Promise<void> {
    const since = this.keptSince(ageing.stream);
    for await (const piece of this.oldestPieces(ageing, since)) await purgeStream(this, ageing, piece);
  }

  /**
   * Purges a tenant's audit log. Entries of charges have no event in the audit stream. They are purged by time alone,
   * with the stream's pieces and between them.
   */
  private async purgeAuditLog(tenantId: TenantId, since: Date): Promise<void> {
    const ageing = auditOf(tenantId);
    let from = new Date(0);
    for await (const piece of this.oldestPieces(ageing, since)) {
      await this.purgeMostCharges({ tenantId, from, before: piece.occurredBefore });
      await purgeStream(this, ageing, piece);
      from = piece.occurredBefore;
    }
    if (from >= since) return;
    await this.purgeMostCharges({ tenantId, from, before: since });
    await purgeStream(this, ageing, { firstKept: ALL_KEPT, occurredBefore: since });
  }

  /** Purges entries of charges until at most one purge's worth remains. */
  private async purgeMostCharges({ tenantId, from, before }: ChargedTimes): Promise<void> {
    for (let start = from; ;) {
      const next = await timeOfChargeAfter(this.readModels, { tenantId, from: start, before }, ROWS_A_PURGE);
      if (next === undefined) return;
      // All charges of one millisecond are purged together.
      const cut = new Date(Math.max(next.getTime(), start.getTime() + 1));
      await purgeStream(this, auditOf(tenantId), { firstKept: ALL_KEPT, occurredBefore: cut });
      start = cut;
    }
  }

  private async carryBalancesForward(attempts: Attempts): Promise<void> {
    const now = this.clock.now();
    const requestId = newUuid();
    const find = (last: TenantId | undefined, limit: number) =>
      tenantsToCarryForward(this.readModels, startOfMonth(now), { after: last ?? '', limit });
    for await (const tenants of paginate(find)) {
      for (const tenantId of tenants) {
        await attempts.make(() => this.commands.execute(carryForward(tenantId, now, requestId)));
      }
    }
  }

  private async purgeBillingRecords(attempts: Attempts): Promise<void> {
    const since = this.keptSince(CREDITS_STREAM_PREFIX);
    const find = (last: PurgeableAccount | undefined, limit: number) =>
      purgeableAccounts(this.readModels, carriedSince(since), { after: last?.tenantId ?? '', limit });
    for await (const accounts of paginate(find)) {
      for (const account of accounts) {
        await attempts.make(() => this.purgeBillingRecordsOf(account, since));
      }
    }
  }

  /**
   * Drops the rows piece by piece. The events are removed with the last piece, since only all of them together hold
   * the account.
   */
  private async purgeBillingRecordsOf({ tenantId, firstKept }: PurgeableAccount, occurredBefore: Date): Promise<void> {
    const ageing = billingOf(tenantId);
    for (let from = 0; ;) {
      const rowsBelow = await transactionAfter(this.readModels, { tenantId, from, below: firstKept }, ROWS_A_PURGE);
      if (rowsBelow === undefined) break;
      await purgeStream(this, ageing, { firstKept: ALL_KEPT, occurredBefore, rowsBelow });
      from = rowsBelow;
    }
    await purgeStream(this, ageing, { firstKept, occurredBefore });
  }

  /** Finds each piece after the one before it is purged. */
  private async *oldestPieces({ stream }: AgeingStream, since: Date): AsyncGenerator<Piece> {
    let piece: OldestPiece | undefined;
    do {
      piece = await this.oldestPiece(stream, since);
      if (piece !== undefined) yield piece;
    } while (piece?.more === true);
  }

  /** The stream's oldest events up to the first that must be kept. Undefined if the oldest event must be kept. */
  private async oldestPiece(stream: string, since: Date): Promise<OldestPiece | undefined> {
    let last: StoredEvent | undefined;
    let latest = 0;
    let count = 0;
    for await (const page of this.store.readPages(stream)) {
      for (const event of page as readonly Recorded<AuditEvent>[]) {
        const time = new Date(event.metadata.time).getTime();
        if (time >= since.getTime()) return last && { ...endingWith(last), occurredBefore: since, more: false };
        if (count >= ROWS_A_PURGE)
          return last && { ...endingWith(last), occurredBefore: new Date(latest + 1), more: true };
        last = event;
        latest = Math.max(latest, time);
        count += entriesIn(event);
      }
    }
    return last && { ...endingWith(last), occurredBefore: since, more: false };
  }
}

const endingWith = ({ revision }: StoredEvent): { readonly firstKept: number } => ({ firstKept: Number(revision) + 1 });
