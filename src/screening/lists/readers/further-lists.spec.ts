import {
  FTM_CHAIN,
  FTM_OFFICES,
  FTM_SANCTIONS,
  FTM_WATCHED,
  SECO_XML,
  UK_CSV,
  UK_XML,
} from '../../../../test/support/lists/further-list-texts.js';
import { readTexts } from '../../../../test/support/lists/list-texts.js';
import { NotAList } from './source.js';

const PASSPORT = { type: 'passport', number: 'P04581926', country: 'AF' };

describe('the UK Sanctions List', () => {
  it('is read from its XML: the primary name first, unknown days and months as years', async () => {
    const { entries, publishedOn } = await readTexts('UK_SANCTIONS', { 'uk.xml': UK_XML });
    expect(publishedOn).toBe('2026-08-20');
    expect(entries).toMatchObject([
      {
        id: 'EXA0001',
        type: 'individual',
        names: [
          { text: 'WALI HASSAN EXAMPLI', weak: false },
          { text: 'Haji Wali Exampli', weak: true },
          { text: 'والي حسن', weak: false },
        ],
        birthDates: [{ text: '1945' }, { text: '1946-03' }, { text: '1958-03-01' }],
        countries: ['AF', 'PK'],
        genders: ['male'],
        identifiers: [PASSPORT, { type: 'national_id', number: '545167' }],
        addresses: ['Kabul, Afghanistan'],
        programs: ['The Example (Sanctions) (EU Exit) Regulations 2020'],
        listedOn: '2001-01-25',
      },
      { id: 'EXA0002', type: 'entity', identifiers: [{ type: 'registration', number: 'BR-99-7731' }] },
      { id: 'EXA0003', type: 'vessel', identifiers: [{ type: 'imo', number: '9562233' }], listedOn: null },
    ]);
  });

  it('is read from its table, where one designation has many lines', async () => {
    const { entries, publishedOn } = await readTexts('UK_SANCTIONS', { 'uk.csv': UK_CSV });
    expect(publishedOn).toBe('2026-02-13');
    expect(entries).toMatchObject([
      {
        id: 'EXA0001',
        names: [
          { text: 'WALI EXAMPLI', weak: false },
          { text: 'Haji Wali Exampli', weak: true },
        ],
        birthDates: [{ text: '1958-03-01' }, { text: '1945' }],
        identifiers: [PASSPORT],
      },
      { id: 'EXA0003', type: 'vessel' },
    ]);
  });

  it.each([
    ['a designation without a name', UK_XML.replace('<Name6>Example Star</Name6>', '')],
    ['a designation without an id', UK_XML.replace('<UniqueID>EXA0002</UniqueID>', '')],
    ['an unknown type', UK_XML.replace('>Ship<', '>Aircraft<')],
    ['half of it', UK_XML.slice(0, 2_000)],
    ['another table', 'id,name\n1,Ann\n'],
  ])('is not taken with %s', async (_, text) => {
    await expect(readTexts('UK_SANCTIONS', { 'uk.xml': text })).rejects.toThrow(NotAList);
  });
});

describe('the Swiss list', () => {
  it('is read with its spellings, without what was delisted, and with what was listed again', async () => {
    const { entries, publishedOn } = await readTexts('CH_SECO', { 'seco.xml': SECO_XML });
    expect(publishedOn).toBe('2026-09-01');
    expect(entries.map(({ id, type }) => [id, type])).toEqual([
      ['100', 'individual'],
      ['101', 'entity'],
      ['103', 'vessel'],
    ]);
    expect(entries[0]).toMatchObject({
      birthDates: [{ text: '1954-08-03' }, { text: '1955' }],
      countries: ['BY', 'UA'],
      genders: ['male'],
      identifiers: [
        { type: 'passport', number: 'MP1234567', country: 'BY' },
        { type: 'tax_id', number: '778812345' },
      ],
      addresses: ['1 Example Street, Minsk'],
      programs: ['Exampleland'],
      listedOn: '2022-03-16',
    });
    expect(entries[0]?.names).toEqual([
      { text: 'Examplenka Aliaksandr', weak: false },
      { text: 'Examplenka Alexander', weak: false },
      { text: 'Examplenko Aliaksandr', weak: false },
      { text: 'Examplenko Alexander', weak: false },
      { text: 'Экзампленко Александр', weak: false },
      { text: 'Sasha', weak: true },
    ]);
    expect(entries[2]?.identifiers).toEqual([{ type: 'imo', number: '9562233' }]);
  });
});

describe('a list of one’s own in lines of FollowTheMoney', () => {
  it('has what the file is about, with what its links say, and what belongs to it by half', async () => {
    const { entries, publishedOn } = await readTexts('OWN_SANCTIONS', { 'own.json': FTM_SANCTIONS });
    expect(publishedOn).toBe('2026-02-01');
    expect(entries.map(({ id, type }) => [id, type])).toEqual([
      ['ivan', 'individual'],
      ['ship', 'vessel'],
      ['w2', 'entity'],
      ['half', 'entity'],
    ]);
    expect(entries[0]).toMatchObject({
      names: [{ text: 'Ivan Examplov' }, { text: 'Vanya', weak: true }],
      birthDates: [{ text: '1960-02-03' }],
      countries: ['RU'],
      genders: ['male'],
      identifiers: [
        { type: 'tax_id', number: '771234567890' },
        { type: 'passport', number: 'A1234567', country: 'RU' },
        { type: 'crypto_address', number: 'bc1qexample0000000000000000000000000000000' },
      ],
      addresses: ['1 Example Street, Moscow'],
      programs: ['EXAMPLE-1'],
      listedOn: '2023-04-05',
    });
    expect(entries[3]).toMatchObject({ countries: ['CY'], programs: ['Owned by Ivan Examplov (50 %)'] });
  });

  it('has what listed owners hold by half together, over any number of steps and whatever the order', async () => {
    const { entries } = await readTexts('OWN_SANCTIONS', { 'own.json': FTM_CHAIN });
    expect(entries.map(({ id, programs }) => [id, programs])).toEqual([
      ['ivan', []],
      ['petr', []],
      ['middle', ['Owned by Ivan Examplov (30 %), Petr Examplov (20 %)']],
      ['last', ['Owned by Example middle (100 %)']],
    ]);
  });

  it('has all where the file marks none', async () => {
    const { entries } = await readTexts('OWN_WATCH', { 'own.json': FTM_WATCHED });
    expect(entries.map(({ id }) => id)).toEqual(['b1', 'b2']);
  });

  it('of kind pep has those that the source calls so, though no office is linked', async () => {
    const { entries } = await readTexts('OWN_PEPS', { 'own.json': FTM_OFFICES }, 'pep');
    expect(entries.map(({ id, pep }) => [id, pep?.level, pep?.positions.map(({ title }) => title)])).toEqual([
      ['d1', 'level_2', ['Head of the Example Board']],
      ['d2', 'relative', []],
    ]);
  });

  it.each([['{"id":"x","schema":"Person"}'], ['{"id":"x","schema":"Person","properties":{"name":["A'], ['[]']])(
    'is not taken with the line %s',
    async (text) => {
      await expect(readTexts('OWN_WATCH', { 'own.json': `${FTM_WATCHED}\n${text}` })).rejects.toThrow(NotAList);
    },
  );
});
