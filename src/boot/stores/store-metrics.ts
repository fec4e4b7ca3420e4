import { Histogram } from 'prom-client';
import { type ObserveAppend } from '../../platform/eventstore/measured-event-store.js';
import { type Metrics } from '../../observability/metrics.js';
import { type Stores } from './stores.js';

/** Returns what counts an append to the log. It is called for every charge. */
export const measureAppends = ({ registry }: Metrics): ObserveAppend => {
  const durations = new Histogram({
    name: 'event_store_append_duration_seconds',
    help: 'Duration of appends to the log by outcome, with the tries that each took',
    labelNames: ['outcome'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers: [registry],
  });
  const sizes = new Histogram({
    name: 'event_store_append_events',
    help: 'Events in an append',
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000],
    registers: [registry],
  });
  return (outcome, seconds, events) => {
    durations.observe({ outcome }, seconds);
    sizes.observe(events);
  };
};

/** What waits for the log, and what the connections to Postgres do. */
export const observeStores = (
  { aggregates, database }: Pick<Stores, 'aggregates' | 'database'>,
  metrics: Metrics,
): void => {
  metrics.gauge(
    'event_store_queued_commands',
    'Commands and entries that wait for an append they share, or are in it, by category',
    'category',
    () => aggregates.waiting(),
  );
  metrics.gauge(
    'postgres_pool',
    'Connections to Postgres by what they do, and callers that wait for one',
    'state',
    () => {
      const { inUse, idle, waiting } = database.use;
      return new Map([
        ['in_use', inUse],
        ['idle', idle],
        ['waiting', waiting],
      ]);
    },
  );
  metrics.gauge('postgres_pool_limit', 'Most connections that the pool opens', 'pool', () => {
    return new Map([['service', database.use.most]]);
  });
};
