import { type BirthDate, type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { alpha2Of } from '../../matching/countries.js';
import { between, birthDateOf, birthDay, circa, isoDay } from './dates.js';
import { type ReadList } from './read-list.js';
import { type SourceFile } from './source.js';
import { childrenOf, readXml, textIn, textsAt, type XmlElement } from './xml.js';

const NAME_PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];

const strong = (text: string): ListedName => ({ text, weak: false });

const names = (element: XmlElement): ListedName[] => {
  const primary = NAME_PARTS.map((part) => textIn(element, part))
    .filter((part) => part !== '')
    .join(' ');
  const aliases = [...childrenOf(element, 'INDIVIDUAL_ALIAS'), ...childrenOf(element, 'ENTITY_ALIAS')].flatMap(
    (alias) =>
      // A cell may hold several names.
      textIn(alias, 'ALIAS_NAME')
        .split(/;|\n/)
        .map((text) => ({ text: text.trim(), weak: textIn(alias, 'QUALITY') === 'Low' })),
  );
  const original = textsAt(element, 'NAME_ORIGINAL_SCRIPT').map(strong);
  return [strong(primary), ...original, ...aliases].filter(({ text }) => text !== '');
};

const dateOf = (element: XmlElement): BirthDate | undefined => {
  const kind = textIn(element, 'TYPE_OF_DATE');
  const [from, to] = [birthDateOf(textIn(element, 'FROM_YEAR')), birthDateOf(textIn(element, 'TO_YEAR'))];
  if (kind === 'BETWEEN' && from && to) return between(from, to);
  const date = birthDay(textIn(element, 'DATE').slice(0, 10)) ?? birthDateOf(textIn(element, 'YEAR'));
  return date && kind === 'APPROXIMATELY' ? circa(date) : date;
};

const birthDates = (element: XmlElement): BirthDate[] =>
  childrenOf(element, 'INDIVIDUAL_DATE_OF_BIRTH').flatMap((date) => dateOf(date) ?? []);

const countries = (element: XmlElement): string[] => {
  const said = [
    ...textsAt(element, 'NATIONALITY', 'VALUE'),
    ...textsAt(element, 'INDIVIDUAL_PLACE_OF_BIRTH', 'COUNTRY'),
  ];
  return [...new Set(said.flatMap((name) => alpha2Of(name) ?? []))];
};

const entryOf = (element: XmlElement): ListEntry | undefined => {
  const found = names(element);
  const id = textIn(element, 'REFERENCE_NUMBER') || textIn(element, 'DATAID');
  if (found.length === 0 || id === '') return undefined;
  return {
    id,
    type: element.name === 'INDIVIDUAL' ? 'individual' : 'entity',
    names: found,
    birthDates: birthDates(element),
    countries: countries(element),
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
