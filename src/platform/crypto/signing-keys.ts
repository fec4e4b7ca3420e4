import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK, type JWTPayload, SignJWT } from 'jose';
import { invariant } from '../../kernel/invariant.js';
import { type Database, type Queryable } from '../postgres/database.js';
import { type KeyOwner, type KeyRing } from './key-ring.js';

export type SigningPurpose = 'erasure_certificate' | 'credential' | 'log_checkpoint';

/** A key that signs now. */
export interface Signer {
  readonly kid: string;
  readonly key: KeyObject;
}

/** The public half of a key that was ever used. */
export interface PublishedKey {
  readonly kid: string;
  readonly jwk: JWK;
  readonly key: KeyObject;
  /** SPKI in PEM (RFC 8410). */
  readonly pem: string;
  /** Nothing that the key signed is accepted any more. */
  readonly compromised: boolean;
}

interface Row {
  readonly kid: string;
  readonly encryption_key_version: number;
  readonly wrapped: Buffer;
}

const ownerOf = (kid: string): KeyOwner => ({ id: kid, tenantId: '', subject: 'signing' });

/** A JWT with alg EdDSA (RFC 8037), the signer's kid, and this typ. */
export const signJwt = ({ kid, key }: Signer, claims: JWTPayload, typ = 'JWT'): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ, kid }).sign(key);

/**
 * Ed25519 keys of the deployment, wrapped in Postgres. Each is created at first need; one is in use for each purpose. A kid is
 * the key's RFC 7638 thumbprint.
 */
export class SigningKeys {
  constructor(
    private readonly database: Database,
    private readonly ring: KeyRing,
  ) {}

  async sign(purpose: SigningPurpose, claims: JWTPayload): Promise<string> {
    return signJwt(await this.signer(purpose), claims);
  }

  /** Creates the key of a purpose if there is none. A back-up taken now then already holds the key of later signatures. */
  async prepare(purpose: SigningPurpose): Promise<void> {
    if ((await this.find(purpose)) === undefined) await this.make(purpose);
  }

  /** The public keys of every key ever used, including retired ones, without compromised ones. */
  async published(): Promise<JSONWebKeySet> {
    const rows = await this.database.query<{ public_jwk: JWK }>(
      'SELECT public_jwk FROM signing_keys WHERE compromised_at IS NULL ORDER BY created_at, kid',
    );
    return { keys: rows.map((row) => row.public_jwk) };
  }

  /** Every key ever used for this purpose, compromised ones too, oldest first. */
  async all(purpose: SigningPurpose): Promise<readonly PublishedKey[]> {
    const rows = await this.database.query<{ kid: string; public_jwk: JWK; compromised: boolean }>(
      `SELECT kid, public_jwk, compromised_at IS NOT NULL AS compromised FROM signing_keys WHERE purpose = $1
       ORDER BY created_at, kid`,
      [purpose],
    );
    return rows.map(({ kid, public_jwk: jwk, compromised }) => {
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      return { kid, jwk, key, pem: key.export({ format: 'pem', type: 'spki' }) as string, compromised };
    });
  }

  /** The key in use, created at first need. */
  async signer(purpose: SigningPurpose): Promise<Signer> {
    const row = (await this.find(purpose)) ?? (await this.make(purpose));
    const version = { version: row.encryption_key_version, wrapped: row.wrapped };
    const pkcs8 = this.ring.unwrap(ownerOf(row.kid), version);
    return { kid: row.kid, key: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }) };
  }

  /** Puts a new key into use and retires the present one, which still verifies what it signed. Returns the new kid. */
  rotate(purpose: SigningPurpose): Promise<string> {
    return this.database.transaction((transaction) => this.replace(transaction, purpose));
  }

  /**
   * Declares a key compromised, and puts a new one into use. Repeated, it changes nothing. Returns whether there is such a key
   * of this purpose.
   */
  compromise(purpose: SigningPurpose, kid: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const [key] = await transaction.query<{ compromised: boolean }>(
        `SELECT compromised_at IS NOT NULL AS compromised FROM signing_keys WHERE purpose = $1 AND kid = $2 FOR UPDATE`,
        [purpose, kid],
      );
      if (key === undefined || key.compromised) return key !== undefined;
      await transaction.query('UPDATE signing_keys SET compromised_at = now() WHERE kid = $1', [kid]);
      await this.replace(transaction, purpose);
      return true;
    });
  }

  private async replace(transaction: Queryable, purpose: SigningPurpose): Promise<string> {
    await transaction.query('UPDATE signing_keys SET retired_at = now() WHERE purpose = $1 AND retired_at IS NULL', [
      purpose,
    ]);
    return this.insert(transaction, purpose);
  }

  private async find(purpose: SigningPurpose): Promise<Row | undefined> {
    const rows = await this.database.query<Row>(
      'SELECT kid, encryption_key_version, wrapped FROM signing_keys WHERE purpose = $1 AND retired_at IS NULL',
      [purpose],
    );
    return rows[0];
  }

  private async make(purpose: SigningPurpose): Promise<Row> {
    await this.insert(this.database, purpose);
    // Another instance may have created the key first.
    const row = await this.find(purpose);
    invariant(row !== undefined, 'a signing key that was made is there');
    return row;
  }

  private async insert(database: Queryable, purpose: SigningPurpose): Promise<string> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const jwk = publicKey.export({ format: 'jwk' }) as JWK;
    const kid = await calculateJwkThumbprint(jwk);
    const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
    const { version, wrapped } = this.ring.wrap(ownerOf(kid), pkcs8);
    await database.query(
      `INSERT INTO signing_keys (kid, purpose, public_jwk, encryption_key_version, wrapped) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (purpose) WHERE retired_at IS NULL DO NOTHING`,
      [kid, purpose, JSON.stringify({ ...jwk, kid, alg: 'EdDSA', use: 'sig' }), version, wrapped],
    );
    return kid;
  }
}
