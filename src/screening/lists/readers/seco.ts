import { type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { type EntryType, type Gender, type Identifier } from '../../domain/screening-list.js';
import { countriesNamed } from '../../matching/countries.js';
import { birthDateOf, isoDay, type ReadDates, together } from './dates.js';
import { identifierIn, identifierOf, numbersIn } from './identifiers.js';
import { type ReadList } from './list-content.js';
import { withOriginals } from './names.js';
import { NotAList, type SourceFile } from './source.js';
import { childrenOf, readXml, textIn, textsAt, within, type XmlElement } from './xml.js';

/** What one target says, before programs and places are known: they may stand behind it. */
interface Target {
  readonly entry: Omit<ListEntry, 'programs' | 'countries'>;
  readonly countries: readonly string[];
  readonly sets: readonly string[];
  readonly places: readonly string[];
}

/** Spellings of one name that are combined with each other; more would only repeat themselves. */
const MAX_SPELLINGS = 12;

/** Every way to choose one of each, as long as they are few; else those of the same place together. */
const combined = (choices: readonly (readonly string[])[]): string[][] => {
  const ways = choices.reduce((product, { length }) => product * length, 1);
  if (ways > MAX_SPELLINGS) {
    const longest = Math.max(...choices.map(({ length }) => length));
    return Array.from({ length: longest }, (_, at) =>
      choices.flatMap((each) => each[Math.min(at, each.length - 1)] ?? []),
    );
  }
  return choices.reduce<string[][]>((all, each) => all.flatMap((way) => each.map((one) => [...way, one])), [[]]);
};

/** A name in each script that it is spelled in. Titles are left out. */
const spellingsOf = (name: XmlElement): string[] => {
  const parts = childrenOf(name, 'name-part')
    .filter(({ attributes }) => attributes['name-part-type'] !== 'title')
    .sort((a, b) => Number(a.attributes['order'] ?? 0) - Number(b.attributes['order'] ?? 0));
  const scripts = new Set(
    parts.flatMap((part) => childrenOf(part, 'spelling-variant').map(({ attributes }) => attributes['script'] ?? '')),
  );
  const inScript = (script: string): string[][] =>
    combined(
      parts.map((part) => {
        const variants = childrenOf(part, 'spelling-variant')
          .filter(({ attributes }) => (attributes['script'] ?? '') === script)
          .map(({ text }) => text.trim());
        return variants.length > 0 && script !== 'LATN' ? variants : [textIn(part, 'value'), ...variants];
      }),
    );
  const latin = inScript('LATN');
  return [...latin, ...[...scripts].filter((script) => script !== 'LATN').flatMap(inScript)]
    .map((words) => words.filter((word) => word !== '').join(' '))
    .filter((text) => text !== '');
};

const namesOf = (identities: readonly XmlElement[]): ListedName[] => {
  const names = identities.flatMap((identity) => childrenOf(identity, 'name'));
  const isPrimary = ({ attributes }: XmlElement): boolean => attributes['name-type'] === 'primary-name';
  const ordered = [...names.filter(isPrimary), ...names.filter((name) => !isPrimary(name))];
  return withOriginals(
    ordered.flatMap((name) => spellingsOf(name).map((text) => ({ text, weak: name.attributes['quality'] === 'low' }))),
  );
};

const two = (text: string): string => text.padStart(2, '0');

const datesOf = (identity: XmlElement): ReadDates =>
  together(
    ...childrenOf(identity, 'day-month-year').map(({ attributes: { day = '', month = '', year = '' } }) => {
      const parts = [year, ...(month === '' ? [] : [two(month)]), ...(month === '' || day === '' ? [] : [two(day)])];
      const date = birthDateOf(parts.join('-'));
      return date === undefined ? { dates: [], unread: [parts.join('-')] } : { dates: [date], unread: [] };
    }),
  );

const countryOf = (element: XmlElement): string => {
  const [country] = childrenOf(element, 'country');
  return country?.attributes['iso-code'] || country?.text.trim() || '';
};

const documentsOf = (identity: XmlElement): Identifier[] =>
  childrenOf(identity, 'identification-document').flatMap((document) => {
    const [issuer] = childrenOf(document, 'issuer');
    const country = issuer?.attributes['code'] || issuer?.text.trim() || '';
    const type = /passport/.test(document.attributes['document-type'] ?? '') ? 'passport' : 'national_id';
    return numbersIn(textIn(document, 'number')).flatMap(({ number, country: named }) =>
      identifierOf(type, number, named || country),
    );
  });

const REMARKS: readonly (readonly [Identifier['type'], RegExp])[] = [
  ['imo', /^IMO number ?: *(\d{7})/i],
  ['tax_id', /^(?:Taxpayer identification|Tax registration|Tax) number ?: *(\S+?)\.?$/i],
  ['registration', /^(?:ОГРН\/main )?(?:State |Business )?registration number ?: *(\S+?)\.?$/i],
];

const remarked = (text: string): Identifier[] => {
  for (const [type, form] of REMARKS) {
    const [, number] = form.exec(text) ?? [];
    if (number !== undefined) return identifierOf(type, number, '');
  }
  return [identifierIn(text) ?? []].flat();
};

const addressesOf = (identity: XmlElement): string[] =>
  childrenOf(identity, 'address').flatMap((address) => {
    const parts = ['c-o', 'address-details', 'p-o-box', 'zip-code', 'location', 'area', 'country'];
    const text = parts.map((part) => textIn(address, part)).filter((part) => part !== '');
    return text.length === 0 ? [] : [text.join(', ')];
  });

const TYPES: Readonly<Record<string, EntryType>> = { individual: 'individual', entity: 'entity', object: 'vessel' };

const typeOf = ({ name, attributes }: XmlElement): EntryType =>
  attributes['object-type'] === 'aircraft' ? 'aircraft' : (TYPES[name] ?? 'entity');

const gendersOf = ({ attributes: { sex = '' } }: XmlElement): Gender[] =>
  sex === 'male' || sex === 'female' ? [sex] : [];

/** The last day on which the target came onto the list or left it. Amendments say neither. */
const lastDayOf = (target: XmlElement, kind: string): string | undefined =>
  childrenOf(target, 'modification')
    .filter(({ attributes }) => attributes['modification-type'] === kind)
    .map(({ attributes }) => attributes['effective-date'] || attributes['publication-date'] || '')
    .sort()
    .at(-1);

/** One that was listed again since counts. */
const isDelisted = (target: XmlElement): boolean => {
  const delisted = lastDayOf(target, 'de-listed');
  return delisted !== undefined && delisted > (lastDayOf(target, 'listed') ?? '');
};

const targetOf = (target: XmlElement): Target => {
  const node = target.children.find(({ name }) => TYPES[name] !== undefined);
  const id = target.attributes['ssid'] ?? '';
  const identities = node === undefined ? [] : childrenOf(node, 'identity');
  const names = namesOf(identities);
  if (node === undefined || id === '' || names.length === 0)
    throw new NotAList(`The target ${id} has no id, no kind or no name`);
  const { dates, unread } = together(...identities.map(datesOf));
  const births = identities.flatMap((identity) => childrenOf(identity, 'place-of-birth'));
  return {
    entry: {
      id,
      type: typeOf(node),
      names,
      birthDates: node.name === 'individual' ? dates : [],
      unreadDates: unread,
      genders: gendersOf(node),
      identifiers: [...identities.flatMap(documentsOf), ...textsAt(node, 'other-information').flatMap(remarked)],
      addresses: identities.flatMap(addressesOf),
      listedOn: isoDay(lastDayOf(target, 'listed') ?? '') ?? null,
    },
    countries: [
      ...identities.flatMap((identity) => childrenOf(identity, 'nationality').map(countryOf)),
      ...births.map(countryOf),
    ].flatMap(countriesNamed),
    sets: [target.attributes['sanctions-set-id'] ?? '', ...textsAt(target, 'sanctions-set-id')],
    places: births.flatMap(({ attributes }) => attributes['place-id'] ?? []),
  };
};

const programOf = (program: XmlElement): string => {
  const texts = ['program-key', 'program-name'].flatMap((name) => childrenOf(program, name));
  return (texts.find(({ attributes }) => attributes['lang'] === 'eng') ?? texts[0])?.text.trim() ?? '';
};

/** The Swiss list, which keeps what was delisted: that is left out. */
export const readSeco = async (file: SourceFile): Promise<ReadList> => {
  const targets: Target[] = [];
  const programs = new Map<string, string>();
  const places = new Map<string, readonly string[]>();
  let publishedOn: string | undefined;
  await readXml(file, {
    root: 'swiss-sanctions-list',
    records: new Set(['sanctions-program', 'place', 'target']),
    onRoot: ({ date = '' }) => {
      publishedOn = isoDay(date.slice(0, 10));
    },
    onRecord: (element) => {
      if (element.name === 'target') {
        if (!isDelisted(element)) targets.push(targetOf(element));
      } else if (element.name === 'place') {
        places.set(element.attributes['ssid'] ?? '', countriesNamed(countryOf(element)));
      } else {
        for (const set of within(element, 'sanctions-set'))
          programs.set(set.attributes['ssid'] ?? '', programOf(element));
      }
    },
  });
  const entries = targets.map(({ entry, countries, sets, places: born }) => ({
    ...entry,
    countries: [...new Set([...countries, ...born.flatMap((place) => places.get(place) ?? [])])],
    programs: [...new Set(sets.flatMap((set) => programs.get(set) ?? []))],
  }));
  return { entries, publishedOn: publishedOn ?? null };
};
