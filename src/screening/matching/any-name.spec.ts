import { ListEngine, screenAgainstLists } from './list-engine.js';
import { isSearchable } from './normalise.js';

const processorTime = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** Ordinary names that one name may cost, in processor time of the same run. */
const MOST = 25;
const NAMES = 15_000;
const THRESHOLDS = { potential: 0.85, confirmed: 0.95 };

/** The same numbers from 0 to 1 in every run. */
const numbers = (seed: number): (() => number) => {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
};
const random = numbers(7);
const below = (most: number): number => Math.floor(random() * most);
const times = <Item>(length: number, make: () => Item): Item[] => Array.from({ length }, make);
const pick = (items: readonly string[]): string => items[below(items.length)] ?? '';

const SYLLABLES = [
  'mo',
  'ham',
  'ed',
  'al',
  'ri',
  'kim',
  'jo',
  'ng',
  'iva',
  'nov',
  'ser',
  'ge',
  'ab',
  'dul',
  'las',
  'an',
];
const COMMON = ['mohammed', 'ahmed', 'ali', 'abdul', 'hassan', 'kim', 'trading', 'limited', 'al'];
const word = (): string => times(2 + below(3), () => pick(SYLLABLES)).join('');
const letters = (length: number): string => times(length, () => pick([...'aeionrstlm'])).join('');

const SCRIPTS = [0x430, 0x5d0, 0x628, 0x3b1, 0x4e00, 0x6500, 0x9000, 0xac00, 0xc000];
/** Of one script, without the ones that are cut into words. */
const foreign = (length: number): string => {
  const script = SCRIPTS[below(4)] ?? 0;
  return times(length, () => String.fromCodePoint(script + below(18))).join('');
};

const engine = new ListEngine(
  'OFAC_SDN',
  'v1',
  times(NAMES, () => [word(), random() < 0.5 ? pick(COMMON) : word(), word()].join(' ')).map((text, index) => ({
    id: `n${index}`,
    type: 'individual',
    names: [{ text, weak: false }],
    birthDates: [],
    countries: [],
    programs: [],
    listedOn: null,
  })),
);

const cpuOf = (fullName: string): number =>
  processorTime(() => screenAgainstLists([engine], { fullName, dateOfBirth: '1970-05-05' }, THRESHOLDS));

/** A check may meet the garbage of earlier names, or share its processor with another program. One without either counts. */
const TRIES = 20;
const leastCpuOf = (fullName: string): number => Math.min(...times(TRIES, () => cpuOf(fullName)));
let ordinary = Infinity;

const isBounded = (fullName: string): boolean => {
  for (let tries = 0; tries < TRIES; tries += 1) if (cpuOf(fullName) < MOST * ordinary) return true;
  return false;
};

describe('a check', () => {
  beforeAll(() => {
    times(TRIES, () => cpuOf(word()));
    const costs = times(9, () => leastCpuOf([word(), pick(COMMON), word()].join(' ')));
    ordinary = costs.sort((one, other) => one - other)[4] ?? 0;
  });

  it.each<[string, () => string]>([
    ['letters of any script', () => times(16, () => foreign(31)).join(' ')],
    ['the most words, all common', () => times(16, () => pick(COMMON)).join(' ')],
    ['the most words, all alike', () => times(16, () => word()).join(' ')],
    ['the longest words', () => times(16, () => letters(31)).join(' ')],
    ['initials only', () => times(16, () => letters(1)).join(' ')],
    ['initials behind a common word', () => `mohammed ${times(15, () => letters(1)).join(' ')}`],
    ['marks that combine', () => 'a\u0301\u0323 '.repeat(16)],
    ['letters that become many', () => '\ufdfa'.repeat(4)],
    ['invisible characters', () => 'a\u200b\u202e\u200f'.repeat(100)],
  ])('of %s costs as much as 25 ordinary names at most', (_, make) => {
    for (const name of times(5, make)) {
      expect([name, isSearchable(name), isBounded(name)]).toEqual([name, true, true]);
    }
  });
});
