import { FORWARDS, type Position, START, StreamNotFoundError } from '@eventstore/db-client';
import {
  type AccessesRecorded,
  type AccessRecorded,
  type AuditEvent,
  entryIdOf,
} from '../../../src/audit/domain/audit.events.js';
import {
  type CreditEvent,
  type DeductionSettled,
  type OperationCharged,
} from '../../../src/credits/domain/credits.events.js';
import { type DomainEvent } from '../../../src/kernel/decider.js';
import { type TenantId } from '../../../src/kernel/ids.js';
import { readConnectionString } from '@kyc/esdb-client/connection-settings';
import { NodeClient } from '@kyc/esdb-client/node-client';
import { type Recorded } from './lifecycles.js';

export interface Logged<Event extends DomainEvent = DomainEvent> {
  readonly stream: string;
  readonly id: string;
  readonly revision: bigint;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: unknown;
}

/** An audit entry, with what it paid for, if anything. */
export type LoggedAccess = Logged<AccessRecorded> & { readonly deductionId: string | null };

const ENTRIES: ReadonlySet<string> = new Set<CreditEvent['type']>(['OperationCharged.v1', 'DeductionSettled.v1']);

/** Reads the event log beside the service. */
export class LogReader {
  private readonly client: NodeClient;

  constructor(connectionString: string) {
    this.client = new NodeClient(readConnectionString(connectionString));
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

  /** Every audit entry of the tenant: first those of its audit stream, then its charges and settlements, which are entries too. */
  async audit(tenantId: string): Promise<LoggedAccess[]> {
    const credits = await this.credits(tenantId);
    const charges = credits.filter(({ type }) => ENTRIES.has(type)).map(asEntry);
    const entries = (await this.stream<AuditEvent>(`audit-${tenantId as TenantId}`)).flatMap(apart);
    return [...entries, ...charges];
  }

  /** Every event of the whole log, with data and metadata as texts. */
  async *everything(): AsyncIterable<{ readonly stream: string; readonly type: string; readonly text: string }> {
    for await (const { event } of this.client.readAll({ direction: FORWARDS })) {
      if (event === undefined) continue;
      const parts = [event.data, event.metadata].map((part) =>
        part instanceof Uint8Array ? Buffer.from(part).toString('latin1') : JSON.stringify(part),
      );
      yield { stream: event.streamId, type: event.type, text: parts.join('\n') };
    }
  }

  /** What stands in the log behind a place of it, without the contents. */
  async *headings(
    after?: Position,
  ): AsyncIterable<{ readonly stream: string; readonly type: string; readonly position: Position }> {
    for await (const { event } of this.client.readAll({ direction: FORWARDS, fromPosition: after ?? START })) {
      if (event?.position === undefined || event.position.commit === after?.commit) continue;
      yield { stream: event.streamId, type: event.type, position: event.position };
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

  /** Every event of a tenant's ingestions and identities. */
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
    return this.client.close();
  }
}

/** Splits entries that were recorded together, as if each had its own event. */
const apart = (event: Logged<AuditEvent>): LoggedAccess[] => {
  if (event.type === 'AccessRecorded.v1') return [{ ...(event as Logged<AccessRecorded>), deductionId: null }];
  const { action, result, batchId, entries } = event.data as AccessesRecorded['data'];
  return entries.map(({ index, access }) => ({
    ...event,
    id: entryIdOf(batchId, index),
    type: 'AccessRecorded.v1',
    data: { action, result, access },
    deductionId: null,
  }));
};

const asEntry = (charge: Logged<CreditEvent>): LoggedAccess => {
  const charged = charge.data as OperationCharged['data'] | DeductionSettled['data'];
  const { action, result, access } = charged;
  const deductionId = 'chargeId' in charged ? charged.chargeId : charged.deductionId;
  return { ...charge, type: 'AccessRecorded.v1', data: { action, result, access }, deductionId };
};
