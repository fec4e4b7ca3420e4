import { type ListEntry } from '../domain/list-entry.js';
import { type Identifier, type IdentifierType, type ScreeningQuery } from '../domain/screening-list.js';

/** Offices call one number by either name. */
const KINDS: Partial<Record<IdentifierType, string>> = {
  passport: 'document',
  national_id: 'document',
  tax_id: 'register',
  registration: 'register',
};

/** What people write before a number, which is no part of it. */
const LABELS: Partial<Record<IdentifierType, RegExp>> = {
  imo: /^imo\b/i,
  mmsi: /^mmsi\b/i,
  bic: /^(?:swift|bic)(?:\s*\/\s*(?:swift|bic))?\b(?=.*\d|[\s:]+[a-z]{6})/i,
  lei: /^lei\b/i,
  passport: /^passport\b/i,
  national_id: /^(?:national )?id\b/i,
};
const NUMBER = /^\s*(?:no\b\.?|nr\b\.?|number\b|#|№)?\s*[:.]?\s*/i;

/** The address in a link to a wallet: `bitcoin:bc1q…?amount=1`, `ethereum:0x…@1`. */
const WALLET_LINK = /^[a-z][a-z0-9+.-]*:(?:pay-)?([^?@/]+).*$/is;
/** BIP 173: capitals say the same. */
const BECH32_IN_CAPITALS = /^[A-Z]{2,8}1[0-9A-Z]+$/;

const plainAddress = (text: string): string => {
  const address = text
    .trim()
    .replace(WALLET_LINK, '$1')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return /^0x[0-9a-f]+$/i.test(address) || BECH32_IN_CAPITALS.test(address) ? address.toLowerCase() : address;
};

/** Letters and digits alone: publishers set dots, spaces and dashes as they like. Addresses of crypto-currencies keep their case. */
const plainNumber = ({ type, number }: Identifier): string => {
  const text = number.normalize('NFKC');
  if (type === 'crypto_address') return plainAddress(text);
  const label = LABELS[type];
  const unlabelled = label?.test(text.trim()) === true ? text.trim().replace(label, '').replace(NUMBER, '') : text;
  const plain = unlabelled.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  // The head office of a bank, with or without its branch code (ISO 9362).
  return type === 'bic' && plain.length === 11 ? plain.replace(/X{3}$/, '') : plain;
};

/** Shorter numbers may be anybody's; the next longer ones are, where the authority is not known on both sides. */
const SHORTEST = 4;
const MIN_LENGTH_WITHOUT_COUNTRY = 7;

export const identifierKey = (identifier: Identifier): string | undefined => {
  const number = plainNumber(identifier);
  return number.length < SHORTEST ? undefined : `${KINDS[identifier.type] ?? identifier.type} ${number}`;
};

type Asked = Pick<ScreeningQuery, 'identifiers' | 'country' | 'entityType'>;
type Listed = Pick<ListEntry, 'identifiers' | 'countries' | 'type'>;

/** Two authorities may give the same number. Where a list does not say which gave it, it is one of the entry's countries. */
const ofOneAuthority = (one: Identifier, other: Identifier, query: Asked, entry: Listed): boolean => {
  const { length } = plainNumber(one);
  if (query.entityType === 'vessel' && entry.type === 'vessel') return true;
  if (one.country !== undefined && other.country !== undefined) return one.country === other.country;
  const country = one.country ?? query.country;
  const countries = other.country === undefined ? entry.countries : [other.country];
  return length >= MIN_LENGTH_WITHOUT_COUNTRY || (country !== undefined && countries.includes(country));
};

/** The first identifier of the query that the entry has. Country codes are alpha-2. */
export const sharedIdentifier = (query: Asked, entry: Listed): Identifier | undefined =>
  query.identifiers?.find((one) => {
    const key = identifierKey(one);
    return (
      key !== undefined &&
      entry.identifiers?.some((other) => identifierKey(other) === key && ofOneAuthority(one, other, query, entry))
    );
  });
