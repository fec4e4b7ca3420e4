import { type ListEntry } from '../domain/list-entry.js';
import { type ScreeningOutcome, type ScreeningQuery } from '../domain/screening-list.js';
import { ListEngine, screenAgainstLists } from './list-engine.js';

const THRESHOLDS = { potential: 0.85, confirmed: 0.95 };

const person = (id: string, name: string, rest: Partial<ListEntry> = {}): ListEntry => ({
  id,
  type: 'individual',
  names: [{ text: name, weak: false }],
  birthDates: [],
  countries: [],
  programs: [],
  listedOn: null,
  ...rest,
});

const born = (day: string, to = day, text = day) => [{ text, from: day, to }];

/** Common words, so that others are rare beside them. */
const FILLERS = Array.from({ length: 400 }, (_, index) =>
  person(`filler${index}`, `${['Ahmed', 'Ali', 'Maria', 'Ivan'][index % 4] ?? ''} Filler${index % 40} Surname${index}`),
);

const engineOf = (...entries: readonly ListEntry[]): ListEngine =>
  new ListEngine('OFAC_SDN', 'v1', [...entries, ...FILLERS]);

const ask = (engine: ListEngine, fullName: string, rest: Partial<ScreeningQuery> = {}): ScreeningOutcome =>
  screenAgainstLists([engine], { fullName, ...rest }, THRESHOLDS);

const idsOf = ({ matches }: ScreeningOutcome): string[] => matches.map(({ entryId }) => entryId);

describe('a listed name is found as people write it', () => {
  const engine = engineOf(
    person('zhang', 'ZHANG Weiming'),
    person('wade', 'CHANG Wei-ming'),
    person('ouyang', 'OUYANG Xiaoming'),
    person('pak', 'PAK Chong-chol'),
    person('kim', 'KIM Jong Un'),
    person('reza', 'Reza MOZAFFARI'),
    person('kazem', 'Kazem SEDIGHI'),
    person('hafiz', 'Hafiz SAEED'),
    person('oprish', 'Aleksandr OPRISHCHENKO'),
    person('mikhey', 'Ivan MIKHEYCHIK'),
    person('hrytsenko', 'Anatoliy HRYTSENKO'),
    person('rajesh', 'Rajesh KUMAR'),
    person('usama', 'Usama bin Muhammad bin Awad BIN LADIN'),
  );

  it.each([
    ['Chinese', '张伟明', 'zhang'],
    ['traditional Chinese', '張偉明', 'zhang'],
    ['Chinese with a space', '张 伟明', 'zhang'],
    ['Chinese in the other order', 'Weiming Zhang', 'zhang'],
    ['Wade-Giles', 'Chang Weiming', 'wade'],
    ['a Chinese surname of two characters', '欧阳晓明', 'ouyang'],
    ['Korean', '박종철', 'pak'],
    ['Korean of the North', '김정은', 'kim'],
    ['Persian ض as z', 'رضا مظفری', 'reza'],
    ['Persian ظ as z', 'کاظم صدیقی', 'kazem'],
    ['Urdu', 'حافظ سعید', 'hafiz'],
    ['Swedish spelling of Russian', 'Aleksandr OPRISJTJENKO', 'oprish'],
    ['German spelling of Russian', 'Alexander Opryschtschenko', 'oprish'],
    ['Czech spelling of Russian', 'Ivan Michejčik', 'mikhey'],
    ['Ukrainian Cyrillic', 'Анатолій Гриценко', 'hrytsenko'],
    ['Devanagari', 'राजेश कुमार', 'rajesh'],
    ['the whole name as one word', 'usamabinmuhammadbinawadbinladin', 'usama'],
    ['three words as one, in another order', 'BINLADIN Awadbinmuhammad Usama', 'usama'],
  ])('in %s', (_, name, id) => expect(idsOf(ask(engine, name))).toContain(id));
});

describe('nobody hides a listed name', () => {
  const engine = engineOf(
    person('bout', 'Viktor Anatolijevitch BOUT', { birthDates: born('1967-01-13') }),
    person('kim', 'KIM Jong Un'),
    person('hek', 'Gulbuddin HEKMATYAR'),
    person('hamas', 'HAMAS', { type: 'entity' }),
    person('zhang', 'ZHANG Weiming'),
    ...Array.from({ length: 2_000 }, (_, index) =>
      person(
        `common${index}`,
        `${['Mohammed', 'Hassan', 'Khan'][index % 3] ?? ''} ${['Ahmed', 'Ali', 'Abdul'][index % 7] ?? 'Ibrahim'} Other${index}`,
      ),
    ),
  );

  it.each([
    [
      'behind common words',
      'Viktor Anatolijevitch BOUT Mohammed Ahmed Ali Hassan Abdul Khan Hussein Ibrahim Khalid',
      'bout',
    ],
    ['before others', 'Mohammed Ahmed Ali Hassan Abdul Khan Viktor Anatolijevitch BOUT', 'bout'],
    ['by a mark that nobody sees', 'Gulbuddin Hek\u093cmatyar', 'hek'],
    ['by a line that stretches Arabic words', 'Gulbuddin\u0640 Hekmatyar', 'hek'],
    ['by a Chinese letter in each word', 'Gulbuddin\u738b Hekmatyar\u738b', 'hek'],
    ['by Cyrillic letters that look alike', '\u041d\u0410\u041c\u0410S', 'hamas'],
    ['by a title', '\u5f20\u4f1f\u660e\u535a\u58eb', 'zhang'],
    ['by writing it as one word', 'KIMJONGUN', 'kim'],
    ['by writing it as one word beside another', 'GulbuddinHekmatyar Xxxx', 'hek'],
  ])('%s', (_, name, id) => expect(idsOf(ask(engine, name))).toContain(id));

  it('by many aliases, which make no word common', () => {
    const aliases = Array.from({ length: 14 }, (_, index) => ({ text: `Zorbald Quimmish${index}`, weak: false }));
    const many = engineOf(
      person('many', 'x', {
        names: [{ text: 'Zorbald Quimmish', weak: false }, ...aliases],
        birthDates: born('1960-05-05'),
      }),
    );
    expect(ask(many, 'Zorbald Quimmish', { dateOfBirth: '1980-06-06' }).status).toBe('potential_match');
  });

  it('by calling a ship what a list calls an entity', () =>
    expect(idsOf(ask(engine, 'Hamas', { entityType: 'vessel' }))).toEqual(['hamas']));
});

describe('a stranger is not taken for a listed person', () => {
  const engine = engineOf(
    person('ali', 'Mohammed Aly', { birthDates: born('1970-01-01') }),
    person('short', 'Quentin Mustermann', { identifiers: [{ type: 'national_id', number: '13345', country: 'NL' }] }),
    person('latin', 'Hissene ABDOULAYE', { birthDates: born('1967-03-03') }),
  );

  it('by the first of January and another spelling', () =>
    expect(ask(engine, 'Mohamed Ali', { dateOfBirth: '1970-01-01' }).status).not.toBe('confirmed_match'));

  it('by a short number of an unknown authority', () => {
    const national = (country?: string) => [
      { type: 'national_id' as const, number: '13345', ...(country === undefined ? {} : { country }) },
    ];
    expect(ask(engine, 'Anna Schmidt', { identifiers: national() }).status).toBe('clear');
    expect(ask(engine, 'Anna Schmidt', { identifiers: national('NL') }).status).toBe('potential_match');
  });

  it.each(['ميرزا محمدی', 'مرزا'])('by the consonants of two words written as one: %s', (name) => {
    const joined = engineOf(person('joined', 'Ami IRZA', { birthDates: born('1961-03-24') }));
    expect(idsOf(ask(joined, name, { dateOfBirth: '1990-07-19' }))).toEqual([]);
  });

  it('by consonants alone, against another date', () =>
    expect(
      ask(engine, '\u0627\u0644\u062d\u0633\u064a\u0646 \u0639\u0628\u062f\u0627\u0644\u0644\u0647', {
        dateOfBirth: '1991-09-09',
      }).status,
    ).toBe('clear'));
});

describe('a company is found by other words for the same', () => {
  const engine = engineOf(
    person('ag', 'Beispielwerke AG', { type: 'entity' }),
    person('jsc', 'Sputnikov Joint Stock Company', { type: 'entity' }),
    person('group', 'Quillmark Communications Group', { type: 'entity' }),
    person('abc', 'Q.Z.X. Trading', { type: 'entity' }),
  );

  it.each([
    ['Beispielwerke Aktiengesellschaft', 'ag'],
    ['OAO Sputnikov', 'jsc'],
    ['Quillmark Comm Grp', 'group'],
    ['QZX Trading', 'abc'],
  ])('%s', (name, id) => expect(idsOf(ask(engine, name, { entityType: 'organisation' }))).toContain(id));
});

describe('a name counts against the person', () => {
  const engine = engineOf(person('lavrov', 'Sergey Viktorovich LAVROV', { birthDates: born('1950-03-21') }));

  it('where the father’s name is another one', () => {
    const score = (name: string): number => ask(engine, name).matches[0]?.score ?? 0;
    expect(score('Sergey Viktorovich Lavrov')).toBeGreaterThan(0.9);
    expect(score('Sergey Lavrov')).toBeGreaterThan(score('Sergey Ivanevich Lavrov'));
  });

  it('by its consonants only where one is written without vowels', () => {
    const arabic = engineOf({
      ...person('arabic', 'Walid Mustermani'),
      names: [
        { text: 'Walid Mustermani', weak: false },
        { text: 'بارق', weak: false },
      ],
    });
    expect(idsOf(ask(arabic, 'Brooke'))).toEqual([]);
    expect(idsOf(ask(arabic, 'بارق'))).toEqual(['arabic']);
  });
});

describe('a birth date is the subject’s own claim', () => {
  const engine = engineOf(
    person('usama', 'Usama bin Muhammad bin Awad BIN LADIN', { birthDates: born('1957-03-10') }),
    person('joaquin', 'Joaquin GUZMAN LOERA', { birthDates: born('1957-04-04') }),
    person('ahmed', 'Ahmed ALI', { birthDates: born('1970-05-05') }),
  );

  it.each([
    ['Usama bin Muhammad bin Awad BIN LADIN', '1960-05-05'],
    ['Joaquin Guzman Loera', '1980-01-02'],
  ])('so that %s with %s stays a potential match, and says why', (name, dateOfBirth) => {
    const { status, matches } = ask(engine, name, { dateOfBirth });
    expect(status).toBe('potential_match');
    expect(matches[0]?.reasons.join(' ')).toMatch(/contradicts the listed.*does not clear it/);
  });

  it('so that what it clears is shown with the reason', () => {
    const { status, cleared } = ask(engine, 'Ahmed Ali', { dateOfBirth: '1990-01-02' });
    expect(status).toBe('clear');
    expect(cleared).toEqual([
      {
        list: 'OFAC_SDN',
        entryId: 'ahmed',
        name: 'Ahmed ALI',
        reason: 'Birth date 1990-01-02 contradicts the listed “1970-05-05”.',
      },
    ]);
  });

  it('which a date that the list has but nobody can read does not contradict', () => {
    const unread = engineOf(
      person('unread', 'Ahmed ALI', { birthDates: born('1970-05-05'), unreadDates: ['30-35 years old'] }),
    );
    const { matches } = ask(unread, 'Ahmed Ali', { dateOfBirth: '1990-01-02' });
    expect(matches[0]?.reasons.join(' ')).toContain('“30-35 years old”, which cannot be compared');
  });
});

describe('other facts', () => {
  const engine = engineOf(
    person('listed', 'Quentin Mustermann', {
      birthDates: born('1970-05-05'),
      genders: ['male'],
      identifiers: [{ type: 'passport', number: 'A-1234567', country: 'DE' }],
      addresses: ['Beispielstrasse 12, Berlin, Germany'],
    }),
    person('ship', 'EXAMPLE STAR', { type: 'vessel', identifiers: [{ type: 'imo', number: '9074729' }] }),
  );

  it('an identifier is a match by itself, whatever the name, and says so', () => {
    const { status, matches } = ask(engine, 'Somebody Else', {
      identifiers: [{ type: 'passport', number: 'a 1234567' }],
    });
    expect([status, matches[0]?.entryId]).toEqual(['potential_match', 'listed']);
    expect(matches[0]?.reasons).toContain('The passport a 1234567 is a listed one.');
  });

  it('an identifier with the name confirms, in another form and of the same authority', () => {
    const identifiers = [{ type: 'passport' as const, number: 'A1234567', country: 'DEU' }];
    expect(ask(engine, 'Quentin Mustermann', { identifiers }).status).toBe('confirmed_match');
    const french = [{ type: 'passport' as const, number: 'A1234567', country: 'FR' }];
    expect(ask(engine, 'Somebody Else', { identifiers: french }).status).toBe('clear');
    expect(
      ask(engine, 'Renamed Vessel', { identifiers: [{ type: 'imo', number: 'IMO 9074729' }] }).matches,
    ).toHaveLength(1);
  });

  it('an alias is asked for beside the name', () =>
    expect(idsOf(ask(engine, 'Somebody Else', { aliases: ['Mustermann, Quentin'] }))).toEqual(['listed']));

  it.each([
    [{ gender: 'female' as const }, /Gender female differs/],
    [{ entityType: 'vessel' as const }, /type vessel is asked for/],
    [{ country: 'FR', gender: 'female' as const }, /Gender female differs/],
  ])('%j counts against the person', (rest, reason) => {
    const plain = ask(engine, 'Quentin Mustermann').matches[0]?.score ?? 0;
    const { matches, cleared } = ask(engine, 'Quentin Mustermann', rest);
    expect(matches[0]?.score ?? 0).toBeLessThan(plain);
    expect([...(matches[0]?.reasons ?? []), ...cleared.map((entry) => entry.reason)].join(' ')).toMatch(reason);
  });

  it('an address that is listed counts for the person', () =>
    expect(
      ask(engine, 'Q. Mustermann', { address: 'Berlin, Beispielstrasse 12' }).matches[0]?.reasons.join(' '),
    ).toContain('The address resembles'));

  it.each([['1970'], ['1970-05']])(
    'a birth date of which only %s is known agrees, and confirms nothing',
    (dateOfBirth) => {
      const { status, matches } = ask(engine, 'Quentin Mustermann', { dateOfBirth });
      expect([status, matches[0]?.agrees]).toEqual(['potential_match', false]);
    },
  );
});

describe('an explanation', () => {
  it('names no word as lacking that the score was made from', () => {
    const engine = engineOf(person('a', 'Abdul Rahman Al-Qahtani'), person('b', 'Quentin Mustermann'));
    for (const [name, id] of [
      ['Abdulrahman Alqahtani', 'a'],
      ['Q. Mustermann', 'b'],
      ['Mustermann Quentinn', 'b'],
    ] as const) {
      const match = ask(engine, name).matches.find(({ entryId }) => entryId === id);
      expect([name, match?.reasons.filter((reason) => reason.includes('lacks'))]).toEqual([name, []]);
    }
  });
});
