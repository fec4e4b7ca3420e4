import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditTrail } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { deriveUuid, newUuid } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { KeyedHashes, Vault } from '../platform/crypto/vault.js';
import { CLOCK } from '../platform/tokens.js';
import { type AcceptedIngestion, AcceptIngestion, type SuppliedRecord } from './commands.js';
import { type IngestionRecord, ingestionStream, recordField } from './domain/ingestion.events.js';
import { IngestionJobs } from './ingestion-jobs.js';
import { IngestionLedger } from './ingestion-ledger.js';

/** Namespace of audit entry ids, which are derived from ingestion and record. */
const AUDIT_ENTRY_NAMESPACE = '3c0a6c7e-55cd-4d11-8a10-0d1f3a7f4b52';

type Ingest = AcceptIngestion['data'];

/** Data keys are committed before the event, the event before the audit entries, these before the answer. */
@CommandHandler(AcceptIngestion)
export class AcceptIngestionHandler implements ICommandHandler<AcceptIngestion, AcceptedIngestion> {
  constructor(
    private readonly vault: Vault,
    private readonly hashes: KeyedHashes,
    private readonly ledger: IngestionLedger,
    private readonly audit: AuditTrail,
    private readonly jobs: IngestionJobs,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: AcceptIngestion): Promise<AcceptedIngestion> {
    const eventId = newUuid();
    const records = await Promise.all(data.records.map((record) => this.seal(data, eventId, record)));
    const receivedAt = await this.accept(data, eventId, records);
    await Promise.all(records.map((record) => this.record(data, record)));
    // Not awaited: the acceptance is durable, and what the queue does not take the reconciler finds.
    void this.jobs.enqueue(data);
    return { ingestionId: data.ingestionId, receivedAt };
  }

  private async seal(data: Ingest, eventId: string, supplied: SuppliedRecord): Promise<IngestionRecord> {
    const { tenantId, ingestionId } = data;
    const { recordIndex, personal } = supplied;
    const key = await this.vault.subjectKey(tenantId, personal.email, personal.phone_number);
    const place = {
      tenantId,
      stream: ingestionStream(tenantId, ingestionId),
      eventId,
      field: recordField(recordIndex),
    };
    return {
      recordIndex,
      identityId: this.hashes.identityId(tenantId, personal.email, personal.phone_number),
      identityHash: this.hashes.identityHash(personal.email, personal.phone_number),
      kycStatus: supplied.kycStatus,
      tier: supplied.tier,
      kycExpiresAt: supplied.kycExpiresAt?.toISOString() ?? null,
      personal: this.vault.seal(key, place, personal),
    };
  }

  /** When the ingestion was received: by this attempt, or by the first with the same id. */
  private async accept(data: Ingest, eventId: string, records: readonly IngestionRecord[]): Promise<string> {
    const { tenantId, ingestionId, kind, recordsReceived, errors, access } = data;
    const receivedAt = this.clock.now().toISOString();
    const { state } = await this.ledger.execute(
      { tenantId, ingestionId },
      { kind: 'accept', accepted: { ingestionId, kind, receivedAt, recordsReceived, records, errors } },
      { requestId: access.requestId, actor: { type: 'tenant', id: access.actorId } },
      { firstEventId: eventId, loaded: this.ledger.unread() },
    );
    invariant(state.status !== 'none', 'an accepted ingestion has a status');
    return state.receivedAt;
  }

  private record(
    { tenantId, ingestionId, access }: Ingest,
    { recordIndex, identityHash }: IngestionRecord,
  ): Promise<void> {
    return this.audit.record({
      entryId: deriveUuid(AUDIT_ENTRY_NAMESPACE, `${ingestionId}/${recordIndex}`),
      tenantId,
      action: 'data_ingested',
      result: 'ok',
      identityHash,
      access,
    });
  }
}
