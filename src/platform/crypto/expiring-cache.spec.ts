import { ExpiringCache } from './expiring-cache.js';

describe('the cache of keys', () => {
  let now = 0;
  const removed: string[] = [];
  const cacheOf = (maxEntries: number): ExpiringCache<string> =>
    new ExpiringCache(
      maxEntries,
      1_000,
      () => now,
      (value) => removed.push(value),
    );
  beforeEach(() => {
    now = 0;
    removed.length = 0;
  });

  it('drops the least recently used when it is full', () => {
    const cache = cacheOf(2);
    cache.set('a', 'A');
    cache.set('b', 'B');
    cache.get('a');
    cache.set('c', 'C');
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
    expect(removed).toEqual(['B']);
  });

  it('gives nothing that is too old, however often it was used', () => {
    const cache = cacheOf(10);
    cache.set('a', 'A');
    now = 900;
    expect(cache.get('a')).toBe('A');
    now = 1_001;
    expect(cache.get('a')).toBeUndefined();
  });

  it('lets go of what nobody asks for any more', () => {
    const cache = cacheOf(10);
    cache.set('a', 'A');
    now = 1_001;
    cache.sweep();
    expect(cache.size).toBe(0);
    expect(removed).toEqual(['A']);
  });
});
