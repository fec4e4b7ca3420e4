import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type NewEvent, type StoredEvent } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { type Place } from '../platform/crypto/vault.js';
import { EventStore, WrongExpectedRevision } from '../platform/eventstore/event-store.js';
import { CLOCK } from '../platform/tokens.js';
import { type IngestionCommand } from './domain/ingestion.commands.js';
import { type IngestionEvent, type IngestionRecord, ingestionStream, recordField } from './domain/ingestion.events.js';
import { type Ingestion, ingestionDecider } from './domain/ingestion.js';
import { type Cause, type Decided, decideOnStream, type Loaded, loadStream, unread } from './stream-decision.js';

/** A record with the place that its personal part opens at. */
export interface PlacedRecord {
  readonly record: IngestionRecord;
  readonly place: Place;
}

/** Records that are sealed to stand in one event. */
export interface SealedPart {
  readonly eventId: string;
  readonly records: readonly IngestionRecord[];
}

interface Target {
  readonly tenantId: TenantId;
  readonly ingestionId: string;
}

/** The streams of ingestions. */
@Injectable()
export class IngestionLedger {
  constructor(
    private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  load(tenantId: TenantId, ingestionId: string, budgetMs?: number): Promise<Loaded<Ingestion>> {
    return loadStream(this.store, ingestionStream(tenantId, ingestionId), ingestionDecider, budgetMs);
  }

  execute(
    target: Target,
    command: IngestionCommand,
    cause: Cause,
    options: { readonly firstEventId?: string; readonly loaded?: Loaded<Ingestion> } = {},
  ): Promise<Decided<Ingestion>> {
    const stream = ingestionStream(target.tenantId, target.ingestionId);
    const { store, clock } = this;
    const load = () => this.load(target.tenantId, target.ingestionId);
    return decideOnStream({ store, clock, stream, load, decider: ingestionDecider, command, cause, ...options });
  }

  /** Writes the parts that go before the acceptance, going on where an earlier attempt with the same id broke off. */
  async appendParts(target: Target, parts: readonly SealedPart[], cause: Cause): Promise<Loaded<Ingestion>> {
    const stream = ingestionStream(target.tenantId, target.ingestionId);
    let loaded = unread(ingestionDecider);
    while (loaded.state.status === 'none' && loaded.events.length < parts.length) {
      const part = parts[loaded.events.length];
      invariant(part !== undefined, 'an unfinished batch has a next part');
      const event = this.toEvent(target.ingestionId, part, cause);
      try {
        const { revision, position } = await this.store.append(stream, [event], loaded.revision);
        const stored = { ...event, stream, revision, position, created: this.clock.now() };
        loaded = { ...loaded, revision, events: [...loaded.events, stored] };
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        loaded = await this.load(target.tenantId, target.ingestionId);
      }
    }
    return loaded;
  }

  private toEvent(ingestionId: string, { eventId, records }: SealedPart, cause: Cause): NewEvent {
    return {
      id: eventId,
      type: 'IngestionRecordsReceived.v1',
      data: { ingestionId, records },
      metadata: {
        $correlationId: cause.requestId,
        actor: cause.actor,
        time: this.clock.now().toISOString(),
        schemaVersion: 1,
      },
    };
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
