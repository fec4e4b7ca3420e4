import { hash } from 'node:crypto';
import { decodeSdJwtSync, unpackSync } from '@sd-jwt/decode';
import { type DigestAlgorithm, digestOf, MAX_DISCLOSURES, type Parts } from './sd-jwt-parts.js';
import { type Payload } from '../credential-verifier.js';

const DIGESTS: readonly unknown[] = ['sha-256', 'sha-384', 'sha-512'] satisfies DigestAlgorithm[];

/** Another algorithm fits no disclosure: what it is taken for does not matter. */
export const digestAlgorithmOf = (algorithm: unknown): DigestAlgorithm =>
  DIGESTS.includes(algorithm) ? (algorithm as DigestAlgorithm) : 'sha-256';

/** Whether a member stands in clear already. A place of a list is filled by its disclosure. */
const stands = (clear: unknown, [name = '', ...rest]: readonly string[]): boolean => {
  if (typeof clear !== 'object' || clear === null || !Object.hasOwn(clear, name)) return false;
  return rest.length === 0 ? !Array.isArray(clear) : stands((clear as Payload)[name], rest);
};

/** What a credential says with its disclosures. Undefined if one of them is none of its own, stands twice, or beside the same in clear (RFC 9901, section 7.1). */
export const disclosedOf = ({ jwt, disclosures }: Parts, signed: Payload): Payload | undefined => {
  const { _sd_alg: algorithm = 'sha-256' } = signed;
  if (!DIGESTS.includes(algorithm) || disclosures.length > MAX_DISCLOSURES) return undefined;
  const hasher = (data: string | ArrayBuffer, name: string): Uint8Array =>
    hash(name.replace('-', ''), typeof data === 'string' ? data : new Uint8Array(data), 'buffer');
  try {
    const decoded = decodeSdJwtSync([jwt, ...disclosures, ''].join('~'), hasher);
    const { unpackedObj, disclosureKeymap } = unpackSync(signed, decoded.disclosures, hasher);
    const places = Object.values(disclosureKeymap);
    const given = disclosures.map((text) => digestOf(text, digestAlgorithmOf(algorithm)));
    const isWhole = places.toSorted().join() === given.toSorted().join() && new Set(places).size === places.length;
    const isClear = Object.keys(disclosureKeymap).some((path) => stands(signed, path.split('.')));
    return isWhole && !isClear ? (unpackedObj as Payload) : undefined;
  } catch {
    return undefined;
  }
};
