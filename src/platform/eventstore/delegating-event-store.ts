import { type NewEvent, type StoredEvent } from '../../kernel/events.js';
import {
  type AllSubscriptionOptions,
  type ExpectedRevision,
  type RecordSubscriptionOptions,
} from '@kyc/esdb-client/requests';
import { type AppendOptions, type AppendResult, type Delivery, EventStore, type ReadOptions } from './event-store.js';
import { type LogRecord } from '@kyc/esdb-client/events';

/** Passes every call on to another store. A subclass changes some of them. */
export abstract class DelegatingEventStore extends EventStore {
  constructor(protected readonly store: EventStore) {
    super();
  }

  get healthy(): boolean {
    return this.store.healthy;
  }

  override get server(): string | undefined {
    return this.store.server;
  }

  override get appendsFailSince(): Date | undefined {
    return this.store.appendsFailSince;
  }

  override get sinceLastReplyMs(): number {
    return this.store.sinceLastReplyMs;
  }

  append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    return this.store.append(stream, events, expected, options);
  }

  read(stream: string, options?: ReadOptions): Promise<StoredEvent[]> {
    return this.store.read(stream, options);
  }

  readPages(stream: string, options?: ReadOptions): AsyncIterable<readonly StoredEvent[]> {
    return this.store.readPages(stream, options);
  }

  subscribeToAll(options: AllSubscriptionOptions): AsyncIterable<Delivery> {
    return this.store.subscribeToAll(options);
  }

  override subscribeToAllInPages(options: AllSubscriptionOptions): AsyncIterable<readonly Delivery[]> {
    return this.store.subscribeToAllInPages(options);
  }

  override subscribeToRecords(options: RecordSubscriptionOptions): AsyncIterable<readonly Delivery<LogRecord>[]> {
    return this.store.subscribeToRecords(options);
  }

  override readRecord(stream: string, revision: bigint): Promise<LogRecord | undefined> {
    return this.store.readRecord(stream, revision);
  }

  override truncateBefore(stream: string, revision: bigint): Promise<void> {
    return this.store.truncateBefore(stream, revision);
  }

  head(): Promise<bigint | undefined> {
    return this.store.head();
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
