import { type BirthDate, type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { type EntryType, type Identifier } from '../../domain/screening-list.js';
import { countriesNamed } from '../../matching/countries.js';
import { birthDay, circa, isoDay, type ReadDates, readDates, together } from './dates.js';
import { identifierIn } from './identifiers.js';
import { withOriginals } from './names.js';
import { countriesOfPlace, ofacGender, ofacType } from './ofac-xml.js';
import { type ReadList } from './list-content.js';
import { type SourceFile } from './source.js';
import { childrenOf, readXml, textIn, textsAt, type XmlElement } from './xml.js';

/** Tables that give a number its meaning: the numbers themselves have changed over time. */
const TABLES = [
  'Country',
  'AreaCode',
  'DetailReference',
  'FeatureType',
  'IDRegDocType',
  'LocPartType',
  'PartySubType',
  'PartyType',
  'SanctionsType',
] as const;

const twoDigits = (text: string): string => text.padStart(2, '0');

const dayOf = (date: XmlElement | undefined): string => {
  const [year, month, day] = ['Year', 'Month', 'Day'].map((part) => (date === undefined ? '' : textIn(date, part)));
  return `${year ?? ''}-${twoDigits(month ?? '')}-${twoDigits(day ?? '')}`;
};

const child = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element === undefined ? undefined : childrenOf(element, name)[0];

/** A period says its first day four times over; the earliest and the latest count. */
const periodOf = (period: XmlElement): ReadDates => {
  const [start, end] = [child(period, 'Start'), child(period, 'End')];
  const first = birthDay(dayOf(child(start, 'From')));
  const last = birthDay(dayOf(child(end, 'To'))) ?? birthDay(dayOf(child(start, 'To'))) ?? first;
  if (first === undefined || last === undefined) return { dates: [], unread: [dayOf(child(start, 'From'))] };
  const year = first.from.slice(0, 4);
  const isYear = first.from.endsWith('-01-01') && last.to === `${year}-12-31`;
  const text = first.from === last.to ? first.text : isYear ? year : `${first.text} to ${last.text}`;
  const date: BirthDate = { text, from: first.from, to: last.to };
  const isAbout = [start, end].some((side) => side?.attributes['Approximate'] === 'true');
  return { dates: [isAbout ? circa(date) : date], unread: [] };
};

class Advanced {
  private readonly tables = new Map<string, ReadonlyMap<string, XmlElement> & Map<string, XmlElement>>();
  private readonly locations = new Map<string, XmlElement>();
  private readonly documents = new Map<string, XmlElement[]>();
  private readonly parties: XmlElement[] = [];
  private readonly sanctions = new Map<string, XmlElement[]>();
  publishedOn: string | null = null;

  add(element: XmlElement): void {
    const { name, attributes } = element;
    const id = attributes['ID'] ?? '';
    if (name === 'DateOfIssue') this.publishedOn = isoDay(dayOf(element)) ?? null;
    else if (name === 'Location') this.locations.set(id, element);
    else if (name === 'IDRegDocument') push(this.documents, attributes['IdentityID'] ?? '', element);
    else if (name === 'DistinctParty') this.parties.push(element);
    else if (name === 'SanctionsEntry') push(this.sanctions, attributes['ProfileID'] ?? '', element);
    else {
      const table = this.tables.get(name) ?? new Map<string, XmlElement>();
      table.set(id, element);
      this.tables.set(name, table);
    }
  }

  entries(): ListEntry[] {
    return this.parties.flatMap((party) =>
      childrenOf(party, 'Profile').flatMap((profile) => this.entry(party, profile)),
    );
  }

  private text(table: (typeof TABLES)[number], id: string | undefined): string {
    return (
      this.tables
        .get(table)
        ?.get(id ?? '')
        ?.text.trim() ?? ''
    );
  }

  private entry(party: XmlElement, profile: XmlElement): ListEntry[] {
    const names = this.names(profile);
    if (names.length === 0) return [];
    const features = [...childrenOf(profile, 'Feature'), ...childrenOf(party, 'Feature')];
    const of = (pattern: RegExp): XmlElement[] =>
      features
        .filter(({ attributes }) => pattern.test(this.text('FeatureType', attributes['FeatureTypeID'])))
        .flatMap((feature) => childrenOf(feature, 'FeatureVersion'));
    const born = of(/^birth ?date$/i);
    const { dates, unread } = together(
      ...born.flatMap((version) => childrenOf(version, 'DatePeriod')).map(periodOf),
      readDates(born.filter((version) => childrenOf(version, 'DatePeriod').length === 0).flatMap(detailTexts)),
    );
    const entries = this.sanctions.get(profile.attributes['ID'] ?? '') ?? [];
    return [
      {
        id: party.attributes['FixedRef'] ?? profile.attributes['ID'] ?? '',
        type: this.type(profile),
        names,
        birthDates: dates,
        unreadDates: unread,
        countries: this.countries(of),
        genders: of(/^gender$/i).flatMap((version) => this.details(version).flatMap(ofacGender)),
        identifiers: this.identifiers(profile, features),
        addresses: of(/^location$/i).flatMap((version) => this.places(version)),
        programs: [...new Set(entries.flatMap((entry) => this.programs(entry)))],
        listedOn:
          entries
            .map(listedOn)
            .filter((day) => day !== undefined)
            .sort()[0] ?? null,
      },
    ];
  }

  private type({ attributes }: XmlElement): EntryType {
    const subType = this.tables.get('PartySubType')?.get(attributes['PartySubTypeID'] ?? '');
    const kind = subType?.text.trim() ?? '';
    return /^(vessel|aircraft)$/i.test(kind)
      ? ofacType(kind)
      : ofacType(this.text('PartyType', subType?.attributes['PartyTypeID']));
  }

  /** An alias has one documented name for each script. The given name stands behind the surname. */
  private names(profile: XmlElement): ListedName[] {
    const isPerson = this.type(profile) === 'individual';
    const aliases = childrenOf(profile, 'Identity').flatMap((identity) => childrenOf(identity, 'Alias'));
    const primaryFirst = aliases.sort((a, b) => Number(isPrimary(b)) - Number(isPrimary(a)));
    return withOriginals(
      primaryFirst.flatMap((alias) =>
        childrenOf(alias, 'DocumentedName').map((documented) => {
          const [first = '', ...rest] = textsAt(documented, 'DocumentedNamePart', 'NamePartValue');
          const text = isPerson ? [...rest, first] : [first, ...rest];
          return { text: text.join(' '), weak: alias.attributes['LowQuality'] === 'true' };
        }),
      ),
    );
  }

  private details(version: XmlElement): string[] {
    const looked = childrenOf(version, 'VersionDetail').map(({ attributes }) =>
      this.text('DetailReference', attributes['DetailReferenceID']),
    );
    return [...looked, ...detailTexts(version)].filter((text) => text !== '');
  }

  private places(version: XmlElement): string[] {
    return childrenOf(version, 'VersionLocation').flatMap(({ attributes }) => {
      const location = this.locations.get(attributes['LocationID'] ?? '');
      if (location === undefined) return [];
      const parts = textsAt(location, 'LocationPart', 'LocationPartValue', 'Value');
      const countries = childrenOf(location, 'LocationCountry').map((country) =>
        this.text('Country', country.attributes['CountryID']),
      );
      const place = [...parts, ...countries].filter((part) => part !== '').join(', ');
      return place === '' ? [] : [place];
    });
  }

  private countries(of: (pattern: RegExp) => XmlElement[]): string[] {
    const nationalities = of(/^(nationality|citizenship)|flag$/i).flatMap((version) => [
      ...this.places(version),
      ...this.details(version),
    ]);
    const born = of(/^place of birth$/i).flatMap((version) => [...this.places(version), ...this.details(version)]);
    return [...new Set([...nationalities.flatMap(countriesNamed), ...born.flatMap(countriesOfPlace)])];
  }

  private identifiers(profile: XmlElement, features: readonly XmlElement[]): Identifier[] {
    const documents = childrenOf(profile, 'Identity').flatMap(
      ({ attributes }) => this.documents.get(attributes['ID'] ?? '') ?? [],
    );
    const numbered = documents.flatMap((document) => {
      const country = this.text('Country', document.attributes['IssuedBy-CountryID']);
      const type = this.text('IDRegDocType', document.attributes['IDRegDocTypeID']);
      const number = textIn(document, 'IDRegistrationNo');
      return identifierIn(`${type} ${number}${country === '' ? '' : ` (${country})`}`) ?? [];
    });
    const featured = features.flatMap((feature) => {
      const type = this.text('FeatureType', feature.attributes['FeatureTypeID']);
      const texts = childrenOf(feature, 'FeatureVersion').flatMap(detailTexts);
      return texts.flatMap((text) => identifierIn(`${type} ${text}`) ?? []);
    });
    return [...numbered, ...featured];
  }

  private programs(entry: XmlElement): string[] {
    return childrenOf(entry, 'SanctionsMeasure').flatMap((measure) =>
      this.text('SanctionsType', measure.attributes['SanctionsTypeID']) === 'Program'
        ? textsAt(measure, 'Comment')
        : [],
    );
  }
}

const push = <Item>(groups: Map<string, Item[]>, key: string, item: Item): void => {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
};

const isPrimary = ({ attributes }: XmlElement): boolean => attributes['Primary'] === 'true';

const detailTexts = (version: XmlElement): string[] => textsAt(version, 'VersionDetail');

const listedOn = (entry: XmlElement): string | undefined => isoDay(dayOf(child(child(entry, 'EntryEvent'), 'Date')));

/** sdn_advanced.xml, whose tables stand before the parties, and their programs behind them. It has the names in their own scripts. */
export const readOfacAdvanced = async (file: SourceFile): Promise<ReadList> => {
  const advanced = new Advanced();
  await readXml(file, {
    root: 'Sanctions',
    records: new Set([...TABLES, 'DateOfIssue', 'Location', 'IDRegDocument', 'DistinctParty', 'SanctionsEntry']),
    onRecord: (element) => advanced.add(element),
  });
  return { entries: advanced.entries(), publishedOn: advanced.publishedOn };
};
