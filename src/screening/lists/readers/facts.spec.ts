import { readFileSync } from 'node:fs';
import { OFAC_ALIASES, OFAC_CSV, readTexts } from '../../../../test/support/lists/list-texts.js';
import { type ListEntry } from '../../domain/list-entry.js';
import { birthDateOf } from './dates.js';
import { identifierIn } from './identifiers.js';
import { islamicDates } from './islamic-dates.js';

const support = (name: string): string =>
  readFileSync(new URL(`../../../../test/support/lists/${name}`, import.meta.url), 'utf8');

const un = async (inside: string): Promise<ListEntry | undefined> => {
  const text = `<CONSOLIDATED_LIST dateGenerated="2026-02-27"><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID>
<FIRST_NAME>Walid</FIRST_NAME><SECOND_NAME>Mustermann</SECOND_NAME>${inside}</INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`;
  return (await readTexts('UN_SECURITY_COUNCIL', { 'un.xml': text })).entries[0];
};

const eu = async (inside: string): Promise<ListEntry | undefined> => {
  const text = `<export generationDate="2026-01-28"><sanctionEntity euReferenceNumber="EU.1.0"><subjectType code="person"/>
<nameAlias wholeName="Farhad Mustermani" strong="true" gender="M"/>${inside}</sanctionEntity></export>`;
  return (await readTexts('EU_CONSOLIDATED', { 'eu.xml': text })).entries[0];
};

const textsOf = (entry: ListEntry | undefined): string[] => (entry?.birthDates ?? []).map(({ text }) => text);

describe('every fact that the UN gives for a person', () => {
  it('counts, those of an alias too', async () => {
    const entry =
      await un(`<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1963-03-21</DATE></INDIVIDUAL_DATE_OF_BIRTH>
<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Walid Mustermani</ALIAS_NAME><DATE_OF_BIRTH>1971-04-12</DATE_OF_BIRTH>
<COUNTRY_OF_BIRTH>Algeria</COUNTRY_OF_BIRTH><NOTE>born 16 Dec. 1948, in Izo; original script: وليد</NOTE></INDIVIDUAL_ALIAS>`);
    expect(textsOf(entry)).toEqual(['1963-03-21', '1971-04-12', '1948-12-16']);
    expect(entry?.countries).toEqual(['DZ']);
    expect(entry?.names.map(({ text }) => text)).toEqual(['Walid Mustermann', 'Walid Mustermani', 'وليد']);
  });

  it.each([
    ['EXACT', '<NOTE>Nov. 1973</NOTE>', ['1973-11']],
    ['EXACT', '<NOTE>Between Aug. and Sep. 1977</NOTE>', ['1977-08 to 1977-09']],
    ['EXACT', '<YEAR>1958</YEAR><NOTE>Sep.</NOTE>', ['1958-09']],
    ['BETWEEN', '<FROM_YEAR>1960</FROM_YEAR><TO_YEAR>1962</TO_YEAR><NOTE>Approximately</NOTE>', ['circa 1960 to 1962']],
  ])('is read where its date is %s %s', async (kind, inside, expected) => {
    const entry = await un(
      `<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>${kind}</TYPE_OF_DATE>${inside}</INDIVIDUAL_DATE_OF_BIRTH>`,
    );
    expect(textsOf(entry)).toEqual(expected);
  });

  it('is kept where it is not understood', async () => {
    const entry = await un(
      '<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><NOTE>30-35 years old</NOTE></INDIVIDUAL_DATE_OF_BIRTH>',
    );
    expect([entry?.birthDates, entry?.unreadDates]).toEqual([[], ['30-35 years old']]);
  });

  it.each([
    ['<DATE>1345-04-02</DATE>', ['1345-04-02']],
    ['<YEAR>2514</YEAR>', ['2514']],
    ['<FROM_YEAR>1340</FROM_YEAR><TO_YEAR>1345</TO_YEAR>', ['1340', '1345']],
    ['<FROM_YEAR>1340</FROM_YEAR><TO_YEAR>1965</TO_YEAR>', ['1340', '1965']],
  ])('is kept where its year is of another calendar: %s', async (inside, unread) => {
    const entry = await un(
      `<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE>${inside}</INDIVIDUAL_DATE_OF_BIRTH>`,
    );
    expect([entry?.birthDates, entry?.unreadDates]).toEqual([[], unread]);
  });

  it.each<[string, string[], string[], object[]]>([
    ['Maria Mustermanni, born in Kandahar on 01 Jan.1967', ['Maria Mustermanni'], ['1967-01-01'], []],
    ['Maria Mustermanni born in 1963', ['Maria Mustermanni'], ['1963'], []],
    [
      'Maria Mustermanni, born 1 Jan. 1953 (Oman passport no.03825239, date of issue 4 May 2014, expiry 3 May 2024.)',
      ['Maria Mustermanni'],
      ['1953-01-01'],
      [{ type: 'passport', number: '03825239', country: 'OM' }],
    ],
    ['Maria Mustermanni (formerly listed as Marie Muster)', ['Maria Mustermanni', 'Marie Muster'], [], []],
    ['Maria Mustermanni (previously listed as)', ['Maria Mustermanni'], [], []],
    ['Maria Mustermanni (birth name)', ['Maria Mustermanni'], [], []],
    ['Maria Mustermanni passport no. A1234567', ['Maria Mustermanni'], [], [{ type: 'passport', number: 'A1234567' }]],
    [
      'Maria Mustermanni (Saudi Arabian passport no. A1234567)',
      ['Maria Mustermanni'],
      [],
      [{ type: 'passport', number: 'A1234567', country: 'SA' }],
    ],
    [
      'Maria Mustermanni (false identity related to fraudulent South African identification number 6910275240086 linked to South African passport number 434021161, both confiscated)',
      ['Maria Mustermanni'],
      [],
      [],
    ],
    [
      'Maria Mustermanni, formerly listed as Marie Muster, born 1 Jan. 1953',
      ['Maria Mustermanni', 'Marie Muster'],
      ['1953-01-01'],
      [],
    ],
    ['Maria Mustermanni, born on 1 Jan. 1953 in Kabul', ['Maria Mustermanni'], ['1953-01-01'], []],
    ['Maria Mustermanni, born in 1963-1965', ['Maria Mustermanni'], ['1963 to 1965'], []],
    ['Muster Front (MF)', ['Muster Front (MF)'], [], []],
  ])('is read out of the alias %j', async (alias, names, dates, identifiers) => {
    const entry = await un(
      `<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>${alias}</ALIAS_NAME></INDIVIDUAL_ALIAS>`,
    );
    expect(entry?.names.map(({ text }) => text)).toEqual(['Walid Mustermann', ...names]);
    expect([textsOf(entry), entry?.identifiers]).toEqual([dates, identifiers]);
  });

  it('is of every country that stands in the place of one that is no more', async () => {
    const entry = await un('<NATIONALITY><VALUE>Czechoslovakia</VALUE></NATIONALITY>');
    expect(entry?.countries).toEqual(['CZ', 'SK']);
  });

  it.each<[string, object[]]>([
    ['Libyan passport number 203037', [{ type: 'passport', number: '203037', country: 'LY' }]],
    [
      'Egyptian passport number 123456789, Yemeni passport number 987654321',
      [
        { type: 'passport', number: '123456789', country: 'EG' },
        { type: 'passport', number: '987654321', country: 'YE' },
      ],
    ],
    ['Equatorial Guinea passport number 123456', [{ type: 'passport', number: '123456', country: 'GQ' }]],
    ['R00012098, South Sudan', [{ type: 'passport', number: 'R00012098', country: 'SS' }]],
  ])('has each number of a text with its country: %s', async (text, identifiers) => {
    const entry = await un(
      `<INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>${text}</NUMBER></INDIVIDUAL_DOCUMENT>`,
    );
    expect(entry?.identifiers).toEqual(identifiers);
  });

  it('has its documents, gender and address', async () => {
    const entry =
      await un(`<GENDER>Female</GENDER><INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Número de pasaporte</TYPE_OF_DOCUMENT>
<NUMBER>Afghan passport number OA296623</NUMBER><ISSUING_COUNTRY>Afghanistan</ISSUING_COUNTRY></INDIVIDUAL_DOCUMENT>
<INDIVIDUAL_ADDRESS><STREET>1 Road</STREET><CITY>Kabul</CITY><COUNTRY>Afghanistan</COUNTRY></INDIVIDUAL_ADDRESS>`);
    expect(entry).toMatchObject({
      genders: ['female'],
      identifiers: [{ type: 'passport', number: 'OA296623', country: 'AF' }],
      addresses: ['1 Road, Kabul, Afghanistan'],
    });
  });
});

describe('the dates of the EU', () => {
  it('of an Islamic year are both years of ours that it may be, and never its own number', async () => {
    const entry = await eu('<birthdate calendarType="ISLAMIC" year="1343"/>');
    expect(entry?.birthDates.map(({ from, to }) => [from.slice(0, 4), to.slice(0, 4)])).toEqual([
      ['1924', '1925'],
      ['1964', '1965'],
    ]);
  });

  it.each([
    ['year="1961" monthOfYear="8"', '1961-08'],
    ['yearRangeTo="1980"', '1980'],
    ['yearRangeFrom="1970" yearRangeTo="1972" circa="true"', 'circa 1970 to 1972'],
  ])('by %s are %s', async (attributes, expected) =>
    expect(textsOf(await eu(`<birthdate ${attributes}/>`))).toEqual([expected]),
  );

  it('of another calendar are kept as they are', async () =>
    expect((await eu('<birthdate calendarType="COPTIC" year="1700"/>'))?.unreadDates).toEqual(['1700 (COPTIC)']));

  it('stand beside identifiers and gender', async () =>
    expect(
      await eu('<identification identificationTypeCode="passport" number="A 123456" countryIso2Code="IR"/>'),
    ).toMatchObject({ genders: ['male'], identifiers: [{ type: 'passport', number: 'A 123456', country: 'IR' }] }));
});

describe('OFAC’s formats', () => {
  it('in CSV are refused without the aliases, which name the files that are missing', async () => {
    await expect(readTexts('OFAC_SDN', { 'sdn.csv': OFAC_CSV })).rejects.toThrow(/alt\.csv is missing/);
    const cut = OFAC_CSV.replace('DOB 01 Jan 1948', `DOB 01 Jan 1948; ${'x'.repeat(1_000)}`);
    await expect(readTexts('OFAC_SDN', { 'sdn.csv': cut, 'alt.csv': OFAC_ALIASES })).rejects.toThrow(
      /sdn_comments\.csv is missing/,
    );
  });

  it('in CSV keep documents, wherever a remark is cut', async () => {
    const row = `7300,"MUSTER, Max","individual","TEST",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB circa 1979-1982; Gender Male; Passport A1234567 (Egypt) expires 20 May 2028; Digital Currency Address - XBT "\r\n\u001a`;
    const { entries } = await readTexts('OFAC_SDN', {
      'sdn.csv': row,
      'alt.csv': OFAC_ALIASES,
      'sdn_comments.csv': '7300,"1abcdefghij; alt. Passport B7654321."\r\n',
    });
    expect(entries[0]).toMatchObject({
      birthDates: [{ text: 'circa 1979 to 1982' }],
      genders: ['male'],
      identifiers: [
        { type: 'passport', number: 'A1234567', country: 'EG' },
        { type: 'crypto_address', number: '1abcdefghij' },
        { type: 'passport', number: 'B7654321' },
      ],
    });
  });

  it('as advanced XML have names in their own scripts, dates, documents and programs', async () => {
    const { entries, publishedOn } = await readTexts('OFAC_SDN', { 'sdn_advanced.xml': support('sdn-advanced.xml') });
    expect(publishedOn).toBe('2026-01-08');
    expect(entries).toMatchObject([
      {
        id: '90001',
        type: 'individual',
        names: [
          { text: 'Ivan Ivanovich EXAMPLOV', weak: false },
          { text: 'Иван ЭКЗАМПЛОВ', weak: false },
          { text: 'VANYA', weak: true },
        ],
        birthDates: [{ text: 'circa 1961' }, { text: '1984-01-01 to 1986-12-31' }],
        genders: ['male'],
        countries: ['RU'],
        identifiers: [
          { type: 'passport', number: '750000001', country: 'RU' },
          { type: 'crypto_address', number: '1ExampLeExampLeExampLeExampLe11111' },
        ],
        programs: ['RUSSIA-EO14024'],
        listedOn: '2024-03-05',
      },
      {
        id: '90003',
        type: 'vessel',
        identifiers: [{ type: 'imo', number: '9074729' }, { type: 'mmsi' }, { type: 'registration' }],
      },
    ]);
  });

  it('as a delta add, change and remove entries of the list that stands before it', async () => {
    const texts = { 'sdn_advanced.xml': support('sdn-advanced.xml'), 'delta.xml': support('ofac-delta.xml') };
    const { entries, publishedOn } = await readTexts('OFAC_SDN', texts);
    expect(publishedOn).toBe('2026-01-15');
    expect(entries.map(({ id, names }) => [id, names[0]?.text])).toEqual([
      ['90001', 'Ivan EXAMPLOV'],
      ['90003', 'EXAMPLE STAR'],
    ]);
    expect(entries[1]?.programs).toEqual(['IRAN-EO13902']);
    await expect(readTexts('OFAC_SDN', { 'delta.xml': support('ofac-delta.xml') })).rejects.toThrow(
      /name the files of that list/,
    );
  });
});

describe('a date text', () => {
  it.each([
    ['12 Apr. 1971', '1971-04-12', '1971-04-12'],
    ['01 Jan.1967', '1967-01-01', '1967-01-01'],
    ['October 7, 1952', '1952-10-07', '1952-10-07'],
    ['1952/10/07', '1952-10-07', '1952-10-07'],
    ['25/10/1952', '1952-10-25', '1952-10-25'],
    ['between 1971 and 1973', '1971-01-01', '1973-12-31'],
    ['1971-1973', '1971-01-01', '1973-12-31'],
    ['1967 or 1968', '1967-01-01', '1968-12-31'],
    ['ca. 1960', '1958-01-01', '1962-12-31'],
    ['1970s', '1970-01-01', '1979-12-31'],
  ])('%s is from %s to %s', (text, from, to) => expect(birthDateOf(text)).toMatchObject({ from, to }));

  it.each(['07/10/1952', '30-35 years old', '31 Feb 1970', 'unknown'])('%s is not guessed', (text) =>
    expect(birthDateOf(text)).toBeUndefined(),
  );

  it('of an Islamic calendar holds the day, as the real examples have it', () => {
    const [lunar] = islamicDates(1402, 6, 24);
    expect(lunar && lunar.from <= '1982-04-18' && lunar.to >= '1982-04-19').toBe(true);
    const [, solar] = islamicDates(1390, 11, 11);
    expect(solar && solar.from <= '2012-01-31' && solar.to >= '2012-01-31').toBe(true);
  });
});

describe('an identifier', () => {
  it.each([
    ['Tax ID No. 100036386 (Serbia)', 'tax_id', '100036386', 'RS'],
    ['Vessel Registration Identification IMO  9187629', 'imo', '9187629', undefined],
    ['SWIFT/BIC HAVIGB2L', 'bic', 'HAVIGB2L', undefined],
    ['Legal Entity Number 253400V1H6ART1UQ0N98', 'lei', '253400V1H6ART1UQ0N98', undefined],
    ['Legal Entity Number 851683897 (Netherlands)', 'registration', '851683897', 'NL'],
    ['National ID No. 660000 73767 (Belgium)', 'national_id', '660000 73767', 'BE'],
    ['Registration Number 341189 (Delaware) (United States)', 'registration', '341189', 'US'],
  ])('is taken from %s', (text, type, number, country) =>
    expect(identifierIn(text)).toEqual(country === undefined ? { type, number } : { type, number, country }),
  );

  it.each(['Secondary sanctions risk: section 1(b)', 'Linked To: EXAMPLE', 'Website www.example.org'])(
    'is none in %s',
    (text) => expect(identifierIn(text)).toBeUndefined(),
  );
});
