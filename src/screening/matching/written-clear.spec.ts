import fc from 'fast-check';
import { type ListEntry } from '../domain/list-entry.js';
import { type ScreeningOutcome, type ScreeningQuery } from '../domain/screening-list.js';
import { ListEngine, screenAgainstLists } from './list-engine.js';

const THRESHOLDS = { potential: 0.85, confirmed: 0.95 };

const person = (id: string, name: string, rest: Partial<ListEntry> = {}): ListEntry => ({
  id,
  type: 'individual',
  names: [{ text: name, weak: false }],
  birthDates: [{ text: '1961-03-24', from: '1961-03-24', to: '1961-03-24' }],
  countries: ['BY'],
  programs: [],
  listedOn: null,
  ...rest,
});

/** Invented people, with words that are rare and words that are common. */
const LISTED: readonly ListEntry[] = [
  person('three', 'KOROTKEMAN Ruslan Viktorovich'),
  person('two', 'Zebulon Quillfeather'),
  person('common', 'Mohammed Hassan Ali'),
  person('arabic', 'Abdul Rahman Al-Qahtarani'),
  person('spanish', 'José Ángel Núñezuela Barrantes'),
  person('alias', 'Ruslan Viktorovich Korotkomin', {
    names: ['Ruslan Viktorovich Korotkomin', 'Ali Hassan'].map((text) => ({ text, weak: false })),
  }),
];
const engine = new ListEngine('OFAC_SDN', 'v1', LISTED);

const ask = (query: ScreeningQuery): ScreeningOutcome => screenAgainstLists([engine], query, THRESHOLDS);
const words = (count: number): string => Array.from({ length: count }, (_, at) => `zz${at}qq`).join(' ');
const nameOf = ({ names: [name] }: ListEntry): string => name?.text ?? '';

/** How the subject, who knows the engine, may write of himself. */
const anyWordsAdded = fc.array(fc.constantFrom('Morvane', 'Zebrath', 'Quillon', 'Tarpish'), {
  minLength: 1,
  maxLength: 3,
});
const anyDate = fc.option(fc.constantFrom('1961-03-24', '1961-03-25', '1961-01-01', '1916-03-24', '1990-07-19'), {
  nil: undefined,
});
const slipped = (name: string, at: number): string => {
  const letters = Array.from(name);
  const places = letters.flatMap((letter, place) =>
    /\p{L}/u.test(letter) && /\p{L}/u.test(letters[place + 1] ?? '') && /\p{L}/u.test(letters[place - 1] ?? '')
      ? [place]
      : [],
  );
  letters.splice(places[at % places.length] ?? 0, 1);
  return letters.join('');
};

const rewritings = fc.record({
  entry: fc.constantFrom(...LISTED),
  added: fc.option(anyWordsAdded, { nil: undefined }),
  reversed: fc.boolean(),
  slip: fc.option(fc.nat({ max: 20 }), { nil: undefined }),
  date: anyDate,
  isFirm: fc.boolean(),
  decoys: fc.boolean(),
  ownAlias: fc.boolean(),
});

describe('who knows the engine', () => {
  it('is always among the matches, or among the cleared with a reason', () => {
    fc.assert(
      fc.property(rewritings, ({ entry, added, reversed, slip, date, isFirm, decoys, ownAlias }) => {
        // One rewriting of the words at a time: a slip in a name behind others is another name.
        const words = (slip === undefined || added !== undefined ? nameOf(entry) : slipped(nameOf(entry), slip)).split(
          ' ',
        );
        const fullName = [...(added ?? []), ...(reversed ? words.reverse() : words)].join(' ');
        const { matches, cleared } = ask({
          fullName,
          ...(date === undefined ? {} : { dateOfBirth: date }),
          ...(isFirm && slip === undefined ? { entityType: 'organisation' } : {}),
          ...(decoys || ownAlias
            ? {
                aliases: [
                  ...(decoys ? LISTED.filter((other) => other !== entry).map(nameOf) : []),
                  ...(ownAlias ? [entry.names.at(-1)?.text ?? ''] : []),
                ],
              }
            : {}),
        });
        const found = matches.some(({ entryId }) => entryId === entry.id);
        const reason = cleared.find(({ entryId }) => entryId === entry.id)?.reason ?? '';
        expect(found || reason !== '').toBe(true);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it.each([
    ['two invented words', { fullName: 'KOROTKEMAN Ruslan Viktorovich Zebrath Morvane' }],
    ['three words before', { fullName: 'Zebrath Morvane Quillon Zebulon Quillfeather' }],
    ['the type of a firm', { fullName: 'Zebulon Quillfeather', entityType: 'organisation' }],
    ['an override of the direction', { fullName: '\u202erehtaefslliuQ\u202c Zebulon' }],
    [
      'an alias of his own that is common, and another date',
      {
        fullName: 'Ruslan Viktorovich Korotkomin Zebrath Morvane',
        dateOfBirth: '1990-07-19',
        aliases: ['Ali Hassan'],
      },
    ],
    ['signs for letters', { fullName: 'Zebu1on Qu!llfe@ther' }],
    ['letters upside down', { fullName: 'ɹǝɥʇɐǝɟllᴉnQ uolnqǝZ' }],
    [
      'words between, more than are aligned at once',
      { fullName: `${words(16)} Zebulon ${words(7)} Quillfeather`, dateOfBirth: '1990-07-19' },
    ],
    ['full width', { fullName: 'Ｚebu１on Qu！llfe＠ther' }],
    ['17 words', { fullName: `${words(15)} Zebulon Quillfeather` }],
    ['1 January of the right year', { fullName: 'Zebulon Quillfeather', dateOfBirth: '1961-01-01' }],
    ['one digit of the date', { fullName: 'Zebulon Quilfeather', dateOfBirth: '1961-03-23' }],
    ['1 January and one letter wrong', { fullName: 'Zebulon Quilfeather', dateOfBirth: '1961-01-01' }],
  ] satisfies readonly [string, ScreeningQuery][])('is not clear by %s', (_, query) =>
    expect(ask(query).status).not.toBe('clear'),
  );

  it('does not hide behind aliases: what the name itself finds stands first', () => {
    const decoys = Array.from({ length: 10 }, (_, at) => `Decoyman${at} Lurefield${at}`);
    const many = decoys.flatMap((name, at) =>
      Array.from({ length: 8 }, (_, each) => person(`decoy${at}.${each}`, name)),
    );
    const crowded = new ListEngine('OFAC_SDN', 'v1', [...many, ...LISTED]);
    const query = { fullName: 'Zebulon Quilfeather', aliases: decoys };
    const { matches } = screenAgainstLists([crowded], query, THRESHOLDS);
    expect([matches[0]?.entryId, matches.length]).toEqual(['two', 81]);
  });

  it('is not put behind decoys where a date sets him aside', () => {
    const decoys = Array.from({ length: 25 }, (_, at) => person(`decoy${at}`, 'Ali Hassan'));
    const crowded = new ListEngine('OFAC_SDN', 'v1', [...decoys, ...LISTED]);
    const query = { fullName: 'Zebxlon Quillfeather', aliases: ['Ali Hassan'], dateOfBirth: '1990-07-19' };
    expect(screenAgainstLists([crowded], query, THRESHOLDS).cleared[0]?.entryId).toBe('two');
  });

  it('stands first where an alias confirms him, whatever the name itself finds', () => {
    const common = Array.from({ length: 30 }, (_, at) =>
      person(`common${at}`, 'Ali Hassan Mohammed', { birthDates: [] }),
    );
    const crowded = new ListEngine('OFAC_SDN', 'v1', [...common, ...LISTED]);
    const query = { fullName: 'Ali Hassan Mohammed', aliases: ['Zebulon Quillfeather'], dateOfBirth: '1961-03-24' };
    const { matches } = screenAgainstLists([crowded], query, THRESHOLDS);
    expect(matches.slice(0, 2).map(({ entryId }) => entryId)).toEqual(['common', 'two']);
  });

  it('says why a date set somebody aside', () => {
    const { matches, cleared } = ask({ fullName: 'Zebxlon Quillfeather', dateOfBirth: '1990-07-19' });
    expect(matches).toEqual([]);
    expect(cleared).toMatchObject([
      { entryId: 'two', reason: 'Birth date 1990-07-19 contradicts the listed “1961-03-24”.' },
    ]);
  });
});
