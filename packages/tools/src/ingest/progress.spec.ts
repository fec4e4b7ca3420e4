import { type Batch } from './batches.js';
import { Progress } from './progress.js';

const batch = (count: number, end: number): Batch => ({
  start: 0,
  lines: Array.from({ length: count }, (_, index) => ({ line: index + 1, end, source: '', record: '{}' })),
});

describe('progress beside no terminal', () => {
  it('says how far it is, at which rate, and how long it takes', () => {
    const printed: string[] = [];
    const progress = new Progress((line) => printed.push(line), false, 0);
    progress.start(4_000);
    progress.skip(batch(500, 1_000), 500);
    progress.count(batch(1_000, 3_000), 7);
    expect(printed).toEqual([expect.stringMatching(/^75 %: 1,500 lines, [\d,]+\/s, 7 rejected, about \d+ s left$/)]);
    expect(progress.report).toMatch(/^1,500 lines in .* 7 rejected$/);
  });
});
