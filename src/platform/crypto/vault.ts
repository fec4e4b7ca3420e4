import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId } from '../../kernel/ids.js';

export { type Envelope };

/** The place of a ciphertext. It is bound as associated data, so that a ciphertext moved elsewhere does not open. */
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

/** The value of everything under a destroyed data key. Every reader must accept it. */
export const ERASED = Symbol('erased');

/**
 * The uses of a tenant's own keys. Audit entries are purged after some years. Contacts and free texts stay. Stored responses
 * about no person are removed within days.
 */
export type TenantKeyPurpose = 'audit' | 'texts' | 'answers';

/**
 * Data keys and the data sealed under them. Keys are random, and a versioned key-encryption key wraps them. Postgres holds them
 * apart from the log. A key is committed before the first event that uses it. Methods that may look a key up throw Unavailable.
 */
export abstract class Vault {
  /** A key of the tenant for this number of seals (1), created at first need. The next call may return another key. */
  abstract tenantKey(tenantId: TenantId, purpose: TenantKeyPurpose, seals?: number): Promise<DataKey>;
  /** The key of one person at one tenant, by identity id, or of one decision (decisionSubject); created at first need. */
  abstract subjectKey(tenantId: TenantId, subject: string): Promise<DataKey>;
  /**
   * The key of today's stored responses about one person (e-mail and phone normalised). Created at first need, destroyed within
   * days. No event is sealed under it, so its destruction needs no look at the log.
   */
  abstract answerKey(tenantId: TenantId, email: string, phone: string): Promise<DataKey>;
  /** Seals a JSON value under a fresh nonce. */
  abstract seal(key: DataKey, place: Place, value: unknown): Envelope;
  /** The JSON value, or ERASED if the key was destroyed. Throws if the ciphertext does not belong to the place. */
  abstract open(place: Place, envelope: Envelope): Promise<unknown>;
}

/** Keyed hashes, each under its own key (HKDF-SHA256 of the index root with a fixed label); lower-case hexadecimal. */
export abstract class KeyedHashes {
  /** Of e-mail and phone together, equal across tenants: 32 bytes. */
  abstract identityHash(email: string, phone: string): string;
  /** Marks a tenant's audit entries about one identity hash, which they hold sealed: a UUID. */
  abstract auditSubject(tenantId: TenantId, identityHash: string): string;
  /** `idn_` and 16 bytes of HMAC of `idn.v1\0` tenant `\0` e-mail `\0` phone. */
  abstract identityId(tenantId: TenantId, email: string, phone: string): string;
  /** Of a phone number alone. It can be searched through, so it stands in credentials only: 32 bytes. */
  abstract phone(phone: string): string;
  /** Of an API key's secret, under the pepper: 32 bytes. */
  abstract apiKeySecret(secret: string): Buffer;
  /** Of a token subject or another opaque actor name: 16 bytes. */
  abstract actor(name: string): string;
  /** Signature of a link that works for a while: 32 bytes. */
  abstract link(text: string): Buffer;
  /** Of an idempotency key or a request body, for comparison only: 32 bytes. */
  abstract idempotency(text: string): string;
  /** The salt of an event's leaf in the tree of the log: 32 bytes. Its key is never rotated. */
  abstract leafSalt(eventId: string): Buffer;
  /** Of a screened person, or of a dismissed match: 32 bytes. */
  abstract screening(text: string): string;
}
