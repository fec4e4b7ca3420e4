import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditTrail } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { tenantMetadata } from '../kernel/events.js';
import { newUuid } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { KeyedHashes, Vault } from '../platform/crypto/vault.js';
import { CLOCK } from '../platform/tokens.js';
import { type AcceptedIngestion, AcceptIngestion, type SuppliedRecord } from './commands.js';
import { type IngestionRecord, ingestionStream, recordField } from './domain/ingestion.events.js';
import { IngestionJobs } from './ingestion-jobs.js';
import { IngestionRepository, type SealedPart } from './ingestion-repository.js';

/** An append holds at most 256 KiB. The rest is a generous estimate for the envelope and the plain fields. */
const MAX_PART_BYTES = 240 * 1_024;
const RECORD_OVERHEAD = 900;

type Ingest = AcceptIngestion['data'];

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const weigh = ({ personal }: SuppliedRecord): number => RECORD_OVERHEAD + Math.ceil((bytesOf(personal) * 4) / 3);

/** The split is deterministic, so that a second attempt can continue where the first stopped. */
const inParts = ({ records, errors }: Ingest): SuppliedRecord[][] => {
  const parts: SuppliedRecord[][] = [];
  let room = 0;
  for (const record of records) {
    const weight = weigh(record);
    if (weight > room) {
      parts.push([]);
      room = MAX_PART_BYTES;
    }
    parts.at(-1)?.push(record);
    room -= weight;
  }
  // The acceptance event holds the refused records beside the last part.
  if (bytesOf(errors) > room) parts.push([]);
  return parts;
};

/**
 * Data keys and audit entries are durable before the acceptance, and the acceptance before the response. So every
 * processed record has its audit entry, even if the process dies at any point.
 */
@CommandHandler(AcceptIngestion)
export class AcceptIngestionHandler implements ICommandHandler<AcceptIngestion, AcceptedIngestion> {
  constructor(
    private readonly vault: Vault,
    private readonly hashes: KeyedHashes,
    private readonly ledger: IngestionRepository,
    private readonly audit: AuditTrail,
    private readonly jobs: IngestionJobs,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: AcceptIngestion): Promise<AcceptedIngestion> {
    const parts = await Promise.all(inParts(data).map((records) => this.seal(data, records)));
    await this.record(
      data,
      parts.flatMap(({ records }) => records),
    );
    const receivedAt = await this.accept(data, parts);
    // Not awaited, since the acceptance is durable. The reconciler finds ingestions that the queue did not take.
    void this.jobs.enqueue(data);
    return { ingestionId: data.ingestionId, receivedAt };
  }

  private async seal(data: Ingest, records: readonly SuppliedRecord[]): Promise<SealedPart> {
    const eventId = newUuid();
    return { eventId, records: await Promise.all(records.map((record) => this.sealRecord(data, eventId, record))) };
  }

  private async sealRecord(data: Ingest, eventId: string, supplied: SuppliedRecord): Promise<IngestionRecord> {
    const { tenantId, ingestionId } = data;
    const { recordIndex, personal } = supplied;
    const identityId = this.hashes.identityId(tenantId, personal.email, personal.phone_number);
    const key = await this.vault.subjectKey(tenantId, identityId);
    const place = {
      tenantId,
      stream: ingestionStream(tenantId, ingestionId),
      eventId,
      field: recordField(recordIndex),
    };
    return {
      recordIndex,
      identityId,
      identityHash: this.hashes.identityHash(personal.email, personal.phone_number),
      kycStatus: supplied.kycStatus,
      tier: supplied.tier,
      kycExpiresAt: supplied.kycExpiresAt?.toISOString() ?? null,
      personal: this.vault.seal(key, place, personal),
    };
  }

  /** Time of receipt: by this attempt, or by the first one with the same id. */
  private async accept(data: Ingest, parts: readonly SealedPart[]): Promise<string> {
    const { tenantId, ingestionId, kind, recordsReceived, errors, access } = data;
    const target = { tenantId, ingestionId };
    const metadata = tenantMetadata(access);
    const last = parts.at(-1);
    invariant(last !== undefined, 'an ingestion has at least one valid record');
    const loaded = await this.ledger.appendParts(target, parts.slice(0, -1), metadata);
    const receivedAt = this.clock.now().toISOString();
    const accepted = { ingestionId, kind, receivedAt, recordsReceived, records: last.records, errors };
    const options = { firstEventId: last.eventId, loaded };
    const { state } = await this.ledger.execute(target, { kind: 'accept', accepted }, metadata, options);
    invariant(state.status !== 'none', 'an accepted ingestion has a status');
    return state.receivedAt;
  }

  private record({ tenantId, ingestionId, access }: Ingest, records: readonly IngestionRecord[]): Promise<void> {
    const entries = records.map(({ recordIndex, identityHash }) => ({ index: recordIndex, identityHash }));
    return this.audit.recordBatch({
      tenantId,
      batchId: ingestionId,
      action: 'data_ingested',
      result: 'ok',
      entries,
      access,
    });
  }
}
