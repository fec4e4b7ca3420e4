import { type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { countriesNamed } from '../../matching/countries.js';
import { circa, isoDay, readDates, together } from './dates.js';
import { identifierIn } from './identifiers.js';
import { withOriginals } from './names.js';
import { countriesOfPlace, ofacGender, ofacType } from './ofac-xml.js';
import { type ReadList } from './list-content.js';
import { NotAList, type SourceFile } from './source.js';
import { childrenOf, readXml, textIn, textsAt, type XmlElement } from './xml.js';

/** An entity of a delta: new, changed in some of its parts, or taken off the list. */
type Action = 'add' | 'remove' | 'change';

const ACTIONS: Readonly<Record<string, Action>> = {
  add: 'add',
  remove: 'remove',
  change: 'change',
  update: 'change',
  modify: 'change',
  '': 'change',
};

const actionOf = ({ attributes }: XmlElement, file: string): Action => {
  const action = ACTIONS[attributes['action'] ?? ''];
  if (action === undefined)
    throw new NotAList(`${file} has an entity with the unknown action ${attributes['action'] ?? ''}`);
  return action;
};

const isRemoved = ({ attributes }: XmlElement): boolean => attributes['action'] === 'remove';

const allPartsIn = (entity: XmlElement, list: string, item: string): XmlElement[] =>
  childrenOf(entity, list).flatMap((parts) => childrenOf(parts, item));

const partsIn = (entity: XmlElement, list: string, item: string): XmlElement[] =>
  allPartsIn(entity, list, item).filter((part) => !isRemoved(part));

/** `LAST, First`. */
const turned = (name: string): string => name.replace(/^(.+?), (.+)$/, '$2 $1');

const namesOf = (names: readonly XmlElement[], isPerson: boolean): ListedName[] =>
  withOriginals(
    [...names]
      .sort((a, b) => Number(textIn(b, 'isPrimary') === 'true') - Number(textIn(a, 'isPrimary') === 'true'))
      .flatMap((name) =>
        textsAt(name, 'translations', 'translation', 'formattedFullName').map((text) => ({
          text: isPerson ? turned(text) : text,
          weak: textIn(name, 'isLowQuality') === 'true',
        })),
      ),
  );

const featuresOf = (entity: XmlElement, pattern: RegExp): XmlElement[] =>
  partsIn(entity, 'features', 'feature').filter(
    (feature) => !isRemoved(feature) && pattern.test(textIn(feature, 'type')),
  );

const valuesOf = (entity: XmlElement, pattern: RegExp): string[] =>
  featuresOf(entity, pattern).map((feature) => textIn(feature, 'value'));

const bornOf = (entity: XmlElement) =>
  together(
    ...featuresOf(entity, /^birth ?date$/i).map((feature) => {
      const [period] = childrenOf(feature, 'valueDate');
      const text = textIn(feature, 'value');
      const read = readDates([text]);
      if (read.dates.length > 0 || period === undefined) return read;
      const [from, to] = [textIn(period, 'fromDateBegin'), textIn(period, 'toDateEnd')];
      if (isoDay(from) === undefined) return read;
      const date = { text, from, to: isoDay(to) ?? from };
      return { dates: [textIn(period, 'isApproximate') === 'true' ? circa(date) : date], unread: [] };
    }),
  );

const addressesOf = (entity: XmlElement): string[] =>
  partsIn(entity, 'addresses', 'address').flatMap((address) => {
    const parts = textsAt(address, 'translations', 'translation', 'addressParts', 'addressPart', 'value');
    const place = [...parts, textIn(address, 'country')].filter((part) => part !== '').join(', ');
    return place === '' ? [] : [place];
  });

const documentsOf = (entity: XmlElement): string[] =>
  partsIn(entity, 'identityDocuments', 'identityDocument').map((document) => {
    const number = textIn(document, 'documentNumber') || textIn(document, 'number');
    const country = textIn(document, 'issuingCountry');
    return `${textIn(document, 'type')} ${number}${country === '' ? '' : ` (${country})`}`;
  });

const entryOf = (entity: XmlElement): ListEntry => {
  const type = ofacType(textsAt(entity, 'generalInfo', 'entityType')[0] ?? '');
  const born = bornOf(entity);
  const featured = partsIn(entity, 'features', 'feature').map(
    (feature) => `${textIn(feature, 'type')} ${textIn(feature, 'value')}`,
  );
  const countries = [
    ...valuesOf(entity, /^(nationality|citizenship)|flag$/i).flatMap(countriesNamed),
    ...valuesOf(entity, /^place of birth$/i).flatMap(countriesOfPlace),
  ];
  return {
    id: entity.attributes['id'] ?? '',
    type,
    names: namesOf(
      partsIn(entity, 'names', 'name').filter((name) => !isRemoved(name)),
      type === 'individual',
    ),
    birthDates: born.dates,
    unreadDates: born.unread,
    countries: [...new Set(countries)],
    genders: valuesOf(entity, /^gender$/i).flatMap(ofacGender),
    identifiers: [...documentsOf(entity), ...featured].flatMap((text) => identifierIn(text) ?? []),
    addresses: addressesOf(entity),
    programs: partsIn(entity, 'sanctionsPrograms', 'sanctionsProgram').map(({ text }) => text.trim()),
    listedOn:
      childrenOf(entity, 'sanctionsLists')
        .flatMap((lists) => childrenOf(lists, 'sanctionsList'))[0]
        ?.attributes['datePublished']?.slice(0, 10) ?? null,
  };
};

const joined = <Item>(known: readonly Item[] | undefined, more: readonly Item[] | undefined): Item[] => {
  const texts = new Set((known ?? []).map((item) => JSON.stringify(item)));
  return [...(known ?? []), ...(more ?? []).filter((item) => !texts.has(JSON.stringify(item)))];
};

/** A change names what is new; what it does not name stays. Only a name that it takes off goes. */
const changed = (known: ListEntry, entity: XmlElement): ListEntry => {
  const more = entryOf(entity);
  const removed = namesOf(allPartsIn(entity, 'names', 'name').filter(isRemoved), known.type === 'individual');
  const gone = new Set(removed.map(({ text }) => text.toLowerCase()));
  const stay = known.names.filter(({ text }) => !gone.has(text.toLowerCase()));
  return {
    ...known,
    names: joined(stay.length === 0 ? known.names : stay, more.names),
    birthDates: joined(known.birthDates, more.birthDates),
    unreadDates: joined(known.unreadDates, more.unreadDates),
    countries: joined(known.countries, more.countries),
    genders: joined(known.genders, more.genders),
    identifiers: joined(known.identifiers, more.identifiers),
    addresses: joined(known.addresses, more.addresses),
    programs: joined(known.programs, more.programs),
  };
};

/** The list after one delta file. A change of an entry that the list does not have is refused: the list is of another day. */
export const withOfacDelta = async (before: ReadList, file: SourceFile): Promise<ReadList> => {
  const entries = new Map(before.entries.map((entry) => [entry.id, entry]));
  let publishedOn = before.publishedOn;
  await readXml(file, {
    root: 'sanctionsData',
    records: new Set(['publicationInfo', 'entity']),
    onRecord: (element) => {
      if (element.name === 'publicationInfo') {
        publishedOn = textIn(element, 'datePublished').slice(0, 10) || publishedOn;
        return;
      }
      const id = element.attributes['id'] ?? '';
      const action = actionOf(element, file.name);
      const known = entries.get(id);
      if (action === 'remove') entries.delete(id);
      else if (action === 'add') entries.set(id, entryOf(element));
      else if (known === undefined)
        throw new NotAList(`${file.name} changes entry ${id}, which the files before it do not have`);
      else entries.set(id, changed(known, element));
    },
  });
  return { entries: [...entries.values()], publishedOn };
};
