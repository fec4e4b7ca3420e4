import { LRUCache } from 'lru-cache';
import { type Clock } from '../../kernel/clock.js';

/**
 * Bounded in number (the least recently used goes first) and in age, milliseconds. What goes, by `get`, `set`, `delete` or
 * `purgeStale`, is told to `onRemoved`.
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
    // The library's default holds its clock still for a millisecond, by a timer of the real one.
    ttlResolution: 0,
    // To the library, what was added at 0 has no age.
    perf: { now: () => clock.monotonic() + 1 },
    dispose: onRemoved,
  });
