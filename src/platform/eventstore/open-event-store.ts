import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { type EventStore } from './event-store.js';
import { GrpcEventStore, type GrpcEventStoreOptions } from './grpc-event-store.js';
import { UpcastingEventStore } from './upcasting-event-store.js';

/** The log with upcasting for its readers. If every event is in its first version, no wrapper is added. */
export const openEventStore = (options: GrpcEventStoreOptions, categories: CategoryRegistry): EventStore => {
  const store = new GrpcEventStore(options);
  return categories.hasUpcasters ? new UpcastingEventStore(store, categories) : store;
};
