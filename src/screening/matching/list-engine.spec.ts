import fc from 'fast-check';
import { type ListEntry } from '../domain/list-entry.js';
import { type ScreeningOutcome, type ScreeningQuery } from '../domain/screening-list.js';
import { ListEngine, screenAgainstLists } from './list-engine.js';

const THRESHOLDS = { potential: 0.85, confirmed: 0.95 };

const person = (id: string, names: readonly string[], rest: Partial<ListEntry> = {}): ListEntry => ({
  id,
  type: 'individual',
  names: names.map((text) => ({ text, weak: false })),
  birthDates: [],
  countries: [],
  programs: [],
  listedOn: null,
  ...rest,
});

const born = (text: string, from = text, to = text) => [{ text, from, to }];

const ENTRIES: readonly ListEntry[] = [
  person('putin', ['Vladimir Vladimirovich PUTIN'], { birthDates: born('1952-10-07'), countries: ['RU'] }),
  person('saddam', ['Saddam Hussein Al-Tikriti'], { birthDates: born('1937-04-28') }),
  person('shcherbakov', ['Yuriy Shcherbakov'], { birthDates: born('circa 1960', '1958-01-01', '1962-12-31') }),
  person('papadopoulos', ['Georgios Papadopoulos']),
  person('abdulrahman', ['Abdul Rahman Al-Qahtani']),
  person('jose', ['José Ángel Núñez']),
  person('muller', ['Jürgen Müller-Lüdenscheidt']),
  person('weak', ['Konstantin Beispielov'], {
    names: [
      { text: 'Konstantin Beispielov', weak: false },
      { text: 'Black Falcon', weak: true },
    ],
  }),
  person('company', ['Example Trading and Shipping Co., Ltd.'], { type: 'entity' }),
  ...Array.from({ length: 100 }, (_, index) => person(`other${index}`, [`Filler${index} Surname${index * 7}`])),
];
const engine = new ListEngine('OFAC_SDN', 'v1', ENTRIES);

const ask = (fullName: string, rest: Partial<ScreeningQuery> = {}): ScreeningOutcome =>
  screenAgainstLists([engine], { fullName, ...rest }, THRESHOLDS);

const idsFor = (fullName: string): string[] => ask(fullName).matches.map(({ entryId }) => entryId);

describe('a name is found', () => {
  it.each([
    ['in another order', 'Putin, Vladimir', 'putin'],
    ['without its patronymic', 'Vladimir Putin', 'putin'],
    ['with an initial', 'Y. Shcherbakov', 'shcherbakov'],
    ['with a typing error', 'Vladimr Putin', 'putin'],
    ['in Cyrillic', 'Владимир Владимирович Путин', 'putin'],
    ['in Cyrillic, by letters that Latin writes in many ways', 'Юрий Щербаков', 'shcherbakov'],
    ['in another transliteration', 'Jurij Schtscherbakow', 'shcherbakov'],
    ['by its short form', 'Volodya Putin', 'putin'],
    ['in Arabic, without vowels', 'صدام حسين التكريتي', 'saddam'],
    ['in Greek', 'Γεώργιος Παπαδόπουλος', 'papadopoulos'],
    ['with joined words', 'Abdulrahman Alqahtani', 'abdulrahman'],
    ['with words apart', 'Saddam Huss ein Tikriti', 'saddam'],
    ['without accents', 'JOSE ANGEL NUNEZ', 'jose'],
    ['with umlauts written out, and without a hyphen', 'Juergen Mueller Luedenscheidt', 'muller'],
    ['with invisible characters', 'Vla\u200bdi\u200dmir \u202ePutin', 'putin'],
    ['without its legal form', 'Example Trading & Shipping', 'company'],
  ])('%s', (_, name, id) => expect(idsFor(name)).toEqual([id]));

  it('behind more words than a check takes', () => {
    for (const words of [17, 18, 19, 20, 21, 40, 80]) {
      const before = Array.from({ length: words }, (_, index) => `zz${index}qq`).join(' ');
      expect([words, idsFor(`${before} Saddam Hussein Al-Tikriti`)]).toEqual([words, ['saddam']]);
    }
  });

  it.each(['Vladimir Petrov', 'Saddam', 'Konstantin', 'Georgios Papanikolaou', 'Trading Ltd'])(
    'but not by %s',
    (name) => expect(idsFor(name)).toEqual([]),
  );
});

describe('the score', () => {
  const best = (fullName: string, rest: Partial<ScreeningQuery> = {}) => ask(fullName, rest).matches[0];

  it('rises with the same birth date, falls with a near one, and clears with another', () => {
    const name = 'Vladimir Putin';
    const alone = best(name)?.score ?? 0;
    expect(best(name, { dateOfBirth: '1952-10-07' })?.score).toBeGreaterThan(alone);
    expect(best(name, { dateOfBirth: '1953-01-07' })?.score ?? 0).toBeLessThan(alone);
    expect(ask(name, { dateOfBirth: '1980-01-01' }).status).toBe('clear');
  });

  it('confirms only a near name with an exact day that agrees and nothing that contradicts', () => {
    const name = 'Vladimir Vladimirovich Putin';
    expect(ask(name).status).toBe('potential_match');
    expect(ask(name, { dateOfBirth: '1952-10-07' }).status).toBe('confirmed_match');
    expect(ask(name, { country: 'RUS' }).status).toBe('potential_match');
    for (const dateOfBirth of ['1952', '1952-10']) expect(ask(name, { dateOfBirth }).status).toBe('potential_match');
    expect(ask(name, { dateOfBirth: '1952-10-07', country: 'FR' }).status).toBe('potential_match');
    expect(ask('Yuriy Shcherbakov', { dateOfBirth: '1960-05-05' }).status).toBe('potential_match');
  });

  it('is lower for a weak alias, which the reasons say', () => {
    const match = best('Black Falcon');
    expect(match?.score).toBeLessThan(best('Konstantin Beispielov')?.score ?? 0);
    expect(match?.reasons).toContain('The list calls this alias weak, which lowers the score.');
  });

  it('has reasons that a compliance officer can act on', () => {
    expect(best('Volodya Putin', { dateOfBirth: '1952-10-07', country: 'RU' })?.reasons).toEqual([
      expect.stringMatching(/^The name resembles the listed “Vladimir Vladimirovich PUTIN” \(0\.\d\d\)\.$/),
      '“volodya” may stand for “vladimir”.',
      'The name given lacks “vladimirovich”.',
      'Birth date 1952-10-07 is the listed one.',
      'Country RU is a listed one.',
    ]);
  });

  it('is the same against a part of the list as against the whole', () => {
    const part = engine.only(new Set(['putin', 'weak']));
    for (const fullName of ['Vladimr Putin', 'V. Putin', 'Black Falcon']) {
      expect(screenAgainstLists([part], { fullName }, THRESHOLDS).matches).toEqual(ask(fullName).matches);
    }
  });
});

describe('any name', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 512 }),
    fc.string({ unit: 'binary', maxLength: 512 }),
    fc.string({
      unit: fc.constantFrom('\u200f', '\u0301', '\u200b', 'م', 'Ж', 'ﷺ', ' ', 'a', '😀', '-'),
      maxLength: 512,
    }),
  );

  it('is answered, with scores from 0 to 1 and the same twice', () => {
    fc.assert(
      fc.property(anything, (fullName) => {
        const outcome = ask(fullName);
        expect(ask(fullName)).toEqual(outcome);
        expect(outcome.matches.every(({ score }) => score >= 0.85 && score <= 1)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('that is listed is found by itself', () => {
    // All named entries, and some of the fillers, which are alike.
    const sampledEntries = ENTRIES.filter(({ id }) => !id.startsWith('other') || id.endsWith('7'));
    for (const { id, names } of sampledEntries)
      for (const { text, weak } of names) if (!weak) expect(idsFor(text)).toContain(id);
  });
});
