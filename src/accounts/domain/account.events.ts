import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';

/** What an account pays for; it decides the rate limits (not the KYC tier of an identity). */
export const ACCOUNT_TIERS = ['starter', 'growth', 'enterprise'] as const;
export type AccountTier = (typeof ACCOUNT_TIERS)[number];

/**
 * Every time is ISO 8601, UTC, with milliseconds. The stream is `account-<tenant>`; its first event is AccountCreated. Envelopes
 * are sealed under the tenant's data key at the place (tenant, this stream, id of the event, name of the field).
 */
export type AccountCreated = DomainEvent<
  'AccountCreated.v1',
  {
    readonly tenantId: string;
    readonly environment: string;
    /** An organisation's name, plain. */
    readonly name: string;
    /** The tier that an operator agreed with the account; a subscription of its own outranks it. */
    readonly tier: AccountTier;
    /** Field `contactEmail`. */
    readonly contactEmail: Envelope;
    readonly createdAt: string;
  }
>;

export type AccountSuspended = DomainEvent<
  'AccountSuspended.v1',
  {
    /** Field `reason`; null where none was given. */
    readonly reason: Envelope | null;
    readonly suspendedAt: string;
  }
>;

export type AccountReinstated = DomainEvent<
  'AccountReinstated.v1',
  {
    /** Field `reason`; null where none was given. */
    readonly reason: Envelope | null;
    readonly reinstatedAt: string;
  }
>;

/** Both overrides as they are from now on; null means that the tier's own figure holds. */
export type AccountLimitsChanged = DomainEvent<
  'AccountLimitsChanged.v1',
  {
    /** Requests a minute. */
    readonly rateLimitPerMinute: number | null;
    /** Requests a second. */
    readonly burstPerSecond: number | null;
    readonly changedAt: string;
  }
>;

export type AccountContactChanged = DomainEvent<
  'AccountContactChanged.v1',
  {
    /** Field `contactEmail`. */
    readonly contactEmail: Envelope;
    readonly changedAt: string;
  }
>;

export type AlertThresholdsChanged = DomainEvent<
  'AlertThresholdsChanged.v1',
  {
    /** Whole percentages of the balance after the last purchase, highest first, without duplicates; empty means no alerts. */
    readonly percentages: readonly number[];
    readonly changedAt: string;
  }
>;

export type ApiKeyIssued = DomainEvent<
  'ApiKeyIssued.v1',
  {
    /**
     * The 8 characters of id in the key. They are unique in the account; two accounts may by rare chance share one, so
     * a table of keys has the primary key (key id, tenant).
     */
    readonly keyId: string;
    readonly environment: string;
    /** Field `name`: free text of the tenant. */
    readonly name: Envelope;
    readonly scopes: readonly string[];
    /** HMAC-SHA256 of the secret under the pepper, lower-case hexadecimal. */
    readonly secretHash: string;
    readonly createdAt: string;
    /** Null: until it is revoked. */
    readonly expiresAt: string | null;
  }
>;

/** The old key lives on until `expiresAt`; its successor's ApiKeyIssued stands in the same append, before this event. */
export type ApiKeyRotated = DomainEvent<
  'ApiKeyRotated.v1',
  {
    readonly keyId: string;
    readonly successorKeyId: string;
    readonly rotatedAt: string;
    /** The end of the old key's life: that of the overlap, or its own expiry where that comes first. */
    readonly expiresAt: string;
  }
>;

export type ApiKeyRevoked = DomainEvent<
  'ApiKeyRevoked.v1',
  {
    readonly keyId: string;
    readonly revokedAt: string;
  }
>;

export type AccountEvent =
  | AccountCreated
  | AccountSuspended
  | AccountReinstated
  | AccountLimitsChanged
  | AccountContactChanged
  | AlertThresholdsChanged
  | ApiKeyIssued
  | ApiKeyRotated
  | ApiKeyRevoked;

export const ACCOUNT_STREAM_PREFIX = 'account-';

export const accountStream = (tenantId: string): string => `${ACCOUNT_STREAM_PREFIX}${tenantId}`;
