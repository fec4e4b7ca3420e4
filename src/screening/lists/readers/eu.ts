import { type BirthDate, type ListEntry } from '../../domain/list-entry.js';
import { alpha2Of } from '../../matching/countries.js';
import { between, birthDateOf, birthDay, circa } from './dates.js';
import { type ReadList } from './read-list.js';
import { NotAList, type SourceFile } from './source.js';
import { childrenOf, readXml, type XmlElement } from './xml.js';

type Attributes = Readonly<Record<string, string>>;

const padded = (text: string | undefined): string => (text ?? '').padStart(2, '0');

const dateOf = (attributes: Attributes): BirthDate | undefined => {
  const { birthdate = '', year = '', yearRangeFrom = '', yearRangeTo = '' } = attributes;
  const [from, to] = [birthDateOf(yearRangeFrom), birthDateOf(yearRangeTo)];
  if (from && to) return between(from, to);
  const month = attributes['monthOfYear'] ?? attributes['month'];
  const day = attributes['dayOfMonth'] ?? attributes['day'];
  return birthDay(birthdate) ?? birthDay(`${year}-${padded(month)}-${padded(day)}`) ?? birthDateOf(year);
};

const birthDates = (entity: XmlElement): BirthDate[] =>
  childrenOf(entity, 'birthdate').flatMap(({ attributes }) => {
    const date = dateOf(attributes);
    if (date === undefined) return [];
    return [attributes['circa'] === 'true' ? circa(date) : date];
  });

const wholeName = ({ wholeName = '', firstName = '', middleName = '', lastName = '' }: Attributes): string =>
  wholeName.trim() === '' ? [firstName, middleName, lastName].join(' ').replace(/\s+/g, ' ').trim() : wholeName.trim();

const countries = (entity: XmlElement): string[] => {
  const codes = [...childrenOf(entity, 'citizenship'), ...childrenOf(entity, 'birthdate')].flatMap(
    ({ attributes }) => alpha2Of(attributes['countryIso2Code'] ?? '') ?? [],
  );
  return [...new Set(codes)];
};

const entryOf = (entity: XmlElement): ListEntry | undefined => {
  const names = childrenOf(entity, 'nameAlias').flatMap(({ attributes }) => {
    const text = wholeName(attributes);
    return text === '' ? [] : [{ text, weak: attributes['strong'] === 'false' }];
  });
  const { euReferenceNumber = '', logicalId = '' } = entity.attributes;
  const id = euReferenceNumber === '' ? logicalId : euReferenceNumber;
  if (names.length === 0 || id === '') return undefined;
  const regulations = childrenOf(entity, 'regulation').map(({ attributes }) => attributes);
  const [type] = childrenOf(entity, 'subjectType');
  return {
    id,
    type: type?.attributes['code'] === 'person' ? 'individual' : 'entity',
    names,
    birthDates: birthDates(entity),
    countries: countries(entity),
    programs: [...new Set(regulations.flatMap(({ programme }) => programme ?? []))],
    listedOn: regulations.flatMap(({ publicationDate }) => publicationDate ?? []).sort()[0] ?? null,
  };
};

/** The consolidated list, schema 1.1: everything stands in attributes. */
export const readEu = async (file: SourceFile): Promise<ReadList> => {
  const entries: ListEntry[] = [];
  let publishedOn = '';
  let entities = 0;
  await readXml(file, {
    root: 'export',
    records: new Set(['sanctionEntity']),
    onRoot: ({ generationDate = '' }) => {
      publishedOn = generationDate.slice(0, 10);
    },
    onRecord: (element) => {
      entities += 1;
      const entry = entryOf(element);
      if (entry !== undefined) entries.push(entry);
    },
  });
  if (entries.length < entities)
    throw new NotAList(`${entities - entries.length} entities of ${file.name} lack a name`);
  return { entries, publishedOn: publishedOn === '' ? null : publishedOn };
};
