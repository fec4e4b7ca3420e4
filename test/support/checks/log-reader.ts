import { EventStoreDBClient, FORWARDS, START, StreamNotFoundError } from '@eventstore/db-client';
import { type AuditEvent } from '../../../src/audit/domain/audit.events.js';
import { type CreditEvent } from '../../../src/credits/domain/credits.events.js';
import { type DomainEvent } from '../../../src/kernel/decider.js';
import { type TenantId } from '../../../src/kernel/ids.js';
import { type Recorded } from './lifecycles.js';

export interface Logged<Event extends DomainEvent = DomainEvent> {
  readonly stream: string;
  readonly id: string;
  readonly revision: bigint;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: unknown;
}

/** Reads the event log beside the service, with the store's official client. */
export class LogReader {
  private readonly client: EventStoreDBClient;

  constructor(connectionString: string) {
    this.client = EventStoreDBClient.connectionString(connectionString);
  }

  async stream<Event extends DomainEvent>(name: string): Promise<Logged<Event>[]> {
    const events: Logged<Event>[] = [];
    try {
      for await (const { event } of this.client.readStream(name, { direction: FORWARDS, fromRevision: START })) {
        if (event !== undefined) events.push(event as unknown as Logged<Event>);
      }
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error;
    }
    return events.map((event) => ({ ...event, stream: name }));
  }

  credits(tenantId: string): Promise<Logged<CreditEvent>[]> {
    return this.stream<CreditEvent>(`credits-${tenantId as TenantId}`);
  }

  audit(tenantId: string): Promise<Logged<AuditEvent>[]> {
    return this.stream<AuditEvent>(`audit-${tenantId as TenantId}`);
  }

  /** Every event of the whole log, as texts of data and metadata. */
  async *everything(): AsyncIterable<{ readonly stream: string; readonly type: string; readonly text: string }> {
    for await (const { event } of this.client.readAll({ direction: FORWARDS })) {
      if (event === undefined) continue;
      const parts = [event.data, event.metadata].map((part) =>
        part instanceof Uint8Array ? Buffer.from(part).toString('latin1') : JSON.stringify(part),
      );
      yield { stream: event.streamId, type: event.type, text: parts.join('\n') };
    }
  }

  /** The streams of a tenant's accepted ingestions, once for each acceptance, in the order of the log. */
  async acceptancesOf(tenantId: string): Promise<string[]> {
    const streams: string[] = [];
    for await (const { stream, type } of this.everything()) {
      if (type === 'IngestionAccepted.v1' && stream.startsWith(`ingestion-${tenantId}_`)) streams.push(stream);
    }
    return streams;
  }

  /** Everything that happened to a tenant's ingestions and identities. */
  async lifecyclesOf(tenantId: string): Promise<Recorded[]> {
    const recorded: Recorded[] = [];
    const prefixes = [`ingestion-${tenantId}_`, `identity-${tenantId}_`];
    for await (const { event } of this.client.readAll({ direction: FORWARDS })) {
      if (event === undefined || !prefixes.some((prefix) => event.streamId.startsWith(prefix))) continue;
      const { type, data } = event;
      recorded.push({
        id: event.id,
        stream: event.streamId,
        position: event.position?.commit ?? -1n,
        event: { type, data } as unknown as Recorded['event'],
      });
    }
    return recorded;
  }

  close(): Promise<void> {
    return this.client.dispose();
  }
}
