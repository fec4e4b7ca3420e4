import { Injectable } from '@nestjs/common';
import { type Envelope } from '../kernel/envelope.js';
import { type Recorded } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { DataKeyMissing } from '../platform/crypto/data-keys.js';
import { ERASED, type Place, Vault } from '../platform/crypto/vault.js';
import { type PersonalData } from './commands.js';
import { type IngestionEvent, type RecordError, REFUSED_IDS } from './domain/ingestion.events.js';
import { acceptedEvent, IngestionRepository, type PlacedRecord, placedRecords } from './ingestion-repository.js';
import { IngestionStatuses } from './ingestion-statuses.js';

export const RECORD_STATUSES = ['accepted', 'completed', 'failed', 'refused'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];

/** What became of one record of an ingestion. */
export interface IngestedRecord {
  readonly recordIndex: number;
  /** The caller's own id of the record. Null without one, once the person was erased, and where its key is away. */
  readonly externalId: string | null;
  readonly status: RecordStatus;
  /** Null for a record that was refused. */
  readonly identityId: string | null;
  readonly error: RecordError | null;
}

/** An ingestion's records by their place in the request. */
interface Contents {
  readonly placed: ReadonlyMap<number, PlacedRecord>;
  readonly refusedIds: ReadonlyMap<number, string>;
}

export interface RecordsAsked {
  readonly status: RecordStatus | undefined;
  /** Place of the first record. */
  readonly from: number;
  readonly limit: number;
}

/** Reads the records of an ingestion from its stream, by the names that their tenant gave them. Throws Unavailable. */
@Injectable()
export class IngestionRecords {
  constructor(
    private readonly ledger: IngestionRepository,
    private readonly statuses: IngestionStatuses,
    private readonly vault: Vault,
  ) {}

  /** One record more than `limit` where more follow. Undefined if the tenant has no such ingestion. */
  async page(
    tenantId: TenantId,
    ingestionId: string,
    { status: wanted, from, limit }: RecordsAsked,
  ): Promise<readonly IngestedRecord[] | undefined> {
    const status = await this.statuses.of(tenantId, ingestionId);
    if (status === undefined) return undefined;
    const { events, state } = await this.ledger.load(tenantId, ingestionId);
    const contents = await this.contentsOf(tenantId, events);
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
    return Promise.all(
      shown.map(async (one) => ({
        ...one,
        externalId: await this.externalId(contents, one.recordIndex),
        identityId: contents.placed.get(one.recordIndex)?.record.identityId ?? null,
        error: errors.get(one.recordIndex) ?? null,
      })),
    );
  }

  /** The callers' own ids of these records, by their places. */
  async externalIds(
    tenantId: TenantId,
    ingestionId: string,
    errors: readonly RecordError[],
  ): Promise<ReadonlyMap<number, string>> {
    if (errors.length === 0) return new Map();
    const contents = await this.contentsOf(tenantId, (await this.ledger.load(tenantId, ingestionId)).events);
    const ids = await Promise.all(
      errors.map(async ({ recordIndex }) => [recordIndex, await this.externalId(contents, recordIndex)] as const),
    );
    return new Map(ids.filter((entry): entry is readonly [number, string] => entry[1] !== null));
  }

  private async contentsOf(tenantId: TenantId, events: readonly Recorded<IngestionEvent>[]): Promise<Contents> {
    const placed = new Map(placedRecords(tenantId, events).map((one) => [one.record.recordIndex, one]));
    return { placed, refusedIds: await this.refusedIds(tenantId, events) };
  }

  private async refusedIds(
    tenantId: TenantId,
    events: readonly Recorded<IngestionEvent>[],
  ): Promise<ReadonlyMap<number, string>> {
    const accepted = acceptedEvent(events);
    if (accepted?.type !== 'IngestionAccepted.v1' || accepted.data.refusedIds === undefined) return new Map();
    const place = { tenantId, stream: accepted.stream, eventId: accepted.id, field: REFUSED_IDS };
    const ids = Object.entries((await this.open(place, accepted.data.refusedIds)) as Record<string, string>);
    return new Map(ids.map(([index, id]) => [Number(index), id]));
  }

  private async externalId({ placed, refusedIds }: Contents, recordIndex: number): Promise<string | null> {
    const found = placed.get(recordIndex);
    if (found === undefined) return refusedIds.get(recordIndex) ?? null;
    const personal: Partial<PersonalData> = await this.open(found.place, found.record.personal);
    return personal.external_id ?? null;
  }

  /** Nothing of what was erased, or cannot be opened: what became of a record shows also where its key is away. */
  private async open(place: Place, envelope: Envelope): Promise<object> {
    try {
      const opened = await this.vault.open(place, envelope);
      return opened === ERASED ? {} : (opened as object);
    } catch (error) {
      if (error instanceof DataKeyMissing || (error instanceof Unavailable && error.part === 'keys')) return {};
      throw error;
    }
  }
}
