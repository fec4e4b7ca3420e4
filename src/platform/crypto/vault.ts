import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId } from '../../kernel/ids.js';

export { type Envelope };

/** Where a ciphertext stands. It is bound to it as associated data, so that a swapped ciphertext does not open. */
export interface Place {
  readonly tenantId: string;
  readonly stream: string;
  readonly eventId: string;
  readonly field: string;
}

/** A data key in memory. Its bytes never leave the crypto folder. */
export interface DataKey {
  readonly id: string;
}

/** What a destroyed data key makes of everything under it; legal input for every reader. */
export const ERASED = Symbol('erased');

/**
 * What a tenant seals under keys of its own: audit entries, which go after some years; contacts and free texts, which stay;
 * stored answers that speak of no person, which go within days.
 */
export type TenantKeyPurpose = 'audit' | 'texts' | 'answers';

/**
 * Data keys and what is sealed under them. Keys are random, wrapped by a versioned key-encryption key, kept in Postgres apart
 * from the log, and committed before the first event that uses them. Methods that may look a key up throw Unavailable.
 */
export abstract class Vault {
  /** A key of the tenant's for so many seals (1); made at first need. The next seal may be under another. */
  abstract tenantKey(tenantId: TenantId, purpose: TenantKeyPurpose, seals?: number): Promise<DataKey>;
  /** The key of one person at one tenant, by identity id; made at first need. */
  abstract subjectKey(tenantId: TenantId, identityId: string): Promise<DataKey>;
  /**
   * The key of today's stored answers about one person (e-mail and phone normalised); made at first need, destroyed within days. No event is sealed under it,
   * so that its end needs no look at the log.
   */
  abstract answerKey(tenantId: TenantId, email: string, phone: string): Promise<DataKey>;
  /** Seals a JSON value under a fresh nonce. */
  abstract seal(key: DataKey, place: Place, value: unknown): Envelope;
  /** The JSON value, or ERASED where the key was destroyed. Throws where the ciphertext does not belong to the place. */
  abstract open(place: Place, envelope: Envelope): Promise<unknown>;
}

/** Keyed hashes, each under its own key (HKDF-SHA256 of the index root with a fixed label); lower-case hexadecimal. */
export abstract class KeyedHashes {
  /** Of e-mail and phone together, equal across tenants: 32 bytes. */
  abstract identityHash(email: string, phone: string): string;
  /** `idn_` and 16 bytes of HMAC of `idn.v1\0` tenant `\0` e-mail `\0` phone. */
  abstract identityId(tenantId: TenantId, email: string, phone: string): string;
  /** Of an API key's secret, under the pepper: 32 bytes. */
  abstract apiKeySecret(secret: string): Buffer;
  /** Of a token subject or another opaque actor name: 16 bytes. */
  abstract actor(name: string): string;
  /** Of an idempotency key or a request body, for comparison only: 32 bytes. */
  abstract idempotency(text: string): string;
}
