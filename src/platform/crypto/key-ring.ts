import { createHmac, randomBytes } from 'node:crypto';
import { invariant } from '../../kernel/invariant.js';
import { decrypt, encrypt, NONCE_BYTES } from './cipher.js';
import { KEY_BYTES, type KeyMaterial } from '../../kernel/key-material.js';

/** A data key as Postgres holds it: encrypted under a version of the key-encryption key. */
export interface WrappedKey {
  readonly version: number;
  /** Nonce, then ciphertext with tag. */
  readonly wrapped: Buffer;
}

/**
 * The owner of a data key. It is bound to the wrapped bytes, so that rows cannot be exchanged. `subject` is '' for a tenant's
 * own key.
 */
export interface KeyOwner {
  readonly id: string;
  readonly tenantId: string;
  readonly subject: string;
}

/** The configured keys lack the key that wraps a row. */
export class EncryptionKeyMissing extends Error {
  override readonly name = 'EncryptionKeyMissing';

  constructor(readonly version: number) {
    super(`key-encryption key ${version} is not configured`);
  }
}

const associatedData = ({ id, tenantId, subject }: KeyOwner): string => `dk.v1\0${id}\0${tenantId}\0${subject}`;

/** The key-encryption keys in use. One of them wraps: the newest, unless instances have to agree. All of them unwrap. */
export class KeyRing {
  private keys: ReadonlyMap<number, Buffer>;
  private wrapping: number;

  constructor(material: KeyMaterial) {
    this.keys = material.encryptionKeys;
    this.wrapping = this.newest;
  }

  /** The version that wraps new data keys. */
  get wrapsUnder(): number {
    return this.wrapping;
  }

  get versions(): readonly number[] {
    return [...this.keys.keys()].sort((one, other) => one - other);
  }

  get newest(): number {
    const newest = this.versions.at(-1);
    invariant(newest !== undefined, 'a key ring holds at least one key');
    return newest;
  }

  /** Takes over a changed set of keys while the service runs. Unwrapping a row under a removed key throws. */
  replace(keys: ReadonlyMap<number, Buffer>): void {
    invariant(keys.size > 0, 'a key ring holds at least one key');
    this.keys = keys;
    if (!keys.has(this.wrapping)) this.wrapping = this.newest;
  }

  /** Wraps under the newest version that every instance holds, so that every instance can open every key. */
  agree(held: readonly (readonly number[])[]): void {
    const common = this.versions.filter((version) => held.every((versions) => versions.includes(version)));
    this.wrapping = common.at(-1) ?? this.wrapping;
  }

  generate(owner: KeyOwner): WrappedKey & { readonly bytes: Buffer } {
    const bytes = randomBytes(KEY_BYTES);
    return { bytes, ...this.wrap(owner, bytes) };
  }

  wrap(owner: KeyOwner, bytes: Buffer): WrappedKey {
    const version = this.wrapping;
    const { nonce, ciphertext } = encrypt(this.key(version), associatedData(owner), bytes);
    return { version, wrapped: Buffer.concat([nonce, ciphertext]) };
  }

  /** Throws EncryptionKeyMissing, or another error if someone tampered with the row. */
  unwrap(owner: KeyOwner, { version, wrapped }: WrappedKey): Buffer {
    const nonce = wrapped.subarray(0, NONCE_BYTES);
    return decrypt(this.key(version), associatedData(owner), { nonce, ciphertext: wrapped.subarray(NONCE_BYTES) });
  }

  private key(version: number): Buffer {
    const key = this.keys.get(version);
    if (key === undefined) throw new EncryptionKeyMissing(version);
    return key;
  }
}

/** Distinguishes keys without revealing anything about them. It is stored, so that a wrong key is noticed before its use. */
export const checkValue = (key: Buffer): string =>
  createHmac('sha256', key).update('check.v1').digest('hex').slice(0, 32);
