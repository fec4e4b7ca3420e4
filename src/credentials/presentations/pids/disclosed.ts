import { hash } from 'node:crypto';
import { decodeSdJwtSync, unpackSync } from '@sd-jwt/decode';
import { type DigestAlgorithm, digestOf, MAX_DISCLOSURES, type Parts } from '../sd-jwt-parts.js';
import { type Claims } from './signed-by-issuer.js';

const DIGESTS: readonly unknown[] = ['sha-256', 'sha-384', 'sha-512'] satisfies DigestAlgorithm[];

/** Another name counts as none: then no disclosure fits. */
export const digestAlgorithmOf = (algorithm: unknown): DigestAlgorithm =>
  DIGESTS.includes(algorithm) ? (algorithm as DigestAlgorithm) : 'sha-256';

/** What a credential says with its disclosures. Undefined if one of them is none of its own, or stands twice (RFC 9901, section 7.1). */
export const disclosedOf = ({ jwt, disclosures }: Parts, signed: Claims): unknown => {
  const { _sd_alg: algorithm = 'sha-256' } = signed;
  if (!DIGESTS.includes(algorithm) || disclosures.length > MAX_DISCLOSURES) return undefined;
  const hasher = (data: string | ArrayBuffer, name: string): Uint8Array =>
    hash(name.replace('-', ''), typeof data === 'string' ? data : new Uint8Array(data), 'buffer');
  try {
    const decoded = decodeSdJwtSync([jwt, ...disclosures, ''].join('~'), hasher);
    const { unpackedObj, disclosureKeymap } = unpackSync(signed, decoded.disclosures, hasher);
    const places = Object.values(disclosureKeymap);
    const given = disclosures.map((text) => digestOf(text, digestAlgorithmOf(algorithm)));
    return places.toSorted().join() === given.toSorted().join() && new Set(places).size === places.length
      ? unpackedObj
      : undefined;
  } catch {
    return undefined;
  }
};
