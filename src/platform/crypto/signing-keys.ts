import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK, type JWTPayload, SignJWT } from 'jose';
import { invariant } from '../../kernel/invariant.js';
import { type Database } from '../postgres/database.js';
import { type KeyOwner, type KeyRing } from './key-ring.js';

export type SigningPurpose = 'erasure_certificate';

interface Row {
  readonly kid: string;
  readonly encryption_key_version: number;
  readonly wrapped: Buffer;
}

const ownerOf = (kid: string): KeyOwner => ({ id: kid, tenantId: '', subject: 'signing' });

/** Ed25519 keys of the deployment, wrapped in Postgres. Each is created at first need; one is in use for each purpose. */
export class SigningKeys {
  constructor(
    private readonly database: Database,
    private readonly ring: KeyRing,
  ) {}

  /** A JWT with alg EdDSA (RFC 8037) and the key's kid, its RFC 7638 thumbprint. */
  async sign(purpose: SigningPurpose, claims: JWTPayload): Promise<string> {
    const { kid, key } = await this.inUse(purpose);
    return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid }).sign(key);
  }

  /** Creates the key of a purpose if there is none. A back-up taken now then already holds the key of later signatures. */
  async prepare(purpose: SigningPurpose): Promise<void> {
    if ((await this.find(purpose)) === undefined) await this.make(purpose);
  }

  /** The public keys of every key ever used, including retired ones. */
  async published(): Promise<JSONWebKeySet> {
    const rows = await this.database.query<{ public_jwk: JWK }>(
      'SELECT public_jwk FROM signing_keys ORDER BY created_at, kid',
    );
    return { keys: rows.map((row) => row.public_jwk) };
  }

  private async inUse(purpose: SigningPurpose): Promise<{ readonly kid: string; readonly key: KeyObject }> {
    const row = (await this.find(purpose)) ?? (await this.make(purpose));
    const version = { version: row.encryption_key_version, wrapped: row.wrapped };
    const pkcs8 = this.ring.unwrap(ownerOf(row.kid), version);
    return { kid: row.kid, key: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }) };
  }

  private async find(purpose: SigningPurpose): Promise<Row | undefined> {
    const rows = await this.database.query<Row>(
      'SELECT kid, encryption_key_version, wrapped FROM signing_keys WHERE purpose = $1 AND retired_at IS NULL',
      [purpose],
    );
    return rows[0];
  }

  private async make(purpose: SigningPurpose): Promise<Row> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const jwk = publicKey.export({ format: 'jwk' }) as JWK;
    const kid = await calculateJwkThumbprint(jwk);
    const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
    const { version, wrapped } = this.ring.wrap(ownerOf(kid), pkcs8);
    await this.database.query(
      `INSERT INTO signing_keys (kid, purpose, public_jwk, encryption_key_version, wrapped) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (purpose) WHERE retired_at IS NULL DO NOTHING`,
      [kid, purpose, JSON.stringify({ ...jwk, kid, alg: 'EdDSA', use: 'sig' }), version, wrapped],
    );
    // Another instance may have created the key first.
    const row = await this.find(purpose);
    invariant(row !== undefined, 'a signing key that was made is there');
    return row;
  }
}
