import { Injectable } from '@nestjs/common';
import { type CommandMetadata, type Recorded } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { type Place } from '../platform/crypto/vault.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates, type Decided, type DecideOptions, type Loaded } from '../log/append/aggregates.js';
import { WrongExpectedRevision } from '../platform/eventstore/event-store.js';
import { ingestionCategory } from './domain/ingestion.category.js';
import { type IngestionCommand } from './domain/ingestion.commands.js';
import { type IngestionEvent, type IngestionRecord, ingestionStream, recordField } from './domain/ingestion.events.js';
import { type Ingestion } from './domain/ingestion.js';

/** A record and the place to which its personal part is bound. */
export interface PlacedRecord {
  readonly record: IngestionRecord;
  readonly place: Place;
}

/** Records sealed for one event. */
export interface SealedPart {
  readonly eventId: string;
  readonly records: readonly IngestionRecord[];
}

interface Target {
  readonly tenantId: TenantId;
  readonly ingestionId: string;
}

export type LoadedIngestion = Loaded<Ingestion, IngestionEvent>;

type Options = Pick<DecideOptions<Ingestion, IngestionEvent>, 'firstEventId' | 'loaded'>;

/** Reads and writes the ingestion streams. */
@Injectable()
export class IngestionRepository {
  private readonly ingestions: Aggregates<Ingestion, IngestionCommand, IngestionEvent>;

  constructor(aggregates: AggregateStore) {
    this.ingestions = aggregates.of(ingestionCategory);
  }

  load(tenantId: TenantId, ingestionId: string, budgetMs?: number): Promise<LoadedIngestion> {
    return this.ingestions.load(ingestionStream(tenantId, ingestionId), budgetMs);
  }

  execute(
    { tenantId, ingestionId }: Target,
    command: IngestionCommand,
    metadata: CommandMetadata,
    options: Options = {},
  ): Promise<Decided<Ingestion, IngestionEvent>> {
    return this.ingestions.execute(ingestionStream(tenantId, ingestionId), command, { ...options, metadata });
  }

  /** Appends the parts before the acceptance. It continues where an earlier attempt with the same id stopped. */
  async appendParts(
    { tenantId, ingestionId }: Target,
    parts: readonly SealedPart[],
    metadata: CommandMetadata,
  ): Promise<LoadedIngestion> {
    let loaded = this.ingestions.unread(ingestionStream(tenantId, ingestionId));
    while (loaded.state.status === 'none' && loaded.events.length < parts.length) {
      const part = parts[loaded.events.length];
      invariant(part !== undefined, 'an unfinished batch has a next part');
      const { eventId: firstEventId, records } = part;
      const event: IngestionEvent = { type: 'IngestionRecordsReceived.v1', data: { ingestionId, records } };
      try {
        loaded = await this.ingestions.append(loaded, [event], { metadata, firstEventId });
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        loaded = await this.load(tenantId, ingestionId);
      }
    }
    return loaded;
  }
}

const recordsOf = ({ type, data }: IngestionEvent): readonly IngestionRecord[] =>
  type === 'IngestionAccepted.v1' || type === 'IngestionRecordsReceived.v1' ? data.records : [];

/** Every record of an ingestion, from any event of its stream. */
export const placedRecords = (tenantId: TenantId, events: readonly Recorded<IngestionEvent>[]): PlacedRecord[] =>
  events.flatMap((event) =>
    recordsOf(event).map((record) => ({
      record,
      place: { tenantId, stream: event.stream, eventId: event.id, field: recordField(record.recordIndex) },
    })),
  );

export const acceptedEvent = (events: readonly Recorded<IngestionEvent>[]): Recorded<IngestionEvent> | undefined =>
  events.find(({ type }) => type === 'IngestionAccepted.v1');
