import { categories } from '../../src/categories.js';
import { type Clock, systemClock } from '../../src/kernel/clock.js';
import { AggregateStore } from '../../src/log/append/aggregate-store.js';
import { type EventStore } from '../../src/platform/eventstore/event-store.js';
import { type Snapshots } from '../../src/log/append/snapshots.js';
import { MemorySnapshots } from './memory-snapshots.js';

/** The aggregates of a store, with their own snapshots where none are given. */
export const aggregatesOf = (
  store: EventStore,
  clock: Clock = systemClock,
  snapshots: Snapshots = new MemorySnapshots(),
): AggregateStore => new AggregateStore(categories, store, snapshots, clock);
