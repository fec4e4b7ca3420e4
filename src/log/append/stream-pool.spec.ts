import { StreamPool } from './stream-pool.js';

const MAXIMUM = 10_000;

describe('a pool of workers', () => {
  const fill = (pool: StreamPool<number, { idle: boolean }>): void => {
    for (let key = 0; key < MAXIMUM; key += 1) pool.of(key);
  };

  it('forgets the one that has not been asked for the longest, not the one made first', () => {
    const pool = new StreamPool<number, { idle: boolean }>(() => ({ idle: true }));
    fill(pool);
    const busiest = pool.of(0);
    const longUnused = pool.of(1);
    for (let key = 2; key < MAXIMUM; key += 1) pool.of(key);
    pool.of(0);
    pool.of(MAXIMUM);
    expect(pool.of(0)).toBe(busiest);
    expect(pool.of(1)).not.toBe(longUnused);
  });

  it('never forgets one that has something to do', () => {
    const pool = new StreamPool((key: number) => ({ idle: key !== 0 }));
    fill(pool);
    const working = pool.of(0);
    for (let key = 1; key <= MAXIMUM + 5; key += 1) pool.of(key);
    expect(pool.of(0)).toBe(working);
  });
});
