import { type ListEntry } from '../domain/list-entry.js';
import { ListEngine, screenAgainstLists } from './list-engine.js';
import { isSearchable } from './normalise.js';

const THRESHOLDS = { potential: 0.85, confirmed: 0.95 };
const LONGEST = 512;
const LISTED = 'Zebulon Quillfeather';

const entry = (id: string, text: string): ListEntry => ({
  id,
  type: 'individual',
  names: [{ text, weak: false }],
  birthDates: [],
  countries: [],
  programs: [],
  listedOn: null,
});

const engine = new ListEngine('OFAC_SDN', 'v1', [
  entry('listed', LISTED),
  ...Array.from({ length: 50 }, (_, index) => entry(`other${index}`, `Filler${index} Surname${index * 7}`)),
]);

const isFound = (fullName: string): boolean =>
  screenAgainstLists([engine], { fullName }, THRESHOLDS).matches.some(({ entryId }) => entryId === 'listed');

/** Letters of which nothing is left to compare. They may stand before a name in the 512 characters that the doors take. */
const UNREADABLE: readonly (readonly [string, string])[] = [
  ['Hangul fillers, which nobody sees', '\u3164 '],
  ['other fillers', '\u115f '],
  ['half-width fillers', '\uffa0 '],
  ['the line that stretches Arabic words', '\u0640 '],
  ['marks that repeat or lengthen a Japanese letter', '\u30fc \u3005 '],
  ['glottal stops, which Latin letters have no sign for', '\u0621 \u02c0 '],
];

describe('a listed name behind others', () => {
  it.each(UNREADABLE)('is found by a check that takes it, behind %s', (_, padding) => {
    for (let count = 0; (count + 1) * padding.length + LISTED.length <= LONGEST; count += 1) {
      const name = `${padding.repeat(count)} ${LISTED}`;
      // What a check does not take, it refuses by its field.
      if (isSearchable(name)) expect([count, isFound(name)]).toEqual([count, true]);
    }
  });

  it.each([...UNREADABLE, ['short words', 'ab '] as const])(
    'is found in a record, which takes any number of words, behind %s',
    (_, padding) => {
      const most = Math.floor((LONGEST - LISTED.length - 1) / padding.length);
      for (const count of [1, 10, 15, 16, 17, 63, 64, 65, 90, 100, 101, 150, most].filter((each) => each <= most)) {
        expect([count, isFound(`${padding.repeat(count)} ${LISTED}`)]).toEqual([count, true]);
      }
    },
  );
});

describe('a name is searchable', () => {
  it.each(['Ó', '\u738b', 'あ', 'Ли', 'عمر', 'Ng', "O'", '3M', 'Pak 2', '\ud83d\ude00 Bo', '\u200bAnn'])(
    'where it has a letter: %j',
    (name) => expect(isSearchable(name)).toBe(true),
  );

  it.each(['12345', '٣٤', '½', '①', '2 000', '007', '三'.replace('三', '3'), '\u{1d7d8}'])(
    'not by digits alone: %j',
    (name) => expect(isSearchable(name)).toBe(false),
  );
});
