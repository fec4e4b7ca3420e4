import { type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { type Gender, type Identifier, type IdentifierType } from '../../domain/screening-list.js';
import { countriesNamed } from '../../matching/countries.js';
import { between, birthDateOf, birthDay, circa, type ReadDates, together } from './dates.js';
import { identifierIn, identifierOf, numbersIn } from './identifiers.js';
import { islamicDates } from './islamic-dates.js';
import { withOriginals } from './names.js';
import { type ReadList } from './list-content.js';
import { NotAList, type SourceFile } from './source.js';
import { childrenOf, readXml, type XmlElement } from './xml.js';

/** Attributes and elements that say nothing of the person. */
export const IGNORED_OF_EU = [
  'globalFileId',
  'designationDate',
  'designationDetails',
  'unitedNationId',
  'regulationLanguage',
  'regulationSummary',
  'regulationType',
  'organisationType',
  'entryIntoForceDate',
  'numberTitle',
  'publicationUrl',
  'classificationCode',
  'title',
  'function',
  'nameLanguage',
  'countryDescription',
  'identificationTypeDescription',
  'region',
  'diplomatic',
  'knownExpired',
  'knownFalse',
  'reportedLost',
  'revokedByIssuer',
  'issuedBy',
  'issueDate',
  'validFrom',
  'validTo',
  'asAtListingTime',
  'contactInfo',
  'logicalId',
] as const;

type Attributes = Readonly<Record<string, string>>;

const padded = (text: string | undefined): string => (text ?? '').padStart(2, '0');

const whole = (text: string | undefined): number | undefined =>
  text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);

const datesOf = (attributes: Attributes): ReadDates => {
  const { birthdate = '', year = '', yearRangeFrom = '', yearRangeTo = '', calendarType = 'GREGORIAN' } = attributes;
  const month = attributes['monthOfYear'] ?? attributes['month'];
  const day = attributes['dayOfMonth'] ?? attributes['day'];
  if (calendarType === 'ISLAMIC' && whole(year) !== undefined) {
    return { dates: islamicDates(Number(year), whole(month), whole(day)), unread: [] };
  }
  const sourceText = [birthdate, year, month, day, yearRangeFrom, yearRangeTo]
    .filter((text) => (text ?? '') !== '')
    .join(' ');
  if (calendarType !== 'GREGORIAN' && calendarType !== '')
    return { dates: [], unread: [`${sourceText} (${calendarType})`] };
  const [from, to] = [birthDateOf(yearRangeFrom), birthDateOf(yearRangeTo)];
  const date =
    birthDay(birthdate) ??
    birthDay(`${year}-${padded(month)}-${padded(day)}`) ??
    birthDateOf(`${year}-${padded(month)}`) ??
    birthDateOf(year) ??
    (from && to ? between(from, to) : yearRangeFrom === '' || yearRangeTo === '' ? (from ?? to) : undefined);
  if (date === undefined) return { dates: [], unread: sourceText === '' ? [] : [sourceText] };
  return { dates: [attributes['circa'] === 'true' ? circa(date) : date], unread: [] };
};

const wholeName = ({ wholeName: name = '', firstName = '', middleName = '', lastName = '' }: Attributes): string =>
  name.trim() === '' ? [firstName, middleName, lastName].join(' ').replace(/\s+/g, ' ').trim() : name.trim();

const countries = (entity: XmlElement): string[] => {
  const codes = [...childrenOf(entity, 'citizenship'), ...childrenOf(entity, 'birthdate')].flatMap(({ attributes }) =>
    countriesNamed(attributes['countryIso2Code'] ?? ''),
  );
  return [...new Set(codes)];
};

const GENDERS: Readonly<Record<string, Gender>> = { M: 'male', F: 'female' };

const genders = (entity: XmlElement): Gender[] => [
  ...new Set(childrenOf(entity, 'nameAlias').flatMap(({ attributes }) => GENDERS[attributes['gender'] ?? ''] ?? [])),
];

const TYPES: Readonly<Record<string, IdentifierType>> = {
  passport: 'passport',
  travelcardid: 'passport',
  id: 'national_id',
  birthcert: 'national_id',
  nationcert: 'national_id',
  ssn: 'national_id',
  residentperm: 'national_id',
  electionid: 'national_id',
  drivinglicence: 'national_id',
  fiscalcode: 'tax_id',
  taxid: 'tax_id',
  euvat: 'tax_id',
  imo: 'imo',
  swiftbic: 'bic',
  regnumber: 'registration',
  unssn: 'registration',
  tradelic: 'registration',
};

const identifiers = (entity: XmlElement): Identifier[] => {
  const numbered = childrenOf(entity, 'identification').flatMap(({ attributes }) => {
    const { number = '', latinNumber = '', identificationTypeCode: code = '', countryIso2Code = '' } = attributes;
    const fallback =
      childrenOf(entity, 'subjectType')[0]?.attributes['code'] === 'person' ? 'national_id' : 'registration';
    return [number, latinNumber]
      .flatMap(numbersIn)
      .flatMap((each) => identifierOf(TYPES[code] ?? fallback, each.number, countryIso2Code || each.country));
  });
  const remarks = entity.children
    .flatMap((child) => [child, ...child.children])
    .filter(({ name }) => name === 'remark');
  return [
    ...numbered,
    ...remarks.flatMap(({ text }) => text.split(/;|\n/).flatMap((part) => identifierIn(part) ?? [])),
  ];
};

const ADDRESS_PARTS = ['street', 'poBox', 'place', 'city', 'zipCode', 'countryIso2Code'];

const addresses = (entity: XmlElement): string[] =>
  childrenOf(entity, 'address').flatMap(({ attributes }) => {
    const parts = ADDRESS_PARTS.map((part) => attributes[part] ?? '').filter((part) => part !== '');
    return parts.length === 0 ? [] : [parts.join(', ')];
  });

const names = (entity: XmlElement): ListedName[] => {
  const aliases = childrenOf(entity, 'nameAlias').map(({ attributes }) => {
    return { text: wholeName(attributes), weak: attributes['strong'] === 'false' };
  });
  const onDocuments = childrenOf(entity, 'identification').map(({ attributes }) => {
    return { text: attributes['nameOnDocument'] ?? '', weak: false };
  });
  return withOriginals([...aliases, ...onDocuments]);
};

const entryOf = (entity: XmlElement): ListEntry | undefined => {
  const found = names(entity);
  const { euReferenceNumber = '', logicalId = '' } = entity.attributes;
  const id = euReferenceNumber === '' ? logicalId : euReferenceNumber;
  if (found.length === 0 || id === '') return undefined;
  const regulations = childrenOf(entity, 'regulation').map(({ attributes }) => attributes);
  const [type] = childrenOf(entity, 'subjectType');
  const { dates, unread } = together(...childrenOf(entity, 'birthdate').map(({ attributes }) => datesOf(attributes)));
  return {
    id,
    type: type?.attributes['code'] === 'person' ? 'individual' : 'entity',
    names: found,
    birthDates: dates,
    unreadDates: unread,
    countries: countries(entity),
    genders: genders(entity),
    identifiers: identifiers(entity),
    addresses: addresses(entity),
    programs: [...new Set(regulations.flatMap(({ programme }) => programme ?? []))],
    listedOn: regulations.flatMap(({ publicationDate }) => publicationDate ?? []).sort()[0] ?? null,
  };
};

/** The consolidated list, schema 1.1: nearly everything stands in attributes. */
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
