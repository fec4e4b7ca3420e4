import { atOnce } from './at-once.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('working on many at once', () => {
  it('keeps to the limit and to the order of the items', async () => {
    let running = 0;
    let most = 0;
    const results = await atOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, (running += 1));
      await turn();
      running -= 1;
      return item * 2;
    });
    expect(results).toEqual([2, 4, 6, 8, 10, 12, 14]);
    expect(most).toBe(3);
    expect(await atOnce([], 3, () => Promise.resolve())).toEqual([]);
  });

  it('ends with the first error', () =>
    expect(atOnce([1, 2], 2, (item) => (item === 2 ? Promise.reject(new Error('broken')) : turn()))).rejects.toThrow(
      'broken',
    ));
});
