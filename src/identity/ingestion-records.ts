import { Injectable } from '@nestjs/common';
import { type AccessRecord, AuditTrail } from '../kernel/access.js';
import { type Recorded } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { openIfPossible } from '../platform/crypto/open-if-possible.js';
import { Vault } from '../platform/crypto/vault.js';
import { type PersonalData } from './commands.js';
import { INGESTION_FAULTS, type IngestionEvent, type RecordError } from './domain/ingestion.events.js';
import { IngestionRepository, type PlacedRecord, placedRecords } from './ingestion-repository.js';
import { IngestionStatuses } from './ingestion-statuses.js';

export const RECORD_STATUSES = ['accepted', 'completed', 'failed', 'refused'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];

/** What became of one record of an ingestion. */
export interface IngestedRecord {
  readonly recordIndex: number;
  /** The caller's own id. Null without one, for a refused record, once the person was erased, and where its key is away. */
  readonly externalId: string | null;
  readonly status: RecordStatus;
  /** Null for a record that was refused. */
  readonly identityId: string | null;
  readonly error: RecordError | null;
}

export interface RecordsAsked {
  readonly status: RecordStatus | undefined;
  /** Place of the first record. */
  readonly from: number;
  readonly limit: number;
}

/**
 * Reads the records of an ingestion from its stream, by the names that their tenant gave them. An answer with such names is an
 * audit entry. Throws Unavailable.
 */
@Injectable()
export class IngestionRecords {
  constructor(
    private readonly ledger: IngestionRepository,
    private readonly statuses: IngestionStatuses,
    private readonly vault: Vault,
    private readonly audit: AuditTrail,
  ) {}

  /** One record more than `limit` where more follow. Undefined if the tenant has no such ingestion. */
  async page(
    tenantId: TenantId,
    ingestionId: string,
    { status: wanted, from, limit }: RecordsAsked,
    access: AccessRecord,
  ): Promise<readonly IngestedRecord[] | undefined> {
    const status = await this.statuses.of(tenantId, ingestionId);
    if (status === undefined) return undefined;
    const { events, state } = await this.ledger.load(tenantId, ingestionId);
    const placed = byIndex(tenantId, events);
    const refused = new Set(state.refusals.map(({ recordIndex }) => recordIndex));
    const errors = new Map(status.errors.map((error) => [error.recordIndex, error]));
    const statusOf = (index: number): RecordStatus => {
      if (refused.has(index)) return 'refused';
      if (status.status === 'accepted') return 'accepted';
      return errors.has(index) ? 'failed' : 'completed';
    };
    const shown: { readonly recordIndex: number; readonly status: RecordStatus }[] = [];
    for (let recordIndex = from; recordIndex < status.recordsReceived && shown.length <= limit; recordIndex += 1) {
      const found = statusOf(recordIndex);
      if (wanted === undefined || wanted === found) shown.push({ recordIndex, status: found });
    }
    const records = await Promise.all(
      shown.map(async (one) => ({
        ...one,
        externalId: await this.externalId(placed.get(one.recordIndex)),
        identityId: placed.get(one.recordIndex)?.record.identityId ?? null,
        error: errors.get(one.recordIndex) ?? null,
      })),
    );
    const named = records.slice(0, limit).filter(({ externalId }) => externalId !== null).length;
    await this.audit.disclosed({ tenantId, action: 'ingestion_read', records: named, access });
    return records;
  }

  /** The callers' own ids of these records, by their places. */
  async externalIds(
    tenantId: TenantId,
    ingestionId: string,
    errors: readonly RecordError[],
    access: AccessRecord,
  ): Promise<ReadonlyMap<number, string>> {
    // Of refused records nothing is kept, so most batches with errors need no look into the stream.
    const faults = errors.filter(({ code }) => (INGESTION_FAULTS as readonly string[]).includes(code));
    if (faults.length === 0) return new Map();
    const placed = byIndex(tenantId, (await this.ledger.load(tenantId, ingestionId)).events);
    const ids = await Promise.all(
      faults.map(async ({ recordIndex }) => [recordIndex, await this.externalId(placed.get(recordIndex))] as const),
    );
    const named = ids.filter((entry): entry is readonly [number, string] => entry[1] !== null);
    await this.audit.disclosed({ tenantId, action: 'ingestion_read', records: named.length, access });
    return new Map(named);
  }

  /** What became of a record shows also where its key is away. */
  private async externalId(placed: PlacedRecord | undefined): Promise<string | null> {
    if (placed === undefined) return null;
    const opened = await openIfPossible(this.vault, placed.place, placed.record.personal);
    return (opened as PersonalData | undefined)?.external_id ?? null;
  }
}

const byIndex = (tenantId: TenantId, events: readonly Recorded<IngestionEvent>[]): ReadonlyMap<number, PlacedRecord> =>
  new Map(placedRecords(tenantId, events).map((one) => [one.record.recordIndex, one]));
