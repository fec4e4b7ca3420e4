import { Injectable } from '@nestjs/common';
import {
  type ChargedTimes,
  tenantsWithEntriesBefore,
  timeOfChargeAfter,
} from '../../projections/ledger/audit-log.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { utcDay } from '../kernel/retention.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ReadModels } from '../log/project/projection.js';
import {
  type AgeingStream,
  ALL_KEPT,
  type PurgeRound,
  type Purges,
  PurgeStep,
  ROWS_A_PIECE,
} from '../contract/purging/purge-step.js';
import { oldestPieces } from '../contract/purging/streams.js';
import { AUDIT_STREAM_PREFIX, type AuditEvent, auditStream, entriesIn } from './domain/audit.events.js';

const auditOf = (tenantId: TenantId): AgeingStream => ({ stream: auditStream(tenantId), owner: tenantId });

/** Purges the audit logs of tenants. */
@Injectable()
@PurgeStep({ name: 'audit_logs', categories: ['audit'] })
export class AuditLogPurge implements Purges {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
  ) {}

  async purge(round: PurgeRound): Promise<void> {
    const since = round.keptSince(AUDIT_STREAM_PREFIX);
    for (const tenantId of await tenantsWithEntriesBefore(this.readModels, utcDay(since)))
      await round.attempts.make(() => this.purgeOf(tenantId, round, since));
  }

  /**
   * Entries of charges have no event in the audit stream. They are purged by time alone, with the stream's pieces and
   * between them.
   */
  private async purgeOf(tenantId: TenantId, round: PurgeRound, since: Date): Promise<void> {
    const ageing = auditOf(tenantId);
    let from = new Date(0);
    for await (const piece of oldestPieces<AuditEvent>(this.store, ageing.stream, since, entriesIn)) {
      await this.purgeMostCharges(round, { tenantId, from, before: piece.occurredBefore });
      await round.purge(ageing, piece);
      from = piece.occurredBefore;
    }
    if (from >= since) return;
    await this.purgeMostCharges(round, { tenantId, from, before: since });
    await round.purge(ageing, { firstKept: ALL_KEPT, occurredBefore: since });
  }

  /** Purges entries of charges until at most one piece's worth remains. */
  private async purgeMostCharges(round: PurgeRound, { tenantId, from, before }: ChargedTimes): Promise<void> {
    for (let start = from; ;) {
      const next = await timeOfChargeAfter(this.readModels, { tenantId, from: start, before }, ROWS_A_PIECE);
      if (next === undefined) return;
      // All charges of one millisecond are purged together.
      const cut = new Date(Math.max(next.getTime(), start.getTime() + 1));
      await round.purge(auditOf(tenantId), { firstKept: ALL_KEPT, occurredBefore: cut });
      start = cut;
    }
  }
}
