import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type KycStatus, type Tier } from '../../kernel/kyc.js';

export const IDENTITY_ID_PREFIX = 'idn_';

/** `identity-<tenant>_<the 32 hexadecimal digits of the identity id, without its prefix>`. */
export const IDENTITY_STREAM_PREFIX = 'identity-';

export const identityStream = (tenantId: string, identityId: string): string =>
  `${IDENTITY_STREAM_PREFIX}${tenantId}_${identityId.slice(IDENTITY_ID_PREFIX.length)}`;

/** Name of the encrypted field, as it is bound into its ciphertext. */
export const PERSONAL_FIELD = 'personal';

/** The whole record as of one ingestion: it replaces what the identity held before. Times are ISO 8601, UTC, milliseconds. */
export interface AttestedRecord {
  readonly identityId: string;
  /** Keyed hash of e-mail and phone together, equal across tenants; keys the eligibility index. */
  readonly identityHash: string;
  readonly ingestionId: string;
  readonly recordIndex: number;
  /** Commit position of the ingestion's acceptance, a decimal; with recordIndex it orders ingestions of one identity. */
  readonly acceptedPosition: string;
  readonly receivedAt: string;
  readonly kycStatus: KycStatus;
  readonly tier: Tier;
  readonly kycExpiresAt: string | null;
  /** When APPROVED was last ingested: receivedAt of that ingestion; null: never in this life. */
  readonly lastVerifiedAt: string | null;
  readonly personal: Envelope;
}

/** A new identity, or the new life of an erased one (identity.created). */
export type IdentityIngested = DomainEvent<'IdentityIngested.v1', AttestedRecord>;

/** A later ingestion replaced the record (identity.updated). */
export type IdentityUpdated = DomainEvent<'IdentityUpdated.v1', AttestedRecord>;

/** APPROVED was ingested; follows IdentityIngested or IdentityUpdated in the same append (identity.verified). */
export type IdentityVerified = DomainEvent<
  'IdentityVerified.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    readonly tier: Tier;
    readonly verifiedAt: string;
    readonly kycExpiresAt: string | null;
  }
>;

/** PENDING_REVIEW was ingested; follows IdentityIngested or IdentityUpdated in the same append (identity.flagged). */
export type IdentityFlagged = DomainEvent<
  'IdentityFlagged.v1',
  { readonly identityId: string; readonly identityHash: string; readonly flaggedAt: string }
>;

/** An APPROVED identity reached kyc_expires_at: its status is EXPIRED. Readers judge expiry themselves, to the second. */
export type IdentityExpired = DomainEvent<
  'IdentityExpired.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    readonly kycExpiresAt: string;
    readonly expiredAt: string;
  }
>;

/** Soft deletion: not found any more, restorable before purgeAt. */
export type IdentityDeleted = DomainEvent<
  'IdentityDeleted.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    readonly deletedAt: string;
    readonly purgeAt: string;
  }
>;

export type IdentityRestored = DomainEvent<
  'IdentityRestored.v1',
  { readonly identityId: string; readonly identityHash: string; readonly restoredAt: string }
>;

/**
 * The point of no return; the first event of a stream where ingestions of the person are all there ever was. Whatever opens or
 * names the person is destroyed from here on, data keys by their ids.
 */
export type IdentityErasureDecided = DomainEvent<
  'IdentityErasureDecided.v1',
  {
    readonly identityId: string;
    readonly identityHash: string;
    readonly reason: 'deletion' | 'retention';
    readonly decidedAt: string;
    /** Every data key that this life's data stands under; ids are never used again. */
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
     * What was destroyed, by kind, for example data_keys, stored_answers, credentials. Copies are counted by the attempt
     * that came to the end: what one that broke off before it had removed already is gone, but not counted.
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
  | IdentityExpired
  | IdentityDeleted
  | IdentityRestored
  | IdentityErasureDecided
  | IdentityErased;
