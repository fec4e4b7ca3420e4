import { paginate, PAGE } from './paginate.js';

const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('in pages', () => {
  it.each([0, 1, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE])('finds each of %i once, in order', async (count) => {
    const all = numbered(count);
    const found: number[] = [];
    const pages = paginate<number>((last = -1, limit) => Promise.resolve(all.slice(last + 1, last + 1 + limit)));
    for await (const page of pages) found.push(...page);
    expect(found).toEqual(all);
  });

  it('looks for a page only when the one before is dealt with', async () => {
    const left = new Set(numbered(PAGE + 10));
    const pages = paginate<number>((_, limit) => Promise.resolve([...left].slice(0, limit)));
    for await (const page of pages) page.forEach((one) => left.delete(one));
    expect(left.size).toBe(0);
  });
});
