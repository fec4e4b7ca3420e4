import { parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { type Person, isoDate, personOf, scriptOf, writtenDate } from './person.js';
import { childrenOf, childText, type XmlElement, xmlElements } from './xml-elements.js';

/** A kind of list: how it is told from the others, and how the natural persons in it are read. */
export interface ListFormat {
  readonly name: string;
  /** `head`: the first few thousand characters. */
  readonly recognises: (head: string) => boolean;
  readonly read: (chunks: AsyncIterable<string>) => AsyncGenerator<Person>;
}

async function* each<Source>(
  sources: AsyncIterable<Source>,
  toPerson: (source: Source) => Person | undefined,
): AsyncGenerator<Person> {
  for await (const source of sources) {
    const person = toPerson(source);
    if (person !== undefined) yield person;
  }
}

const xmlList = (
  name: string,
  root: string,
  entry: string,
  toPerson: (entry: XmlElement) => Person | undefined,
): ListFormat => ({
  name,
  recognises: (head) => new RegExp(`<(?:\\w+:)?${root}[\\s>]`).test(head),
  read: (chunks) => each(xmlElements(chunks, entry), toPerson),
});

const NAME_PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];

const unPerson = (entry: XmlElement): Person | undefined => {
  const born = childrenOf(entry, 'INDIVIDUAL_DATE_OF_BIRTH').find(
    (item) => childText(item, 'TYPE_OF_DATE') === 'EXACT',
  );
  const romanised = NAME_PARTS.map((part) => childText(entry, part)).join(' ');
  return personOf(
    childText(entry, 'NAME_ORIGINAL_SCRIPT') || romanised,
    born === undefined ? undefined : isoDate(childText(born, 'DATE')),
  );
};

const euPerson = (entry: XmlElement): Person | undefined => {
  if (childrenOf(entry, 'subjectType')[0]?.attributes['code'] !== 'person') return undefined;
  const names = childrenOf(entry, 'nameAlias').map((alias) => alias.attributes['wholeName'] ?? '');
  const born = childrenOf(entry, 'birthdate').find((item) => item.attributes['circa'] !== 'true');
  const original = names.find((name) => scriptOf(name) !== 'Latin');
  return personOf(original ?? names[0] ?? '', isoDate(born?.attributes['birthdate']));
};

const sdnPerson = (entry: XmlElement): Person | undefined => {
  if (childText(entry, 'sdnType') !== 'Individual') return undefined;
  const dates = childrenOf(entry, 'dateOfBirthList').flatMap((list) => childrenOf(list, 'dateOfBirthItem'));
  const main = dates.find((item) => childText(item, 'mainEntry') === 'true') ?? dates[0];
  return personOf(
    `${childText(entry, 'firstName')} ${childText(entry, 'lastName')}`,
    main === undefined ? undefined : writtenDate(childText(main, 'dateOfBirth')),
  );
};

const csvRecords = (chunks: AsyncIterable<string>, columns: boolean): AsyncIterable<unknown> =>
  Readable.from(chunks).pipe(
    parse({
      columns: columns ? (header: string[]) => header.map((name) => name.trim().toLowerCase()) : false,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }),
  );

/** OFAC's columns, by position: number, name, type, …, remarks last. */
const SDN_COLUMNS = 12;

const sdnCsvPerson = (record: unknown): Person | undefined => {
  const fields = record as readonly string[];
  if (fields.length < SDN_COLUMNS || fields[2]?.trim() !== 'individual') return undefined;
  const [last = '', ...first] = (fields[1] ?? '').split(',');
  const born = /(?:^|; )DOB ([^;.]*)/.exec(fields[SDN_COLUMNS - 1] ?? '')?.[1];
  return personOf(`${first.join(',')} ${last}`, writtenDate(born));
};

const NAME_COLUMNS = ['name', 'full_name'];
const BIRTH_COLUMNS = ['birth_date', 'date_of_birth', 'dob'];

const headerOf = (head: string): string[] =>
  (head.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? '')
    .split(',')
    .map((name) => name.trim().replaceAll('"', '').toLowerCase());

const plainCsvPerson = (record: unknown): Person | undefined => {
  const row = record as Readonly<Record<string, string>>;
  const value = (names: readonly string[]): string =>
    names.map((name) => row[name] ?? '').find((text) => text !== '') ?? '';
  // Lists of OpenSanctions hold companies and ships beside people and say so in a column of their own.
  if (row['schema'] !== undefined && row['schema'] !== 'Person') return undefined;
  // Several dates stand in one field, apart by a semicolon.
  return personOf(value(NAME_COLUMNS), isoDate(value(BIRTH_COLUMNS).split(';', 1)[0]));
};

export const LIST_FORMATS: readonly ListFormat[] = [
  xmlList('OFAC (sdn.xml)', 'sdnList', 'sdnEntry', sdnPerson),
  xmlList('UN Security Council', 'CONSOLIDATED_LIST', 'INDIVIDUAL', unPerson),
  xmlList('EU consolidated', 'export', 'sanctionEntity', euPerson),
  {
    name: 'OFAC (sdn.csv)',
    recognises: (head) => /^\d+,"?[^\r\n]*,(?:-0- |"[^"]*")(?:,(?:-0- |"[^"\r\n]*")){9}\r?$/m.test(head),
    read: (chunks) => each(csvRecords(chunks, false), sdnCsvPerson),
  },
  {
    name: 'CSV with a header',
    recognises: (head) => {
      const header = headerOf(head);
      return [NAME_COLUMNS, BIRTH_COLUMNS].every((names) => names.some((name) => header.includes(name)));
    },
    read: (chunks) => each(csvRecords(chunks, true), plainCsvPerson),
  },
];
