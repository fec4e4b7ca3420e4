import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { type NewEvent, type StoredEvent } from '../../kernel/events.js';
import {
  type AllSubscriptionOptions,
  type AppendOptions,
  type AppendResult,
  type Delivery,
  EventStore,
  type ExpectedRevision,
  type ReadOptions,
  type RecordSubscriptionOptions,
} from './event-store.js';
import { type LogRecord } from './recorded-event.js';

/** Gives every reader events in their present version: aggregates, projections, rebuilds, purges. */
export class UpcastingEventStore extends EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly categories: CategoryRegistry,
  ) {
    super();
  }

  get healthy(): boolean {
    return this.store.healthy;
  }

  override get silentFor(): number {
    return this.store.silentFor;
  }

  append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    return this.store.append(stream, events, expected, options);
  }

  async read(stream: string, options?: ReadOptions): Promise<StoredEvent[]> {
    return (await this.store.read(stream, options)).map((event) => this.categories.upcast(event));
  }

  async *readPages(stream: string, options?: ReadOptions): AsyncIterable<readonly StoredEvent[]> {
    for await (const page of this.store.readPages(stream, options))
      yield page.map((event) => this.categories.upcast(event));
  }

  async *subscribeToAll(options: AllSubscriptionOptions): AsyncIterable<Delivery> {
    for await (const delivery of this.store.subscribeToAll(this.stored(options))) yield this.upcast(delivery);
  }

  override async *subscribeToAllInPages(options: AllSubscriptionOptions): AsyncIterable<readonly Delivery[]> {
    for await (const page of this.store.subscribeToAllInPages(this.stored(options)))
      yield page.map((delivery) => this.upcast(delivery));
  }

  /** As stored: what is proven is what was written, of whatever version. */
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

  /** The store knows each event by the type that it was stored with. */
  private stored({ eventTypes, ...options }: AllSubscriptionOptions): AllSubscriptionOptions {
    return { ...options, eventTypes: eventTypes && this.categories.storedTypesOf(eventTypes) };
  }

  private upcast(delivery: Delivery): Delivery {
    return delivery.kind === 'event' ? { kind: 'event', event: this.categories.upcast(delivery.event) } : delivery;
  }
}
