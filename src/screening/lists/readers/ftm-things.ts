import { type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { type EntryType, type Gender, type Identifier, type IdentifierType } from '../../domain/screening-list.js';
import { countriesNamed } from '../../matching/countries.js';
import { isoDay, readDates } from './dates.js';
import { type FtmEntity } from './ftm-entity.js';
import { identifierOf, numbersIn } from './identifiers.js';

/** The schemas whose entities may be listed. A wallet without a known holder is listed under its address. */
const TYPES: Readonly<Record<string, EntryType>> = {
  Person: 'individual',
  LegalEntity: 'entity',
  Organization: 'entity',
  Company: 'entity',
  PublicBody: 'entity',
  CryptoWallet: 'entity',
  Vessel: 'vessel',
  Airplane: 'aircraft',
};

const IDENTIFIERS: readonly (readonly [string, IdentifierType])[] = [
  ['passportNumber', 'passport'],
  ['socialSecurityNumber', 'national_id'],
  ['taxNumber', 'tax_id'],
  ['innCode', 'tax_id'],
  ['vatCode', 'tax_id'],
  ['registrationNumber', 'registration'],
  ['ogrnCode', 'registration'],
  ['uscCode', 'registration'],
  ['dunsCode', 'registration'],
  ['callSign', 'registration'],
  ['leiCode', 'lei'],
  ['swiftBic', 'bic'],
  ['imoNumber', 'imo'],
  ['mmsi', 'mmsi'],
  ['publicKey', 'crypto_address'],
];

const COUNTRIES = ['nationality', 'citizenship', 'country', 'birthCountry', 'jurisdiction', 'mainCountry'];

/** Of an asset, from which it is as its owner: the 50 percent rule of OFAC, EU and UK. */
const MAJORITY = 50;

/** What links add to an entity. They may stand before it. */
interface Linked {
  readonly identifiers: Identifier[];
  readonly programs: Set<string>;
  readonly listedOn: string[];
}

/** An owner, and its share in per cent. */
type Share = readonly [owner: string, share: number];

const isGender = (text: string): text is Gender => text === 'female' || text === 'male';

const identifiersOf = ({ schema, texts }: FtmEntity): Identifier[] => {
  const ofNumber = (type: IdentifierType, text: string): Identifier[] =>
    numbersIn(text).flatMap(({ number, country }) => identifierOf(type, number, country));
  return [
    ...IDENTIFIERS.flatMap(([name, type]) => texts(name).flatMap((text) => ofNumber(type, text))),
    ...texts('idNumber').flatMap((text) => ofNumber(schema === 'Person' ? 'national_id' : 'registration', text)),
  ];
};

const namesOf = ({ schema, texts }: FtmEntity): ListedName[] => {
  const names = [
    ...['name', 'alias', 'previousName'].flatMap(texts).map((text) => ({ text, weak: false })),
    ...texts('weakAlias').map((text) => ({ text, weak: true })),
  ].filter(({ text }) => text.trim() !== '');
  const unnamed = schema === 'CryptoWallet' && names.length === 0;
  const all = unnamed ? texts('publicKey').map((text) => ({ text, weak: false })) : names;
  return all.filter(({ text }, at) => all.findIndex((other) => other.text === text) === at);
};

/** People and things of a file of FollowTheMoney, with what its links say of them. */
export class FtmThings {
  private readonly things = new Map<string, FtmEntity>();
  private readonly links = new Map<string, Linked>();
  private readonly addresses = new Map<string, string>();
  /** By what is owned. Of several statements about one owner the highest counts. */
  private readonly owners = new Map<string, Map<string, number>>();

  add(entity: FtmEntity): void {
    const { id, schema, texts, first } = entity;
    if (TYPES[schema] !== undefined) this.things.set(id, entity);
    if (schema === 'Address') this.addresses.set(id, first('full'));
    if (schema === 'Sanction') this.addSanction(entity);
    if (schema === 'Passport' || schema === 'Identification') this.addDocument(entity);
    if (schema === 'Ownership') this.addOwner(first('asset'), first('owner'), Number.parseFloat(first('percentage')));
    if (schema === 'CryptoWallet') {
      for (const holder of texts('holder')) this.linkedTo(holder).identifiers.push(...identifiersOf(entity));
    }
  }

  /** What is listed, and what belongs to it by half or more. */
  entries(): ListEntry[] {
    const isMarked = [...this.things.values()].some(({ isTarget }) => isTarget === true);
    const isListed = ({ isTarget, schema, texts }: FtmEntity): boolean => {
      if (schema === 'CryptoWallet' && texts('holder').some((holder) => this.things.has(holder))) return false;
      return !isMarked || isTarget === true || texts('topics').some((topic) => topic.startsWith('sanction'));
    };
    const listed = new Set([...this.things.values()].filter(isListed).map(({ id }) => id));
    for (const [asset, owners] of this.ownedBy(listed)) {
      const shares = owners.map(([owner, share]) => `${this.things.get(owner)?.first('name') ?? owner} (${share} %)`);
      this.linkedTo(asset).programs.add(`Owned by ${shares.join(', ')}`);
    }
    return [...listed].flatMap((id) => this.entryOf(id) ?? []);
  }

  /** What is known beside names, dates and countries. */
  detailsOf(id: string): Pick<ListEntry, 'genders' | 'identifiers' | 'addresses'> {
    const thing = this.things.get(id);
    if (thing === undefined) return {};
    const { identifiers } = this.linkedTo(id);
    const elsewhere = thing.texts('addressEntity').flatMap((address) => this.addresses.get(address) ?? []);
    return {
      genders: thing.texts('gender').filter(isGender),
      identifiers: [...identifiersOf(thing), ...identifiers],
      addresses: [...thing.texts('address'), ...elsewhere].filter((text) => text !== ''),
    };
  }

  /** Adds to `listed` what its members own by half or more together, and what that owns, over any number of steps. */
  private ownedBy(listed: Set<string>): ReadonlyMap<string, readonly Share[]> {
    const found = new Map<string, readonly Share[]>();
    for (let grown = true; grown;) {
      grown = false;
      for (const [asset, shares] of this.owners) {
        const owners = [...shares].filter(([owner]) => listed.has(owner));
        const together = owners.reduce((sum, [, share]) => sum + share, 0);
        if (listed.has(asset) || together < MAJORITY) continue;
        listed.add(asset);
        found.set(asset, owners);
        grown = true;
      }
    }
    return found;
  }

  private entryOf(id: string): ListEntry | undefined {
    const thing = this.things.get(id);
    const names = thing === undefined ? [] : namesOf(thing);
    if (thing === undefined || names.length === 0) return undefined;
    const { dates, unread } = readDates(thing.texts('birthDate'));
    const { programs, listedOn } = this.linkedTo(id);
    return {
      id,
      type: TYPES[thing.schema] ?? 'entity',
      names,
      birthDates: dates,
      unreadDates: unread,
      countries: [...new Set(COUNTRIES.flatMap(thing.texts).flatMap(countriesNamed))],
      ...this.detailsOf(id),
      programs: [...new Set([...thing.texts('programId'), ...programs])],
      listedOn: listedOn.sort()[0] ?? null,
    };
  }

  private addOwner(asset: string, owner: string, share: number): void {
    if (!(share > 0)) return;
    const owners = this.owners.get(asset) ?? new Map<string, number>();
    owners.set(owner, Math.max(share, owners.get(owner) ?? 0));
    this.owners.set(asset, owners);
  }

  private addSanction({ texts, first }: FtmEntity): void {
    const program = first('programId') || first('program') || first('authority');
    const since = isoDay((first('listingDate') || first('startDate')).slice(0, 10));
    for (const entity of texts('entity')) {
      const { programs, listedOn } = this.linkedTo(entity);
      if (program !== '') programs.add(program);
      if (since !== undefined) listedOn.push(since);
    }
  }

  private addDocument({ schema, texts, first }: FtmEntity): void {
    const type = schema === 'Passport' || /passport/i.test(first('type')) ? 'passport' : 'national_id';
    const numbers = [...texts('number'), ...texts('passportNumber')].flatMap(numbersIn);
    for (const holder of texts('holder')) {
      const identifiers = numbers.flatMap(({ number, country }) =>
        identifierOf(type, number, country || first('country')),
      );
      this.linkedTo(holder).identifiers.push(...identifiers);
    }
  }

  private linkedTo(id: string): Linked {
    const known = this.links.get(id);
    if (known !== undefined) return known;
    const linked: Linked = { identifiers: [], programs: new Set(), listedOn: [] };
    this.links.set(id, linked);
    return linked;
  }
}
