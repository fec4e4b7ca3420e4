import { ed25519 } from '@noble/curves/ed25519.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer';

/**
 * What packages/log-proofs uses of node:crypto, for browsers. So the same code verifies here and on the command line. WebCrypto has
 * no hash that answers at once, and nothing at all over plain HTTP beyond the loopback.
 */
const HASHES = { sha256, sha1 } as const;
type Algorithm = keyof typeof HASHES;

/** Bytes of a key's frame in DER (RFC 8410), before its own 32. */
const FRAME = 12;

interface PublicKey {
  readonly raw: Uint8Array;
  export(): Buffer;
}

const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data, 'utf8') : data;

export const hash = (algorithm: Algorithm, data: string | Uint8Array): Buffer =>
  Buffer.from(HASHES[algorithm](bytesOf(data)));

export const createHash = (algorithm: Algorithm) => {
  const hasher = HASHES[algorithm].create();
  return {
    update(data: string | Uint8Array) {
      hasher.update(bytesOf(data));
      return this;
    },
    digest: (encoding?: 'hex' | 'base64'): Buffer | string => {
      const digest = Buffer.from(hasher.digest());
      return encoding === undefined ? digest : digest.toString(encoding);
    },
  };
};

export const createPublicKey = ({ key }: { readonly key: Uint8Array }): PublicKey => ({
  raw: key.subarray(FRAME),
  export: () => Buffer.from(key),
});

/** RFC 8032, as strict as Node is. */
export const verify = (_: null, data: Uint8Array, { raw }: PublicKey, signature: Uint8Array): boolean =>
  signature.length === 64 && ed25519.verify(signature, data, raw, { zip215: false });

export const sign = (): never => {
  throw new Error('a browser signs nothing');
};
