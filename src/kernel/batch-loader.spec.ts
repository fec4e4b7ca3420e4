import { BatchLoader } from './batch-loader.js';

describe('merged look-ups', () => {
  const batches: string[][] = [];
  const lookup = new BatchLoader<string, string>(
    async (keys) => {
      batches.push([...keys.keys()]);
      await new Promise((resolve) => setImmediate(resolve));
      if (keys.has('broken')) throw new Error('store is down');
      return new Map([...keys.keys()].map((key) => [key, key === 'bad' ? new Error('bad row') : `value of ${key}`]));
    },
    { maxBatch: 3 },
  );
  beforeEach(() => batches.splice(0));

  it('asks once for what is asked for at once', async () => {
    expect(await Promise.all(['a', 'b', 'a'].map((key) => lookup.get(key, key)))).toEqual([
      'value of a',
      'value of b',
      'value of a',
    ]);
    expect(batches).toEqual([['a', 'b']]);
  });

  it('lets the next batch wait for the one under way, within the bound', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => lookup.get(key, key)));
    expect(batches).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });

  it('gathers for a while after a batch that several shared, and after one of a single key only where it is told so', async () => {
    const begun: number[] = [];
    const echo = (keys: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> => {
      begun.push(performance.now());
      return Promise.resolve(keys);
    };
    const spacedLoader = new BatchLoader<string, string>(echo, { spacingMs: 600_000 });
    for (const key of ['a', 'b']) expect(await spacedLoader.get(key, key)).toBe(key);
    begun.splice(0);
    const spaced = new BatchLoader<string, string>(echo, { spacingMs: 40 });
    for (const keys of [['c', 'd'], ['e']]) await Promise.all(keys.map((key) => spaced.get(key, key)));
    const [shared = 0, next = 0] = begun;
    // Timers are good to a millisecond.
    expect(next - shared).toBeGreaterThan(38);
    begun.splice(0);
    const unhurried = new BatchLoader<string, string>(echo, { spacingMs: 40, spacesAll: true });
    for (const key of ['f', 'g']) await unhurried.get(key, key);
    const [lone = 0, second = 0] = begun;
    expect(second - lone).toBeGreaterThan(38);
  });

  it('rejects only the row that is bad, and everything where the store is down; and goes on afterwards', async () => {
    const mixed = await Promise.allSettled(['bad', 'good'].map((key) => lookup.get(key, key)));
    expect(mixed.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const down = await Promise.allSettled(['broken', 'good'].map((key) => lookup.get(key, key)));
    expect(down.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await lookup.get('again', 'again')).toBe('value of again');
  });
});
