import { type CategoryRegistry } from '../kernel/category-registry.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { GrpcEventStore, type GrpcEventStoreOptions } from '../platform/eventstore/grpc-event-store.js';
import { SharedTailEventStore } from '../log/follow/shared-tail.js';
import { UpcastingEventStore } from '../platform/eventstore/upcasting-event-store.js';

/**
 * The log, with one subscription for all followers and upcasting for its readers. Without need there is no wrapper: the
 * official client does not give stored bytes, and events in their first version need no upcasting.
 */
export const openEventStore = (options: GrpcEventStoreOptions, categories: CategoryRegistry): EventStore => {
  const connected = new GrpcEventStore(options);
  const store = options.client === 'official' ? connected : new SharedTailEventStore(connected);
  return categories.hasUpcasters ? new UpcastingEventStore(store, categories) : store;
};
