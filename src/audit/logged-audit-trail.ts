import { Inject, Injectable } from '@nestjs/common';
import {
  type AccessRecord,
  type AuditBatch,
  type AuditEntry,
  AuditTrail,
  type SealedEntry,
  type SealedFields,
} from '../kernel/access.js';
import { tenantMetadata } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { KeyedHashes, Vault } from '../platform/crypto/vault.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type GroupedAppend, type GroupedLog, type IdentifiedEvent } from '../log/append/grouped-log.js';
import { CONFIG } from '../platform/tokens.js';
import { WritePositions } from '../log/append/write-positions.js';
import { auditCategory } from './domain/audit.category.js';
import { eventsOfBatch } from './domain/access-batch.js';
import {
  type AccessDetails,
  type AccessRecorded,
  type AuditEvent,
  auditStream,
  type BatchedAccess,
  entryIdOf,
} from './domain/audit.events.js';

/** Size of an entry in the log without its user agent, bytes. */
const ENTRY_BYTES = 900;

/** Writes and reads the audit streams of all tenants. Each tenant that this process has used has one grouping writer. */
@Injectable()
export class LoggedAuditTrail extends AuditTrail {
  private readonly log: GroupedLog<AuditEvent>;

  constructor(
    aggregates: AggregateStore,
    private readonly vault: Vault,
    private readonly hashes: KeyedHashes,
    private readonly own: WritePositions,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super();
    this.log = aggregates.grouped(auditCategory);
  }

  async record(entry: AuditEntry, budgetMs: number = this.config.timing.storeBudget): Promise<void> {
    const event = await this.toEvent(entry);
    const bytes = ENTRY_BYTES + entry.access.userAgent.length * 2;
    await this.append(entry.tenantId, event, { metadata: tenantMetadata(entry.access), bytes, budgetMs });
  }

  async recordBatch(batch: AuditBatch, budgetMs: number = this.config.timing.storeBudget): Promise<void> {
    const entries = await this.sealBatch(batch);
    const metadata = tenantMetadata(batch.access);
    await Promise.all(
      eventsOfBatch(batch, entries).map(({ event, bytes }) =>
        this.append(batch.tenantId, event, { metadata, bytes, budgetMs }),
      ),
    );
  }

  async seal(entry: SealedEntry): Promise<SealedFields> {
    const { tenantId, stream, eventId, access, identityHash, nameHash, answered, about, record } = entry;
    const key = await this.vault.tenantKey(tenantId, 'audit');
    const place = { tenantId, stream, eventId };
    const details: AccessDetails = {
      ...detailsOf(access, identityHash ?? nameHash),
      ...(answered === undefined ? {} : { answered }),
      ...(about === undefined ? {} : { about }),
    };
    return {
      access: this.vault.seal(key, { ...place, field: 'access' }, details),
      ...this.subjectOf(tenantId, identityHash),
      ...(record === undefined ? {} : { record: this.vault.seal(key, { ...place, field: 'record' }, record) }),
    };
  }

  recordedAt(tenantId: TenantId, position: bigint): void {
    this.own.written(tenantId, position);
  }

  private async append(tenantId: TenantId, event: IdentifiedEvent<AuditEvent>, how: GroupedAppend): Promise<void> {
    this.own.written(tenantId, await this.log.append(auditStream(tenantId), event, how));
  }

  private async sealBatch({ tenantId, batchId, access, entries }: AuditBatch): Promise<BatchedAccess[]> {
    const key = await this.vault.tenantKey(tenantId, 'audit', entries.length);
    const stream = auditStream(tenantId);
    return entries.map(({ index, identityHash }) => {
      const place = { tenantId, stream, eventId: entryIdOf(batchId, index), field: 'access' };
      return {
        index,
        access: this.vault.seal(key, place, detailsOf(access, identityHash)),
        ...this.subjectOf(tenantId, identityHash),
      };
    });
  }

  private subjectOf(tenantId: TenantId, identityHash: string | undefined): Pick<SealedFields, 'subject'> {
    return identityHash === undefined ? {} : { subject: this.hashes.auditSubject(tenantId, identityHash) };
  }

  private async toEvent(entry: AuditEntry): Promise<IdentifiedEvent<AccessRecorded>> {
    const { entryId, tenantId, access, identityHash, nameHash, about } = entry;
    const sealed = await this.seal({
      tenantId,
      stream: auditStream(tenantId),
      eventId: entryId,
      access,
      ...(identityHash === undefined ? {} : { identityHash }),
      ...(nameHash === undefined ? {} : { nameHash }),
      ...(about === undefined ? {} : { about }),
    });
    return {
      id: entryId,
      type: 'AccessRecorded.v1',
      data: {
        action: entry.action,
        result: entry.result,
        access: sealed.access,
        ...(sealed.subject === undefined ? {} : { subject: sealed.subject }),
      },
    };
  }
}

const detailsOf = ({ ipAddress, userAgent }: AccessRecord, identityHash?: string): AccessDetails => ({
  identityHash: identityHash ?? null,
  ipAddress,
  userAgent,
});
