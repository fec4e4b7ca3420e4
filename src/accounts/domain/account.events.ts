import { type MemberEvent } from './member.events.js';
import { type OperatorActEvent } from './operator-act.events.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type PaymentCustomerKept, type SubscriptionEvent } from './subscription.events.js';

/** The account's commercial tier. It decides the rate limits and is unrelated to an identity's KYC tier. */
export const ACCOUNT_TIERS = ['starter', 'growth', 'enterprise'] as const;
export type AccountTier = (typeof ACCOUNT_TIERS)[number];

/**
 * All times are ISO 8601, UTC, with milliseconds. The stream is `account-<tenant>` and its first event is
 * AccountCreated. Envelopes are sealed under the tenant's data key. Their place is (tenant, this stream, id of the
 * event, name of the field).
 */
export type AccountCreated = DomainEvent<
  'AccountCreated.v1',
  {
    readonly tenantId: string;
    readonly environment: string;
    /** The organisation's name in plain text. */
    readonly name: string;
    /** The tier that an operator agreed with the account. The account's own subscription overrides it. */
    readonly tier: AccountTier;
    /** Field `contactEmail`. */
    readonly contactEmail: Envelope;
    readonly createdAt: string;
  }
>;

export type AccountSuspended = DomainEvent<
  'AccountSuspended.v1',
  {
    /** Field `reason`. Null if none was given. */
    readonly reason: Envelope | null;
    readonly suspendedAt: string;
  }
>;

export type AccountReinstated = DomainEvent<
  'AccountReinstated.v1',
  {
    /** Field `reason`. Null if none was given. */
    readonly reason: Envelope | null;
    readonly reinstatedAt: string;
  }
>;

/** What the account attests counts for no one, until it is trusted again. */
export type AccountDistrusted = DomainEvent<
  'AccountDistrusted.v1',
  { readonly reason: Envelope; readonly distrustedAt: string }
>;

export type AccountTrusted = DomainEvent<
  'AccountTrusted.v1',
  { readonly reason: Envelope; readonly trustedAt: string }
>;

/** Both overrides from now on. Null means the tier's own limit. */
export type AccountLimitsChanged = DomainEvent<
  'AccountLimitsChanged.v1',
  {
    /** Requests per minute. */
    readonly rateLimitPerMinute: number | null;
    /** Requests per second. */
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

export type AccountRenamed = DomainEvent<
  'AccountRenamed.v1',
  {
    /** The organisation's name in plain text. */
    readonly name: string;
    readonly changedAt: string;
  }
>;

/** The tier that an operator agreed anew. The account's own subscription overrides it. */
export type AccountTierChanged = DomainEvent<
  'AccountTierChanged.v1',
  {
    readonly tier: AccountTier;
    readonly changedAt: string;
  }
>;

/** Whether credentials of wallets may name the account among those that attest the person. */
export type AccountNamingChanged = DomainEvent<
  'AccountNamingChanged.v1',
  { readonly isNamed: boolean; readonly changedAt: string }
>;

export type AlertThresholdsChanged = DomainEvent<
  'AlertThresholdsChanged.v1',
  {
    /**
     * Whole percentages of the balance after the last purchase, highest first, without duplicates. Empty means no
     * alerts.
     */
    readonly percentages: readonly number[];
    readonly changedAt: string;
  }
>;

export type ApiKeyIssued = DomainEvent<
  'ApiKeyIssued.v1',
  {
    /**
     * The key's 8 id characters. They are unique in the account. Two accounts may rarely share an id, so a table of
     * keys has the primary key (key id, tenant).
     */
    readonly keyId: string;
    readonly environment: string;
    /** Field `name`: free text of the tenant. */
    readonly name: Envelope;
    readonly scopes: readonly string[];
    /** HMAC-SHA256 of the secret under the pepper, lower-case hexadecimal. */
    readonly secretHash: string;
    readonly createdAt: string;
    /** Null: valid until revoked. */
    readonly expiresAt: string | null;
    /** Credits on one UTC day. Null: no cap of its own. */
    readonly creditCapPerDay: number | null;
    /** Addresses and CIDR ranges. Empty: from anywhere. */
    readonly allowedAddresses: readonly string[];
    /** The key under whose id its spending counts: itself, or the first of those that it replaced. */
    readonly countsAs: string;
    /** The keys that made it. Its spending counts against their caps, too. */
    readonly boundBy: readonly string[];
  }
>;

/** All of these from now on. */
export type ApiKeyLimited = DomainEvent<
  'ApiKeyLimited.v1',
  {
    readonly keyId: string;
    readonly creditCapPerDay: number | null;
    readonly allowedAddresses: readonly string[];
    /** With the key that raised its cap, if one did. */
    readonly boundBy: readonly string[];
    readonly changedAt: string;
  }
>;

/** The old key stays valid until `expiresAt`. The same append holds its successor's ApiKeyIssued, before this event. */
export type ApiKeyRotated = DomainEvent<
  'ApiKeyRotated.v1',
  {
    readonly keyId: string;
    readonly successorKeyId: string;
    readonly rotatedAt: string;
    /** The end of the overlap, or the old key's own expiry if that is earlier. */
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
  | MemberEvent
  | OperatorActEvent
  | PaymentCustomerKept
  | SubscriptionEvent
  | AccountCreated
  | AccountSuspended
  | AccountReinstated
  | AccountDistrusted
  | AccountTrusted
  | AccountLimitsChanged
  | AccountContactChanged
  | AccountRenamed
  | AccountTierChanged
  | AccountNamingChanged
  | AlertThresholdsChanged
  | ApiKeyIssued
  | ApiKeyLimited
  | ApiKeyRotated
  | ApiKeyRevoked;

export const ACCOUNT_STREAM_PREFIX = 'account-';

export const accountStream = (tenantId: string): string => `${ACCOUNT_STREAM_PREFIX}${tenantId}`;
