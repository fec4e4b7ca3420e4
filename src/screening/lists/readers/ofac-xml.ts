import { type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { type EntryType, type Gender, type Identifier } from '../../domain/screening-list.js';
import { countriesNamed } from '../../matching/countries.js';
import { readDates } from './dates.js';
import { identifierIn } from './identifiers.js';
import { withOriginals } from './names.js';
import { type ReadList } from './list-content.js';
import { NotAList, type SourceFile } from './source.js';
import { childrenOf, readXml, textIn, textsAt, type XmlElement } from './xml.js';

/** Elements that say nothing of the person. */
export const IGNORED_OF_SDN = [
  'title',
  'type',
  'mainEntry',
  'issueDate',
  'expirationDate',
  'tonnage',
  'grossRegisteredTonnage',
  'vesselType',
  'vesselOwner',
] as const;

const TYPES: Readonly<Record<string, EntryType>> = {
  individual: 'individual',
  vessel: 'vessel',
  aircraft: 'aircraft',
};

export const ofacType = (text: string): EntryType => TYPES[text.toLowerCase()] ?? 'entity';

export const ofacGender = (text: string): Gender[] => {
  const gender = text.trim().toLowerCase();
  return gender === 'female' || gender === 'male' ? [gender] : [];
};

const nameOf = (element: XmlElement): string =>
  [textIn(element, 'firstName'), textIn(element, 'lastName')].filter((part) => part !== '').join(' ');

const names = (entry: XmlElement): ListedName[] => {
  const aliases = childrenOf(entry, 'akaList')
    .flatMap((list) => childrenOf(list, 'aka'))
    .map((aka) => ({ text: nameOf(aka), weak: textIn(aka, 'category') === 'weak' }));
  return withOriginals([{ text: nameOf(entry), weak: false }, ...aliases]);
};

/** The last part of a place is its country: `Culiacan, Sinaloa, Mexico`. */
export const countriesOfPlace = (place: string): readonly string[] => {
  const parts = place.split(', ');
  const found = countriesNamed(parts.at(-1) ?? '');
  return found.length > 0 || parts.length === 1 ? found : countriesNamed(parts.slice(-2).join(', '));
};

const countries = (entry: XmlElement): string[] => {
  const nationalities = [
    ...textsAt(entry, 'nationalityList', 'nationality', 'country'),
    ...textsAt(entry, 'citizenshipList', 'citizenship', 'country'),
    ...textsAt(entry, 'vesselInfo', 'vesselFlag'),
  ].flatMap(countriesNamed);
  const born = textsAt(entry, 'placeOfBirthList', 'placeOfBirthItem', 'placeOfBirth').flatMap(countriesOfPlace);
  return [...new Set([...nationalities, ...born])];
};

/** Gender, too, stands among the numbers of documents. */
const idsOf = (entry: XmlElement): readonly { readonly type: string; readonly text: string }[] =>
  childrenOf(entry, 'idList')
    .flatMap((list) => childrenOf(list, 'id'))
    .map((id) => {
      const [type, number, country] = [textIn(id, 'idType'), textIn(id, 'idNumber'), textIn(id, 'idCountry')];
      return { type, text: `${type} ${number}${country === '' ? '' : ` (${country})`}` };
    });

const identifiers = (entry: XmlElement): Identifier[] => [
  ...idsOf(entry).flatMap(({ text }) => identifierIn(text) ?? []),
  ...textIn(entry, 'remarks')
    .split(/;\s*/)
    .flatMap((remark) => identifierIn(remark.replace(/^\(|\)?\.?$/g, '')) ?? []),
  ...textsAt(entry, 'vesselInfo', 'callSign').map((number): Identifier => ({ type: 'registration', number })),
];

const ADDRESS_PARTS = ['address1', 'address2', 'address3', 'city', 'stateOrProvince', 'postalCode', 'country'];

const addresses = (entry: XmlElement): string[] =>
  childrenOf(entry, 'addressList')
    .flatMap((list) => childrenOf(list, 'address'))
    .map((address) => ADDRESS_PARTS.map((part) => textIn(address, part)).filter((part) => part !== ''))
    .flatMap((parts) => (parts.length === 0 ? [] : [parts.join(', ')]));

const entryOf = (entry: XmlElement): ListEntry | undefined => {
  const found = names(entry);
  const id = textIn(entry, 'uid');
  if (found.length === 0 || id === '') return undefined;
  const born = readDates(textsAt(entry, 'dateOfBirthList', 'dateOfBirthItem', 'dateOfBirth'));
  return {
    id,
    type: ofacType(textIn(entry, 'sdnType')),
    names: found,
    birthDates: born.dates,
    unreadDates: born.unread,
    countries: countries(entry),
    genders: idsOf(entry).flatMap(({ type, text }) => (type === 'Gender' ? ofacGender(text.slice(type.length)) : [])),
    identifiers: identifiers(entry),
    addresses: addresses(entry),
    programs: [...new Set(textsAt(entry, 'programList', 'program'))],
    listedOn: null,
  };
};

/** `01/08/2026` is the eighth of January. */
const publishedOn = (text: string): string | null => {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  return year === undefined || month === undefined || day === undefined ? null : `${year}-${month}-${day}`;
};

export const readOfacXml = async (file: SourceFile): Promise<ReadList> => {
  const entries: ListEntry[] = [];
  let published: string | null = null;
  let announced: number | undefined;
  await readXml(file, {
    root: 'sdnList',
    // The misspelling is the publisher's.
    records: new Set(['sdnEntry', 'publshInformation']),
    onRecord: (element) => {
      if (element.name === 'publshInformation') {
        published = publishedOn(textIn(element, 'Publish_Date'));
        announced = Number(textIn(element, 'Record_Count'));
        return;
      }
      const entry = entryOf(element);
      if (entry !== undefined) entries.push(entry);
    },
  });
  if (announced !== entries.length) {
    throw new NotAList(`${file.name} announces ${announced ?? 'no number of'} entries, but has ${entries.length}`);
  }
  return { entries, publishedOn: published };
};
