import { LRUCache } from 'lru-cache';
import { type Clock } from '../../kernel/clock.js';

/**
 * A cache that limits the number and the age (milliseconds) of its entries. The least recently used goes first. `onRemoved`
 * gets every value that `get`, `set`, `delete` or `purgeStale` removes.
 */
export const ageingCache = <Value extends object | symbol>(
  max: number,
  maxAge: number,
  clock: Pick<Clock, 'monotonic'>,
  onRemoved: (value: Value) => void,
): LRUCache<string, Value> =>
  new LRUCache({
    max,
    ttl: Math.ceil(maxAge),
    // By default the library caches its clock's time for a millisecond, with a real timer.
    ttlResolution: 0,
    // The library takes a start time of 0 for none, so such an entry would never age.
    perf: { now: () => clock.monotonic() + 1 },
    dispose: onRemoved,
  });
