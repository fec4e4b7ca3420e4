import {
  EU_XML,
  FAMILY_CSV,
  fileOf,
  FOLLOW_THE_MONEY,
  HOLDERS_CSV,
  OFAC_ALIASES,
  OFAC_CSV,
  ofacXml,
  readTexts,
  TARGETS_CSV,
  unXml,
} from '../../../../test/support/lists/list-texts.js';
import { NotAList, textOf } from './source.js';

describe('the readers of the lists', () => {
  it('read OFAC’s CSV files: names turned, remarks taken apart, weak aliases known', async () => {
    const { entries } = await readTexts('OFAC_SDN', { 'sdn.csv': OFAC_CSV, 'alt.csv': OFAC_ALIASES });
    expect(entries.map(({ id, type }) => [id, type])).toEqual([
      ['36', 'entity'],
      ['7226', 'individual'],
      ['9001', 'vessel'],
    ]);
    expect(entries[0]?.names.map(({ text }) => text)).toEqual(['AEROCARIBBEAN AIRLINES', 'AERO-CARIBBEAN']);
    expect(entries[1]).toMatchObject({
      names: [
        { text: 'Ismael ZAMBADA GARCIA', weak: false },
        { text: 'Mario ZAMBADA', weak: false },
        { text: 'EL MAYO', weak: true },
      ],
      birthDates: [
        { text: '1948-01-01', from: '1948-01-01', to: '1948-01-01' },
        { text: 'circa 1950', from: '1948-01-01', to: '1952-12-31' },
      ],
      countries: ['MX'],
      programs: ['SDNTK', 'ILLICIT'],
    });
  });

  it.each([['https://one.example'], ['https://another.example', 'x:']])(
    'read sdn.xml whatever its namespace: %s %s',
    async (namespace, prefix = '') => {
      const { entries, publishedOn } = await readTexts('OFAC_SDN', { 'sdn.xml': ofacXml(namespace, prefix) });
      expect(publishedOn).toBe('2026-01-08');
      expect(entries).toMatchObject([
        {
          id: '7',
          names: [{ text: 'Ivan EXAMPLE' }, { text: 'TYSON', weak: true }],
          birthDates: [{ from: '1962-05-09' }],
        },
      ]);
    },
  );

  it('read the EU’s list from attributes', async () => {
    const { entries, publishedOn } = await readTexts('EU_CONSOLIDATED', { 'eu.xml': EU_XML });
    expect(publishedOn).toBe('2026-01-28');
    expect(entries).toMatchObject([
      {
        id: 'EU.13.0',
        type: 'individual',
        names: [{ weak: false }, { text: 'Abu Ali', weak: true }],
        countries: ['IQ'],
        programs: ['IRQ'],
        listedOn: '2003-07-08',
      },
      { id: 'EU.14.0', type: 'entity', names: [{ text: 'Example Trading' }], birthDates: [{ text: 'circa 1950' }] },
    ]);
  });

  it('read the UN’s list, whose empty aliases are none', async () => {
    const { entries, publishedOn } = await readTexts('UN_SECURITY_COUNCIL', {
      'un.xml': unXml('2025-11-29', ['Ann Other']),
    });
    expect(publishedOn).toBe('2025-11-29');
    expect(entries).toMatchObject([
      {
        id: 'T.0',
        type: 'individual',
        names: [
          { text: 'Ann Other', weak: false },
          { text: 'Old Other', weak: true },
        ],
        birthDates: [{ text: '1960 to 1965', from: '1960-01-01', to: '1965-12-31' }],
        countries: ['IR'],
        programs: ['DRC'],
        listedOn: '2012-12-31',
      },
    ]);
  });

  it('read OpenSanctions’ table of persons', async () => {
    const { entries, publishedOn } = await readTexts('PEP', { 'targets.simple.csv': TARGETS_CSV });
    expect(publishedOn).toBe('2026-02-01');
    expect(entries).toMatchObject([
      { id: 'Q1', names: { length: 3 }, countries: ['CH', 'LI'], pep: { level: 'level_2' } },
    ]);
  });

  it('read FollowTheMoney: who holds an office, and who is close to them', async () => {
    const { entries } = await readTexts('PEP', { 'entities.ftm.json': FOLLOW_THE_MONEY });
    expect(entries.map(({ id, pep }) => [id, pep?.level])).toEqual([
      ['ada', 'level_3'],
      ['bert', 'relative'],
      ['carl', 'associate'],
    ]);
    expect(entries[0]?.pep).toMatchObject({
      positions: [{ title: 'Mayor of Exampleton', country: 'CH', from: '2020', to: null }],
      relatives: [{ name: 'Bert Example', relationship: 'brother' }, { name: 'Carl Partner' }],
    });
  });

  it('read tables of holders and families in any order', async () => {
    const { entries } = await readTexts('PEP', { 'family.csv': FAMILY_CSV, 'holders.csv': HOLDERS_CSV });
    expect(entries.map(({ id, pep, countries }) => [id, pep?.level, countries])).toEqual([
      ['Q1', 'level_1', ['CA']],
      ['Q2', 'relative', []],
    ]);
  });
});

const HTML = '<!DOCTYPE html><html><head><title>503</title></head><body><h1>Service Unavailable</h1></body></html>';
const PAGE = '<html><body>Maintenance</body></html>';
const JSON_ERROR = '{"timestamp":"2026-01-01","status":500,"error":"Internal Server Error"}';
const half = (text: string): string => text.slice(0, text.length / 2);

describe('what was published instead of a list', () => {
  const lists = [
    ['OFAC_SDN', 'sdn.csv', OFAC_CSV],
    ['OFAC_SDN', 'sdn.xml', ofacXml()],
    ['EU_CONSOLIDATED', 'eu.xml', EU_XML],
    ['UN_SECURITY_COUNCIL', 'un.xml', unXml('2025-11-29', ['Ann Other', 'Bob Other'])],
    ['PEP', 'entities.json', FOLLOW_THE_MONEY],
    ['PEP', 'targets.simple.csv', TARGETS_CSV],
  ] as const;
  const faults = [
    ['nothing', () => ''],
    ['an HTML page', () => HTML],
    ['an HTML page without a DTD', () => PAGE],
    ['a JSON error', () => JSON_ERROR],
    ['half a file', half],
  ] as const;

  it.each(
    lists.flatMap(([list, name, text]) => faults.map(([what, spoil]) => [list, name, what, spoil(text)] as const)),
  )('%s %s: %s is refused', async (list, name, _, text) => {
    await expect(readTexts(list, { [name]: text })).rejects.toThrow(NotAList);
  });

  it('is refused with a DTD, whose entities could grow without bound', async () => {
    const text = EU_XML.replace('<export', '<!DOCTYPE export [<!ENTITY a "aaaa">]><export');
    await expect(readTexts('EU_CONSOLIDATED', { 'eu.xml': text })).rejects.toThrow('has a DTD');
  });

  it('is refused beyond its largest size, however small it is gzipped', async () => {
    const reading = textOf(await fileOf('bomb.xml', ' '.repeat(3_000_000)), 2_000_000);
    const readAll = async (): Promise<void> => {
      for await (const piece of reading) expect(piece.length).toBeLessThan(1_000_000);
    };
    await expect(readAll()).rejects.toThrow(NotAList);
  });

  it('is refused where OFAC announces another number of entries', async () => {
    const text = ofacXml().replace('<Record_Count>1<', '<Record_Count>2<');
    await expect(readTexts('OFAC_SDN', { 'sdn.xml': text })).rejects.toThrow('announces 2 entries, but has 1');
  });
});
