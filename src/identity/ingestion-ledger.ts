import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type Place } from '../platform/crypto/vault.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { CLOCK } from '../platform/tokens.js';
import { type IngestionCommand } from './domain/ingestion.commands.js';
import { type IngestionEvent, type IngestionRecord, ingestionStream, recordField } from './domain/ingestion.events.js';
import { type Ingestion, ingestionDecider } from './domain/ingestion.js';
import { type Cause, type Decided, decideOnStream, type Loaded, loadStream } from './stream-decision.js';

/** A record with the place that its personal part opens at. */
export interface PlacedRecord {
  readonly record: IngestionRecord;
  readonly place: Place;
}

/** The streams of ingestions. */
@Injectable()
export class IngestionLedger {
  constructor(
    private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A new ingestion's stream, most likely: deciding on it finds out by its expected revision, without a read. */
  unread(): Loaded<Ingestion> {
    return { state: ingestionDecider.initialState(), revision: 'no_stream', events: [] };
  }

  load(tenantId: TenantId, ingestionId: string): Promise<Loaded<Ingestion>> {
    return loadStream(this.store, ingestionStream(tenantId, ingestionId), ingestionDecider);
  }

  execute(
    target: { readonly tenantId: TenantId; readonly ingestionId: string },
    command: IngestionCommand,
    cause: Cause,
    options: { readonly firstEventId?: string; readonly loaded?: Loaded<Ingestion> } = {},
  ): Promise<Decided<Ingestion>> {
    const stream = ingestionStream(target.tenantId, target.ingestionId);
    const { store, clock } = this;
    return decideOnStream({ store, clock, stream, decider: ingestionDecider, command, cause, ...options });
  }
}

const recordsOf = (event: StoredEvent): readonly IngestionRecord[] => {
  const { type, data } = event as unknown as IngestionEvent;
  return type === 'IngestionAccepted.v1' || type === 'IngestionRecordsReceived.v1' ? data.records : [];
};

/** Every record of an ingestion, wherever in its stream it stands. */
export const placedRecords = (tenantId: TenantId, events: readonly StoredEvent[]): PlacedRecord[] =>
  events.flatMap((event) =>
    recordsOf(event).map((record) => ({
      record,
      place: { tenantId, stream: event.stream, eventId: event.id, field: recordField(record.recordIndex) },
    })),
  );

export const acceptedEvent = (events: readonly StoredEvent[]): StoredEvent | undefined =>
  events.find(({ type }) => type === 'IngestionAccepted.v1');
