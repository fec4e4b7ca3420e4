import { type BirthDate, type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { type EntryType, type Gender, type Identifier } from '../../domain/screening-list.js';
import { countriesNamed } from '../../matching/countries.js';
import { type Row, rowsOf } from './csv-rows.js';
import { birthDateOf, isoDay, type ReadDates } from './dates.js';
import { countryAmong, identifierOf, numbersIn } from './identifiers.js';
import { withOriginals } from './names.js';
import { type ReadList } from './list-content.js';
import { beginningOf, NotAList, type SourceFile } from './source.js';
import { readXml, textIn, textsWithin, within, type XmlElement } from './xml.js';

/** A number, and what stands beside it: `Libyan passport`. */
interface Noted {
  readonly number: string;
  readonly note: string;
}

/** A designation as its XML element has it, or one line of the table. */
interface Designation {
  readonly id: string;
  readonly type: string;
  readonly names: readonly ListedName[];
  readonly regime: string;
  /** DD/MM/YYYY, as all dates of the list; `dd` and `mm` where day and month are unknown. */
  readonly designated: string;
  readonly births: readonly string[];
  readonly countries: readonly string[];
  readonly genders: readonly string[];
  readonly passports: readonly Noted[];
  readonly nationalIds: readonly Noted[];
  readonly registrations: readonly string[];
  readonly imoNumbers: readonly string[];
  readonly addresses: readonly string[];
}

const TYPES: Readonly<Record<string, EntryType>> = { individual: 'individual', entity: 'entity', ship: 'vessel' };

const NAME_PLACES = [1, 2, 3, 4, 5, 6];
const ADDRESS_LINES = [1, 2, 3, 4, 5, 6];

const joined = (parts: readonly string[], by: string): string => parts.filter((part) => part !== '').join(by);

const isWeak = (strength: string): boolean => /^low\b/i.test(strength.trim());

/** `25/01/1945`, `dd/01/1945`, `dd/mm/1945`, `00/00/1945`: a day, a month or a year. */
const isoOf = (text: string): string => {
  const [, day = '', month = '', year = ''] = /^(\w{1,2})\/(\w{1,2})\/(\d{4})$/.exec(text.trim()) ?? [];
  if (year === '') return text.trim();
  if (!/^(0?[1-9]|1[0-2])$/.test(month)) return year;
  const ofMonth = `${year}-${month.padStart(2, '0')}`;
  return /^(0?[1-9]|[12]\d|3[01])$/.test(day) ? `${ofMonth}-${day.padStart(2, '0')}` : ofMonth;
};

const datesOf = (births: readonly string[]): ReadDates => {
  const read = [...new Set(births)].map((text) => ({ text, date: birthDateOf(isoOf(text)) }));
  return {
    dates: read.flatMap(({ date }): BirthDate[] => (date === undefined ? [] : [date])),
    unread: read.flatMap(({ text, date }) => (date === undefined ? [text] : [])),
  };
};

const numbered = (type: Identifier['type'], { number, note }: Noted): Identifier[] =>
  numbersIn(number).flatMap((each) => identifierOf(type, each.number, each.country || countryAmong(note)));

const identifiersOf = ({ passports, nationalIds, registrations, imoNumbers }: Designation): Identifier[] => [
  ...passports.flatMap((each) => numbered('passport', each)),
  ...nationalIds.flatMap((each) => numbered('national_id', each)),
  ...registrations.flatMap((number) => numbered('registration', { number, note: number })),
  ...imoNumbers.flatMap((number) => identifierOf('imo', number.replace(/^IMO\s*/i, ''), '')),
];

const isGender = (text: string): text is Gender => text === 'male' || text === 'female';

/** All parts of one designation: the table has a line for each name, and for each combination of other parts. */
const entryOf = (parts: readonly Designation[]): ListEntry => {
  const [{ id, type } = { id: '', type: '' }] = parts;
  const found = TYPES[type.trim().toLowerCase()];
  if (found === undefined) throw new NotAList(`The type of ${id} is none of Individual, Entity and Ship`);
  const { dates, unread } = datesOf(parts.flatMap(({ births }) => births));
  const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== ''))];
  const identifiers = new Map(parts.flatMap(identifiersOf).map((each) => [JSON.stringify(each), each]));
  return {
    id,
    type: found,
    names: withOriginals(parts.flatMap(({ names }) => names)),
    birthDates: dates,
    unreadDates: unread,
    countries: distinct(parts.flatMap(({ countries }) => countries).flatMap(countriesNamed)),
    genders: distinct(parts.flatMap(({ genders }) => genders.map((text) => text.trim().toLowerCase()))).filter(
      isGender,
    ),
    identifiers: [...identifiers.values()],
    addresses: distinct(parts.flatMap(({ addresses }) => addresses)),
    programs: distinct(parts.map(({ regime }) => regime)),
    listedOn: isoDay(isoOf(parts.find(({ designated }) => designated !== '')?.designated ?? '')) ?? null,
  };
};

const nameOf = (name: XmlElement): ListedName => ({
  text: joined(
    NAME_PLACES.map((place) => textIn(name, `Name${place}`)),
    ' ',
  ),
  weak: isWeak(textIn(name, 'AliasStrength')),
});

const designationOf = (element: XmlElement): Designation => {
  const noted = (container: string, number: string, note: string): Noted[] =>
    within(element, container).map((each) => ({ number: textIn(each, number), note: textIn(each, note) }));
  const primaryFirst = within(element, 'Name')
    .filter(({ children }) => children.length > 0)
    .map((name) => ({ name: nameOf(name), isPrimary: /^primary name$/i.test(textIn(name, 'NameType')) }))
    .sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
  return {
    id: textIn(element, 'UniqueID'),
    type: textIn(element, 'IndividualEntityShip'),
    names: [
      ...primaryFirst.map(({ name }) => name),
      ...textsWithin(element, 'NameNonLatinScript').map((text) => ({ text, weak: false })),
    ],
    regime: textIn(element, 'RegimeName'),
    designated: textIn(element, 'DateDesignated'),
    births: textsWithin(element, 'DOB'),
    countries: [...textsWithin(element, 'Nationality'), ...textsWithin(element, 'CountryOfBirth')],
    genders: textsWithin(element, 'Gender'),
    passports: noted('Passport', 'PassportNumber', 'PassportAdditionalInformation'),
    nationalIds: noted('NationalIdentifier', 'NationalIdentifierNumber', 'NationalIdentifierAdditionalInformation'),
    registrations: textsWithin(element, 'BusinessRegistrationNumber'),
    imoNumbers: textsWithin(element, 'IMONumber'),
    addresses: within(element, 'Address').map((address) => {
      const lines = ADDRESS_LINES.map((line) => textIn(address, `AddressLine${line}`));
      return joined([...lines, textIn(address, 'AddressPostalCode'), textIn(address, 'AddressCountry')], ', ');
    }),
  };
};

const rowOf = (row: Row): Designation => {
  const cell = (name: string): string => row[name] ?? '';
  const cells = (name: string): string[] => (cell(name) === '' ? [] : [cell(name)]);
  const lines = ADDRESS_LINES.map((line) => cell(`Address Line ${line}`));
  return {
    id: cell('Unique ID'),
    type: cell('Designation Type'),
    names: [
      {
        text: joined(
          NAME_PLACES.map((place) => cell(`Name ${place}`)),
          ' ',
        ),
        weak: isWeak(cell('Alias strength')),
      },
      ...cells('Name non-latin script').map((text) => ({ text, weak: false })),
    ],
    regime: cell('Regime Name'),
    designated: cell('Date Designated'),
    births: cells('D.O.B'),
    countries: [cell('Nationality(/ies)'), cell('Country of birth')],
    genders: cells('Gender'),
    passports: [{ number: cell('Passport number'), note: cell('Passport additional information') }],
    nationalIds: [
      { number: cell('National Identifier number'), note: cell('National Identifier additional information') },
    ],
    registrations: cells('Business registration number (s)'),
    imoNumbers: cells('IMO number'),
    addresses: [joined([...lines, cell('Address Postal Code'), cell('Address Country')], ', ')],
  };
};

const listOf = (designations: readonly Designation[], name: string, publishedOn: string | undefined): ReadList => {
  const parts = new Map<string, Designation[]>();
  for (const each of designations) {
    const known = parts.get(each.id);
    if (known === undefined) parts.set(each.id, [each]);
    else known.push(each);
  }
  const entries = [...parts.values()].map(entryOf);
  const faulty = entries.filter(({ id, names }) => id === '' || names.length === 0).length;
  if (faulty > 0) throw new NotAList(`${faulty} designations of ${name} lack a name or a unique id`);
  return { entries, publishedOn: publishedOn ?? null };
};

const readUkXml = async (file: SourceFile): Promise<ReadList> => {
  const designations: Designation[] = [];
  let generated = '';
  await readXml(file, {
    root: 'Designations',
    records: new Set(['Designation', 'DateGenerated']),
    onRecord: (element) => {
      if (element.name === 'DateGenerated') generated = element.text.trim();
      else designations.push(designationOf(element));
    },
  });
  return listOf(designations, file.name, isoDay(isoOf(generated)));
};

const REPORT_DATE = /^\uFEFF?"?Report Date:?,?\s*([^",\r\n]+)/i;

/** `13-Feb-2026`. */
const reportedOn = (beginning: string): string | undefined => {
  const [, text = ''] = REPORT_DATE.exec(beginning) ?? [];
  const date = birthDateOf(text.trim());
  return date?.from === date?.to ? date?.from : undefined;
};

/** The UK Sanctions List: its XML, or its table, whose first line is the date of the report. */
export const readUk = async (file: SourceFile): Promise<ReadList> => {
  const beginning = await beginningOf(file);
  if (beginning.startsWith('<')) return readUkXml(file);
  const fromLine = REPORT_DATE.test(beginning) ? 2 : 1;
  const designations: Designation[] = [];
  for await (const row of rowsOf(file, { fromLine })) {
    if (row['Unique ID'] === undefined || row['Name 6'] === undefined)
      throw new NotAList(`${file.name} is neither the XML nor the table of the UK Sanctions List`);
    designations.push(rowOf(row));
  }
  return listOf(designations, file.name, reportedOn(beginning));
};
