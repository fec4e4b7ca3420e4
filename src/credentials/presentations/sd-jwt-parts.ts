import { hash } from 'node:crypto';

/** An SD-JWT as a wallet presents it (RFC 9901, section 4). */
export interface Parts {
  /** The credential as it was signed. */
  readonly jwt: string;
  readonly disclosures: readonly string[];
  /** The proof of the holder's key. Empty where there is none. */
  readonly binding: string;
  /** What the binding is over. */
  readonly bound: string;
}

/** Disclosures of one presentation. A PID with all ages has about forty. */
export const MAX_DISCLOSURES = 200;

export type DigestAlgorithm = 'sha-256' | 'sha-384' | 'sha-512';

export const isPresentation = (token: string): boolean => token.includes('~');

export const partsOf = (token: string): Parts => {
  const parts = token.split('~');
  const binding = parts.at(-1) ?? '';
  return {
    jwt: parts[0] ?? '',
    disclosures: parts.slice(1, -1),
    binding,
    bound: token.slice(0, token.length - binding.length),
  };
};

export const digestOf = (text: string, algorithm: DigestAlgorithm = 'sha-256'): string =>
  hash(algorithm.replace('-', ''), text, 'base64url');
