import { type BirthDate, type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { type EntryType } from '../../domain/screening-list.js';
import { alpha2Of } from '../../matching/countries.js';
import { birthDateOf } from './dates.js';
import { type ReadList } from './read-list.js';
import { NotAList, type SourceFile } from './source.js';
import { childrenOf, readXml, textIn, textsAt, type XmlElement } from './xml.js';

const TYPES: Readonly<Record<string, EntryType>> = {
  individual: 'individual',
  vessel: 'vessel',
  aircraft: 'aircraft',
};

export const ofacType = (text: string): EntryType => TYPES[text.toLowerCase()] ?? 'entity';

const nameOf = (element: XmlElement): string =>
  [textIn(element, 'firstName'), textIn(element, 'lastName')].filter((part) => part !== '').join(' ');

const names = (entry: XmlElement): ListedName[] => {
  const aliases = childrenOf(entry, 'akaList')
    .flatMap((list) => childrenOf(list, 'aka'))
    .map((aka) => ({ text: nameOf(aka), weak: textIn(aka, 'category') === 'weak' }));
  return [{ text: nameOf(entry), weak: false }, ...aliases].filter(({ text }) => text !== '');
};

const birthDates = (entry: XmlElement): BirthDate[] =>
  textsAt(entry, 'dateOfBirthList', 'dateOfBirthItem', 'dateOfBirth').flatMap((text) => birthDateOf(text) ?? []);

/** The last part of a place is its country: `Culiacan, Sinaloa, Mexico`. */
export const countryOfPlace = (place: string): string | undefined => {
  const parts = place.split(', ');
  return alpha2Of(parts.at(-1) ?? '') ?? (parts.length > 1 ? alpha2Of(parts.slice(-2).join(', ')) : undefined);
};

const countries = (entry: XmlElement): string[] => {
  const said = [
    ...textsAt(entry, 'nationalityList', 'nationality', 'country'),
    ...textsAt(entry, 'citizenshipList', 'citizenship', 'country'),
  ].map((name) => alpha2Of(name));
  const born = textsAt(entry, 'placeOfBirthList', 'placeOfBirthItem', 'placeOfBirth').map(countryOfPlace);
  return [...new Set([...said, ...born].flatMap((code) => code ?? []))];
};

const entryOf = (entry: XmlElement): ListEntry | undefined => {
  const found = names(entry);
  const id = textIn(entry, 'uid');
  if (found.length === 0 || id === '') return undefined;
  return {
    id,
    type: ofacType(textIn(entry, 'sdnType')),
    names: found,
    birthDates: birthDates(entry),
    countries: countries(entry),
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
