import { type ListEntry } from '../domain/list-entry.js';
import { type Identifier, type IdentifierType, type ScreeningQuery } from '../domain/screening-list.js';

/** Offices call one number by either name. */
type Kind = Exclude<IdentifierType, 'passport' | 'national_id' | 'tax_id' | 'registration'> | 'document' | 'register';
const kindOf = (type: IdentifierType): Kind => {
  if (type === 'passport' || type === 'national_id') return 'document';
  return type === 'tax_id' || type === 'registration' ? 'register' : type;
};

/** What people write before a number, which is no part of it. A number may begin with letters, too: `ID1234567`. */
const NAMED =
  '(?:passport|travel document|national (?:id|identification|identity)(?: card)?|id(?: card)?|tax id|vat|registration|company)';
const NUMBER = '(?:no|nr|number|nummer)';
const LABEL = new RegExp(
  `^(?:${NAMED}\\s*(?:${NUMBER}\\b\\.?|#|:)|(?:passport|travel document) |${NUMBER}\\.\\s)\\s*[:.]?\\s*`,
  'i',
);
const BANK_LABEL = /^(?:(?:swift|bic)(?:\s*\/\s*(?:swift|bic))?(?:\s*code)?)\s*[:.]?\s*(?=[a-z0-9\s-]{8,}$)/i;
const LEI_LABEL = /^lei(?:\s*code)?\s*[:.]?\s*(?=[a-z0-9]{20}$)/i;

const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();

/** The address in a link to a wallet: `bitcoin:bc1q…?amount=1`, `ethereum:0x…@1`, `ethereum:0x…/transfer?address=0x…`. */
const WALLET_LINK = /^[a-z][a-z0-9+.-]*:(?:\/\/)?(?:pay-)?([^?@/]+).*$/is;
const RECIPIENT = /^[a-z][^?]*\?(?:.*&)?address=([^&]+).*$/is;
/** Capitals say the same in bech32 (BIP 173) and in CashAddr. */
const MAY_BE_CAPITALS = /^(?:[A-Z]{2,8}1[0-9A-Z]+|[QP][0-9A-Z]{41})$/;

const plainAddress = (text: string): string => {
  const address = (RECIPIENT.exec(text)?.[1] ?? text.replace(WALLET_LINK, '$1')).replace(/[^\p{L}\p{N}]/gu, '');
  return /^0x[0-9a-f]+$/i.test(address) || MAY_BE_CAPITALS.test(address) ? address.toLowerCase() : address;
};

/** The form of a number that is compared: publishers and people set labels, dots, spaces and dashes as they like. */
const plainNumber = ({ type, number }: Identifier): string => {
  const text = number.replace(/№/g, 'No. ').normalize('NFKC').trim();
  switch (kindOf(type)) {
    case 'crypto_address':
      return plainAddress(text);
    case 'imo':
    case 'mmsi':
      return text.replace(/\D/g, '');
    case 'bic':
      // The head office of a bank, with or without its branch code (ISO 9362).
      return lettersAndDigits(text.replace(BANK_LABEL, '')).replace(/^(.{8})X{3}$/, '$1');
    case 'lei':
      return lettersAndDigits(text.replace(LEI_LABEL, ''));
    case 'document':
    case 'register':
      return lettersAndDigits(text.replace(LABEL, ''));
  }
};

/** Shorter numbers may be anyone's; the next longer ones are, where the authority is not known on both sides. */
const SHORTEST = 4;
const MIN_LENGTH_WITHOUT_COUNTRY = 7;

export const identifierKey = (identifier: Identifier): string | undefined => {
  const number = plainNumber(identifier);
  return number.length < SHORTEST ? undefined : `${kindOf(identifier.type)} ${number}`;
};

type Asked = Pick<ScreeningQuery, 'identifiers' | 'country' | 'entityType'>;
type Listed = Pick<ListEntry, 'identifiers' | 'countries' | 'type'>;

/** Two authorities may give the same number. Where a list does not say which gave it, it is one of the entry's countries. */
const ofOneAuthority = (one: Identifier, other: Identifier, query: Asked, entry: Listed): boolean => {
  if (one.country !== undefined && other.country !== undefined) return one.country === other.country;
  const country = one.country ?? query.country;
  const countries = other.country === undefined ? entry.countries : [other.country];
  // Call signs are short.
  const areVessels = query.entityType === 'vessel' && entry.type === 'vessel';
  const isLong = plainNumber(one).length >= MIN_LENGTH_WITHOUT_COUNTRY;
  return isLong || areVessels || (country !== undefined && countries.includes(country));
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
