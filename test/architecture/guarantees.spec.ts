import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/built.js';

interface Row {
  readonly guarantee: string;
  readonly short: string;
  readonly long: string;
}

const TEXT = readFileSync(join(projectRoot, 'docs', 'architecture.md'), 'utf8');
const SECTION = TEXT.split('## Guarantees and their tests\n')[1]?.split('\n## ')[0] ?? '';
/** But for the heading. */
const LINES = SECTION.split('\n').filter((line) => line.startsWith('| ')).length - 1;

const rowsOf = (section: string): readonly Row[] => {
  return [...section.matchAll(/^\| ([^|]+?) \| `([^|]+?\.spec\.ts)` \| (?:`([^|]+?)`|whole) \|$/gm)].map(
    ([, guarantee = '', short = '', long = 'whole']) => ({ guarantee, short, long }),
  );
};

const ROWS = rowsOf(SECTION);

const isThere = (path: string): boolean => existsSync(join(projectRoot, path));
const IS_LONG = /\.long\.spec\.ts$/;
/** `scripts/test.mjs --long` finds a spec by its name, or by what it imports. */
const runsLong = (path: string): boolean =>
  IS_LONG.test(path) || /(soak|faults\/trials)\.js'/.test(readFileSync(join(projectRoot, path), 'utf8'));

describe('each guarantee', () => {
  it('is in the table, those of every charge, store and tenant among them', () => {
    expect(ROWS).toHaveLength(LINES);
    expect(LINES).toBeGreaterThanOrEqual(15);
    expect(ROWS.filter(({ long }) => long === 'whole').length).toBeLessThanOrEqual(2);
  });

  it.each(ROWS)('$guarantee: a spec in npm test, and one in test:long', ({ short, long }) => {
    expect([short, isThere(short), IS_LONG.test(short)]).toEqual([short, true, false]);
    if (long !== 'whole') expect([long, isThere(long) && runsLong(long)]).toEqual([long, true]);
  });
});
