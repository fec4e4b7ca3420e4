import { type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { type Gender, type Identifier } from '../../domain/screening-list.js';
import { countriesNamed } from '../../matching/countries.js';
import { type AliasNotes, notesOfAlias } from './alias-notes.js';
import { between, birthDateOf, birthDay, circa, isoDay, type ReadDates, readDates, together } from './dates.js';
import { identifierIn, identifierOf, numbersIn } from './identifiers.js';
import { islamicDates } from './islamic-dates.js';
import { withOriginals } from './names.js';
import { type ReadList } from './list-content.js';
import { type SourceFile } from './source.js';
import { childrenOf, readXml, textIn, textsAt, type XmlElement } from './xml.js';

/** Elements that say nothing of the person. */
export const IGNORED_OF_UN = [
  'VERSIONNUM',
  'LIST_TYPE',
  'LAST_DAY_UPDATED',
  'SORT_KEY',
  'SORT_KEY_LAST_MOD',
  'DESIGNATION',
  'TITLE',
  'SUBMITTED_BY',
  'GENDER',
  'CITY_OF_ISSUE',
  'DATE_OF_ISSUE',
  'CITY_OF_BIRTH',
] as const;

const NAME_PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];

const aliasesOf = (element: XmlElement): XmlElement[] => [
  ...childrenOf(element, 'INDIVIDUAL_ALIAS'),
  ...childrenOf(element, 'ENTITY_ALIAS'),
];

/** A cell may hold several names, numbered: `a) …; b) …`. */
const namesIn = (cell: string): string[] => cell.split(/;|\n/).map((text) => text.trim().replace(/^[a-z]\)\s*/i, ''));

/** Notes of aliases give the name in its own script: `original script: …`. */
const ORIGINAL = /[\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}][\p{L}\p{M}\s]*/gu;

/** Texts of the aliases: names, and what stands beside them in their cells. */
const notesOf = (alias: XmlElement): AliasNotes[] => namesIn(textIn(alias, 'ALIAS_NAME')).map(notesOfAlias);

const names = (element: XmlElement): ListedName[] => {
  const primary = NAME_PARTS.map((part) => textIn(element, part))
    .filter((part) => part !== '')
    .join(' ');
  const aliases = aliasesOf(element).flatMap((alias) => {
    const weak = textIn(alias, 'QUALITY') === 'Low';
    const originals = textIn(alias, 'NOTE').match(ORIGINAL) ?? [];
    return [...notesOf(alias).flatMap((notes) => notes.names), ...originals].map((text) => ({
      text: text.trim(),
      weak,
    }));
  });
  const given = [...namesIn(primary), ...textsAt(element, 'NAME_ORIGINAL_SCRIPT')].map((text) => ({
    text,
    weak: false,
  }));
  return withOriginals([...given, ...aliases]);
};

const DATE_IN_NOTE = /(?:\d{1,2} )?(?:[A-Z][a-z]{2,8}\.? )?\d{4}/g;
const HIJRI = /(\d{1,2})\/(\d{1,2})\/(1[34]\d{2}) \(Hijri/i;

/** A date that stands in a note alone: `Nov. 1973`, `24/06/1402 (Hijri Calendar)`, `Sep.` of the year beside it. */
const noted = (note: string, year: string): ReadDates => {
  const [, day, month, hijri] = HIJRI.exec(note) ?? [];
  if (hijri !== undefined) return { dates: islamicDates(Number(hijri), Number(month), Number(day)), unread: [] };
  const date = birthDateOf(note) ?? birthDateOf(`${note} ${year}`);
  return { dates: date === undefined ? [] : [date], unread: date === undefined && note !== '' ? [note] : [] };
};

const dateOf = (element: XmlElement): ReadDates => {
  const text = (name: string): string => textIn(element, name);
  const [kind, year, note] = [text('TYPE_OF_DATE'), text('YEAR'), text('NOTE')];
  const isAbout = kind === 'APPROXIMATELY' || /approximately/i.test(note);
  const [from, to] = [birthDateOf(text('FROM_YEAR')), birthDateOf(text('TO_YEAR'))];
  const said = [text('DATE').slice(0, 10), year, text('FROM_YEAR'), text('TO_YEAR')].filter(Boolean);
  const unreadable = said.filter((each) => birthDateOf(each) === undefined);
  const date =
    from && to ? between(from, to) : (birthDay(text('DATE').slice(0, 10)) ?? birthDateOf(year) ?? from ?? to);
  // One end of a period says nothing of the other.
  if (date === undefined || unreadable.length > 0) {
    const read = noted(note, year);
    return read.dates.length > 0 ? read : { dates: [], unread: [...said, ...read.unread] };
  }
  const nearer = /^[A-Za-z]{3,9}\.?$/.test(note) ? noted(note, year).dates : [];
  const others = /\d{4}/.test(note) ? [...note.matchAll(DATE_IN_NOTE)].map(([text]) => text) : [];
  const more = readDates(others);
  // A note that says another date than can be read here might be the right one.
  const unread = others.length === 0 && /\d{4}/.test(note) ? [note] : more.unread;
  return { dates: [...(nearer.length > 0 ? nearer : [isAbout ? circa(date) : date]), ...more.dates], unread };
};

/** Notes of aliases: `born 16 Dec. 1948, in …`, `DPOB: 1970, Baghdad`. */
const BORN = /(?:born(?: on| in)?|D?POB|DOB)[\s:–-]+((?:\d{1,2} )?(?:[A-Z][a-z]{2,8}\.? )?\d{4})/g;

const datesOfAlias = (alias: XmlElement): ReadDates =>
  readDates([
    ...textsAt(alias, 'DATE_OF_BIRTH'),
    ...notesOf(alias).flatMap(({ dates }) => dates),
    ...[...textIn(alias, 'NOTE').matchAll(BORN)].map(([, date = '']) => date),
  ]);

const countries = (element: XmlElement): string[] => {
  const nationalities = [
    ...textsAt(element, 'NATIONALITY', 'VALUE'),
    ...textsAt(element, 'INDIVIDUAL_PLACE_OF_BIRTH', 'COUNTRY'),
    ...aliasesOf(element).flatMap((alias) => textsAt(alias, 'COUNTRY_OF_BIRTH')),
  ];
  return [...new Set(nationalities.flatMap(countriesNamed))];
};

const genders = (element: XmlElement): Gender[] => {
  const [, commented] = /(?:gender|sex)\s*[:[]\s*(male|female)/i.exec(textIn(element, 'COMMENTS1')) ?? [];
  return [textIn(element, 'GENDER'), commented ?? ''].flatMap((text): Gender[] => {
    const gender = text.toLowerCase();
    return gender === 'female' || gender === 'male' ? [gender] : [];
  });
};

const documents = (element: XmlElement): Identifier[] =>
  childrenOf(element, 'INDIVIDUAL_DOCUMENT').flatMap((document) => {
    const text = (name: string): string => textIn(document, name);
    const type = `${text('TYPE_OF_DOCUMENT')} ${text('TYPE_OF_DOCUMENT2')}`;
    const country = text('ISSUING_COUNTRY') || text('COUNTRY_OF_ISSUE');
    const said = text('NUMBER') || `number ${text('NOTE')}`;
    return numbersIn(said).flatMap(({ number, country: named }) =>
      identifierOf(/pass?[ae]?port/i.test(type) ? 'passport' : 'national_id', number, country || named),
    );
  });

/** `IMO number: 9314882`, `SWIFT/BIC: TJBKKPPY` of an entity. */
const IN_COMMENTS =
  /\b(IMO|BIC|SWIFT(?:\/BIC)?|Italian fiscal code)\b(?: (?:number|no\.?|code))?:?\s*([A-Z0-9]{7,16})\b/gi;
const TYPE_IN_COMMENTS: Readonly<Record<string, Identifier['type']>> = { I: 'tax_id', B: 'bic', S: 'bic' };

const commented = (element: XmlElement): Identifier[] =>
  [...textIn(element, 'COMMENTS1').matchAll(IN_COMMENTS)].flatMap(([, label = '', number = '']) =>
    identifierOf(
      /^imo$/i.test(label) ? 'imo' : (TYPE_IN_COMMENTS[label[0]?.toUpperCase() ?? ''] ?? 'registration'),
      number,
      '',
    ),
  );

const ADDRESS_PARTS = ['STREET', 'CITY', 'STATE_PROVINCE', 'ZIP_CODE', 'COUNTRY', 'NOTE'];

const addresses = (element: XmlElement): string[] =>
  [...childrenOf(element, 'INDIVIDUAL_ADDRESS'), ...childrenOf(element, 'ENTITY_ADDRESS')].flatMap((address) => {
    const parts = ADDRESS_PARTS.map((part) => textIn(address, part)).filter((part) => part !== '');
    return parts.length === 0 ? [] : [parts.join(', ')];
  });

const entryOf = (element: XmlElement): ListEntry | undefined => {
  const found = names(element);
  const id = textIn(element, 'REFERENCE_NUMBER') || textIn(element, 'DATAID');
  if (found.length === 0 || id === '') return undefined;
  const { dates, unread } = together(
    ...childrenOf(element, 'INDIVIDUAL_DATE_OF_BIRTH').map(dateOf),
    ...aliasesOf(element).map(datesOfAlias),
  );
  const numbered = textIn(element, 'COMMENTS1')
    .split(/;|\. /)
    .flatMap((text) => identifierIn(text) ?? []);
  return {
    id,
    type: element.name === 'INDIVIDUAL' ? 'individual' : 'entity',
    names: found,
    birthDates: dates,
    unreadDates: unread,
    countries: countries(element),
    genders: genders(element),
    identifiers: [
      ...documents(element),
      ...commented(element),
      ...numbered,
      ...aliasesOf(element)
        .flatMap(notesOf)
        .flatMap(({ identifiers }) => identifiers),
    ],
    addresses: addresses(element),
    programs: textsAt(element, 'UN_LIST_TYPE'),
    listedOn: isoDay(textIn(element, 'LISTED_ON').slice(0, 10)) ?? null,
  };
};

export const readUn = async (file: SourceFile): Promise<ReadList> => {
  const entries: ListEntry[] = [];
  let publishedOn = '';
  await readXml(file, {
    root: 'CONSOLIDATED_LIST',
    records: new Set(['INDIVIDUAL', 'ENTITY']),
    onRoot: ({ dateGenerated = '' }) => {
      publishedOn = dateGenerated.slice(0, 10);
    },
    onRecord: (element) => {
      const entry = entryOf(element);
      if (entry !== undefined) entries.push(entry);
    },
  });
  return { entries, publishedOn: publishedOn === '' ? null : publishedOn };
};
