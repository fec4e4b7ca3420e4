import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { type StoredEvent } from '../../kernel/events.js';
import { DelegatingEventStore } from './delegating-event-store.js';
import { type AllSubscriptionOptions } from '@kyc/esdb-client/requests';
import { type Delivery, type EventStore, type ReadOptions } from './event-store.js';

/** Gives every reader events in their present version: aggregates, projections, rebuilds, purges. Stored bytes stay as they are. */
export class UpcastingEventStore extends DelegatingEventStore {
  constructor(
    store: EventStore,
    private readonly categories: CategoryRegistry,
  ) {
    super(store);
  }

  override async read(stream: string, options?: ReadOptions): Promise<StoredEvent[]> {
    return (await this.store.read(stream, options)).map((event) => this.categories.upcast(event));
  }

  override async *readPages(stream: string, options?: ReadOptions): AsyncIterable<readonly StoredEvent[]> {
    for await (const page of this.store.readPages(stream, options))
      yield page.map((event) => this.categories.upcast(event));
  }

  override async *subscribeToAll(options: AllSubscriptionOptions): AsyncIterable<Delivery> {
    for await (const delivery of this.store.subscribeToAll(this.stored(options))) yield this.upcast(delivery);
  }

  override async *subscribeToAllInPages(options: AllSubscriptionOptions): AsyncIterable<readonly Delivery[]> {
    for await (const page of this.store.subscribeToAllInPages(this.stored(options)))
      yield page.map((delivery) => this.upcast(delivery));
  }

  /** The store knows each event by the type that it was stored with. */
  private stored({ eventTypes, ...options }: AllSubscriptionOptions): AllSubscriptionOptions {
    return { ...options, eventTypes: eventTypes && this.categories.storedTypesOf(eventTypes) };
  }

  private upcast(delivery: Delivery): Delivery {
    return delivery.kind === 'event' ? { kind: 'event', event: this.categories.upcast(delivery.event) } : delivery;
  }
}
