import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Draws random nonces in bulk, since one system call then serves many. */
const POOL = Buffer.alloc(NONCE_BYTES * 512);
let drawn = POOL.length;

const freshNonce = (): Buffer => {
  if (drawn === POOL.length) {
    randomFillSync(POOL);
    drawn = 0;
  }
  const nonce = Buffer.from(POOL.subarray(drawn, drawn + NONCE_BYTES));
  drawn += NONCE_BYTES;
  return nonce;
};

export interface Sealed {
  readonly nonce: Buffer;
  /** The ciphertext, then its tag of 16 bytes. */
  readonly ciphertext: Buffer;
}

/** AES-256-GCM (NIST SP 800-38D) under a fresh random 96-bit nonce. */
export const encrypt = (key: Buffer, associatedData: string, plaintext: string | Buffer): Sealed => {
  const nonce = freshNonce();
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(Buffer.from(associatedData, 'utf8'));
  const body = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  cipher.final();
  return { nonce, ciphertext: Buffer.concat([body, cipher.getAuthTag()]) };
};

/** Throws if key, nonce, associated data and ciphertext do not belong together. */
export const decrypt = (key: Buffer, associatedData: string, { nonce, ciphertext }: Sealed): Buffer => {
  if (nonce.length !== NONCE_BYTES || ciphertext.length < TAG_BYTES) throw new Error('not an AES-256-GCM ciphertext');
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associatedData, 'utf8'));
  decipher.setAuthTag(ciphertext.subarray(ciphertext.length - TAG_BYTES));
  const plaintext = decipher.update(ciphertext.subarray(0, ciphertext.length - TAG_BYTES));
  decipher.final();
  return plaintext;
};
