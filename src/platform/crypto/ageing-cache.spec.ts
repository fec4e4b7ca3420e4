import { type LRUCache } from 'lru-cache';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { ageingCache } from './ageing-cache.js';

interface Key {
  readonly name: string;
}

describe('the cache of keys', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name): Key => ({ name })) as [Key, Key, Key];
  let clock = new ManualClock();
  const removed: Key[] = [];
  const cacheOf = (most: number): LRUCache<string, Key> => ageingCache(most, 1_000, clock, (key) => removed.push(key));
  beforeEach(() => {
    clock = new ManualClock();
    removed.length = 0;
  });

  it('drops the least recently used when it is full', () => {
    const cache = cacheOf(2);
    cache.set('a', a);
    cache.set('b', b);
    cache.get('a');
    cache.set('c', c);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([a, undefined, c]);
    expect(removed).toEqual([b]);
  });

  it('gives nothing that is too old, however often it was used', () => {
    const cache = cacheOf(10);
    cache.set('a', a);
    clock.advance(900);
    expect(cache.get('a')).toBe(a);
    clock.advance(101);
    expect(cache.get('a')).toBeUndefined();
    expect(removed).toEqual([a]);
  });

  it('lets go of what nobody asks for any more', () => {
    const cache = cacheOf(10);
    cache.set('a', a);
    clock.advance(1_001);
    cache.purgeStale();
    expect(cache.size).toBe(0);
    expect(removed).toEqual([a]);
  });

  it('lets go of what another one takes the place of, and keeps that for its whole age', () => {
    const cache = cacheOf(10);
    cache.set('a', a);
    clock.advance(900);
    cache.set('a', b);
    expect(removed).toEqual([a]);
    clock.advance(1_000);
    expect(cache.get('a')).toBe(b);
  });
});
