import { type Identifier } from '../domain/screening-list.js';

/** Letters and digits alone: publishers set dots, spaces and dashes as they like. Addresses of crypto-currencies keep their case. */
const plainNumber = ({ type, number }: Identifier): string => {
  const plain = number.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
  if (type === 'crypto_address') return /^0x[0-9a-f]+$/i.test(plain) ? plain.toLowerCase() : plain;
  return type === 'imo' ? plain.replace(/^imo/i, '') : plain.toUpperCase();
};

/** Shorter numbers may be anybody's; the next longer ones are, where the authority is not known on both sides. */
const SHORTEST = 5;
const MIN_LENGTH_WITHOUT_COUNTRY = 7;

export const identifierKey = (identifier: Identifier): string | undefined => {
  const number = plainNumber(identifier);
  return number.length < SHORTEST ? undefined : `${identifier.type} ${number}`;
};

/** Two authorities may give the same number. */
const ofOneAuthority = (one: Identifier, other: Identifier): boolean => {
  if (one.country !== undefined && other.country !== undefined) return one.country === other.country;
  return plainNumber(one).length >= MIN_LENGTH_WITHOUT_COUNTRY;
};

/** The first identifier that both have. */
export const sharedIdentifier = (
  queried: readonly Identifier[],
  listed: readonly Identifier[],
): Identifier | undefined =>
  queried.find((one) => {
    const key = identifierKey(one);
    return key !== undefined && listed.some((other) => identifierKey(other) === key && ofOneAuthority(one, other));
  });
