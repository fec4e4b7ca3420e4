import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type ExpiryNotice } from '../../kernel/expiry-notices.js';
import { type KycStatus, type Tier } from '../../kernel/kyc.js';

export const IDENTITY_ID_PREFIX = 'idn_';

/** The form is `identity-<tenant>_<the 32 hexadecimal digits of the identity id, without its prefix>`. */
export const IDENTITY_STREAM_PREFIX = 'identity-';

export const identityStream = (tenantId: string, identityId: string): string =>
  `${IDENTITY_STREAM_PREFIX}${tenantId}_${identityId.slice(IDENTITY_ID_PREFIX.length)}`;

/** Of a stream that `identityStream` named. */
export const identityOfStream = (stream: string): string =>
  `${IDENTITY_ID_PREFIX}${stream.slice(stream.indexOf('_') + 1)}`;

/** Names of the encrypted fields. The ciphertext is bound to them. */
export const PERSONAL_FIELD = 'personal';
export const EXTERNAL_ID_FIELD = 'externalId';

/**
 * The whole record as of one ingestion. It replaces the identity's earlier record. Times are ISO 8601, UTC,
 * milliseconds.
 */
export interface AttestedRecord {
  readonly identityId: string;
  /** Keyed hash of e-mail and phone together, equal across tenants. It is the key of the eligibility index. */
  readonly identityHash: string;
  readonly ingestionId: string;
  readonly recordIndex: number;
  /**
   * Commit position of the ingestion's acceptance, a decimal. With recordIndex it orders the ingestions of one
   * identity.
   */
  readonly acceptedPosition: string;
  readonly receivedAt: string;
  readonly kycStatus: KycStatus;
  readonly tier: Tier;
  readonly kycExpiresAt: string | null;
  /** The latest expiry notice, where this record keeps its approval and expiry. Absent where none went out. */
  readonly noticed?: ExpiryNotice;
  /** receivedAt of the last ingestion with APPROVED. Null if there is none in this life. */
  readonly lastVerifiedAt: string | null;
  readonly personal: Envelope;
  /** The caller's own id of the record, which receivers get. Absent without one. */
  readonly externalId?: Envelope;
}

/** A new identity, or the new life of an erased one (identity.created). */
export type IdentityIngested = DomainEvent<'IdentityIngested.v1', AttestedRecord>;

/** A later ingestion replaced the record (identity.updated). */
export type IdentityUpdated = DomainEvent<'IdentityUpdated.v1', AttestedRecord>;

/** An ingestion had APPROVED. Follows IdentityIngested or IdentityUpdated in the same append (identity.verified). */
export type IdentityVerified = DomainEvent<
  'IdentityVerified.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    readonly tier: Tier;
    readonly verifiedAt: string;
    readonly kycExpiresAt: string | null;
    /** From 0 to 1. */
    readonly confidence: number;
  }
>;

/** An ingestion had PENDING_REVIEW. Follows IdentityIngested or IdentityUpdated in the same append (identity.flagged). */
export type IdentityFlagged = DomainEvent<
  'IdentityFlagged.v1',
  { readonly identityId: string; readonly identityHash: string; readonly flaggedAt: string }
>;

/** An APPROVED identity will reach kyc_expires_at (identity.expiring). Each notice goes out once a record. */
export type IdentityExpiring = DomainEvent<
  'IdentityExpiring.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    readonly kycExpiresAt: string;
    readonly notice: ExpiryNotice;
    readonly noticedAt: string;
  }
>;

/**
 * An APPROVED identity reached kyc_expires_at, so its status is EXPIRED. Readers check the expiry themselves, to the
 * second.
 */
export type IdentityExpired = DomainEvent<
  'IdentityExpired.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    readonly kycExpiresAt: string;
    readonly expiredAt: string;
  }
>;

/** Soft deletion. The identity is no longer found, and can be restored before purgeAt. */
export type IdentityDeleted = DomainEvent<
  'IdentityDeleted.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    readonly deletedAt: string;
    readonly purgeAt: string;
    /** By request of the person, which has no grace period. */
    readonly atOnce?: true;
    /** The actor whose proposal it approves. Absent: one person asked for it. */
    readonly proposedBy?: string;
  }
>;

/** One person asks for the erasure at once, and another is to approve it. */
export type ErasureProposed = DomainEvent<
  'ErasureProposed.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    /** A UUID. */
    readonly proposalId: string;
    /** The id of an API key or a member. */
    readonly proposedBy: string;
    readonly proposedAt: string;
  }
>;

/** The proposal was refused, or taken back. */
export type ErasureRejected = DomainEvent<
  'ErasureRejected.v1',
  { readonly identityId: string; readonly identityHash: string; readonly rejectedAt: string }
>;

export type IdentityRestored = DomainEvent<
  'IdentityRestored.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    readonly restoredAt: string;
    /** Null where the approval does not expire, or is none. */
    readonly kycExpiresAt: string | null;
    /** The latest expiry notice. Absent where none went out. */
    readonly noticed?: ExpiryNotice;
  }
>;

/**
 * The irreversible decision to erase. It is the stream's first event if the person was ingested but never had an
 * identity. From here on, all data that decrypts or names the person is destroyed, data keys by their ids.
 */
export type IdentityErasureDecided = DomainEvent<
  'IdentityErasureDecided.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    /** `data_lost`: its data key was lost with a database, so nothing opens the data. */
    readonly reason: 'deletion' | 'retention' | 'data_lost';
    readonly decidedAt: string;
    /** Every data key of this life's data. Its id is never used again. */
    readonly dataKeyIds: readonly string[];
  }
>;

/** Hard deletion is complete. A later ingestion begins a new life under the same id with a new data key. */
export type IdentityErased = DomainEvent<
  'IdentityErased.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    readonly erasedAt: string;
    readonly dataKeyIds: readonly string[];
    /**
     * The destroyed items by kind, for example data_keys, stored_answers, credentials. Only the completing attempt
     * counts copies. Copies that an interrupted attempt removed before are not counted.
     */
    readonly destroyed: readonly { readonly kind: string; readonly count: number }[];
    readonly backupsLastUntil: string;
    /** The erasure certificate, a signed JWT without personal data. */
    readonly certificate: string;
  }
>;

export type IdentityEvent =
  | IdentityIngested
  | IdentityUpdated
  | IdentityVerified
  | IdentityFlagged
  | IdentityExpiring
  | IdentityExpired
  | IdentityDeleted
  | IdentityRestored
  | ErasureProposed
  | ErasureRejected
  | IdentityErasureDecided
  | IdentityErased;
