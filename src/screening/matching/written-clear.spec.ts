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
];
const engine = new ListEngine('OFAC_SDN', 'v1', LISTED);

const ask = (query: ScreeningQuery): ScreeningOutcome => screenAgainstLists([engine], query, THRESHOLDS);
const nameOf = ({ names: [name] }: ListEntry): string => name?.text ?? '';

/** How the subject, who knows the engine, may write of himself. */
const anyWordsAdded = fc.array(fc.constantFrom('Morvane', 'Zebrath', 'Quillon', 'Tarpish'), {
  minLength: 1,
  maxLength: 3,
});
const anyDate = fc.option(
  fc.constantFrom('1961-03-24', '1961-03-25', '1961-03-42', '1961-01-01', '1916-03-24', '1990-07-19'),
  {
    nil: undefined,
  },
);
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
});

describe('who knows the engine', () => {
  it('is always among the matches, or among the cleared with a reason', () => {
    fc.assert(
      fc.property(rewritings, ({ entry, added, reversed, slip, date, isFirm, decoys }) => {
        // One rewriting of the words at a time: a slip in a name behind others is another name.
        const words = (slip === undefined || added !== undefined ? nameOf(entry) : slipped(nameOf(entry), slip)).split(
          ' ',
        );
        const fullName = [...(added ?? []), ...(reversed ? words.reverse() : words)].join(' ');
        const { matches, cleared } = ask({
          fullName,
          ...(date === undefined ? {} : { dateOfBirth: date }),
          ...(isFirm && slip === undefined ? { entityType: 'organisation' } : {}),
          ...(decoys ? { aliases: LISTED.filter((other) => other !== entry).map(nameOf) } : {}),
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
    ['signs for letters', { fullName: 'Zebu1on Qu!llfe@ther' }],
    ['letters upside down', { fullName: 'ɹǝɥʇɐǝɟllᴉnQ uolnqǝZ' }],
    ['17 words', { fullName: `${Array.from({ length: 15 }, (_, at) => `zz${at}qq`).join(' ')} Zebulon Quillfeather` }],
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
    const { matches, others } = screenAgainstLists([crowded], query, THRESHOLDS);
    expect([matches[0]?.entryId, matches.length, others.length]).toEqual(['two', 60, 21]);
  });

  it('says why a date set somebody aside', () => {
    const { matches, cleared } = ask({ fullName: 'Zebxlon Quillfeather', dateOfBirth: '1990-07-19' });
    expect(matches).toEqual([]);
    expect(cleared).toMatchObject([
      { entryId: 'two', reason: 'Birth date 1990-07-19 contradicts the listed “1961-03-24”.' },
    ]);
  });
});
