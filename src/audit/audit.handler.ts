import { Inject, Injectable } from '@nestjs/common';
import { type AuditEntry, AuditTrail } from '../kernel/access.js';
import { type Clock, CLOCK_SLACK_MS } from '../kernel/clock.js';
import { type NewEvent } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { Vault } from '../platform/crypto/vault.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { GroupAppend } from '../platform/eventstore/group-append.js';
import { StreamPool } from '../platform/eventstore/stream-pool.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { OwnEntries } from './own-entries.js';
import { type AccessDetails, type AccessRecorded, type AuditEvent, auditStream } from './domain/audit.events.js';

/** What an entry takes in the log beside its user agent, bytes. */
const ENTRY_BYTES = 900;

/** The audit streams of all tenants, with one grouping writer for each that this process has touched. */
@Injectable()
export class LoggedAuditTrail extends AuditTrail {
  private readonly writers = new StreamPool(
    (tenantId: TenantId) => new GroupAppend(auditStream(tenantId), this.store, this.clock),
  );

  constructor(
    private readonly store: EventStore,
    private readonly vault: Vault,
    private readonly own: OwnEntries,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super();
  }

  async record(entry: AuditEntry, budgetMs: number = this.config.timing.storeBudget): Promise<void> {
    const event = await this.toEvent(entry);
    const position = await this.writers
      .of(entry.tenantId)
      .append(event, ENTRY_BYTES + entry.access.userAgent.length * 2, budgetMs);
    this.own.written(entry.tenantId, position);
  }

  async completedDeductions(tenantId: TenantId, deductionIds: ReadonlySet<string>, since: Date): Promise<Set<string>> {
    const earliest = since.getTime() - CLOCK_SLACK_MS;
    const completed = new Set<string>();
    for await (const page of this.store.readPages(auditStream(tenantId), { direction: 'backwards' })) {
      for (const stored of page) {
        if (stored.created.getTime() < earliest) return completed;
        const { deductionId } = (stored as unknown as AuditEvent).data;
        if (deductionId !== null && deductionIds.has(deductionId)) completed.add(deductionId);
      }
      if (completed.size === deductionIds.size) break;
    }
    return completed;
  }

  private async toEvent(entry: AuditEntry): Promise<NewEvent<AccessRecorded>> {
    const { tenantId, access } = entry;
    const details: AccessDetails = {
      identityHash: entry.identityHash ?? null,
      ipAddress: access.ipAddress,
      userAgent: access.userAgent,
    };
    const key = await this.vault.tenantKey(tenantId);
    const place = { tenantId, stream: auditStream(tenantId), eventId: entry.entryId, field: 'access' };
    return {
      id: entry.entryId,
      type: 'AccessRecorded.v1',
      data: {
        action: entry.action,
        result: entry.result,
        deductionId: entry.deductionId ?? null,
        outcome: 'completed',
        access: this.vault.seal(key, place, details),
      },
      metadata: {
        $correlationId: access.requestId,
        actor: { type: 'tenant', id: access.actorId },
        time: this.clock.now().toISOString(),
        schemaVersion: 1,
      },
    };
  }
}
