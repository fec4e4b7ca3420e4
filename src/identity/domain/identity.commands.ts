import { type Envelope } from '../../kernel/envelope.js';
import { type ExpiryNotice } from '../../kernel/expiry-notices.js';
import { type KycStatus, type Tier } from '../../kernel/kyc.js';
import { type Evidence } from './confidence.js';

/** Orders the ingested records of one identity: by the log position of the acceptance, then by the place in the batch. */
export interface AttestationOrder {
  readonly position: bigint;
  readonly recordIndex: number;
}

/** One record for the identity's stream. `personal` and `externalId` are sealed for that place. */
export interface SealedRecord {
  readonly identityId: string;
  readonly identityHash: string;
  readonly ingestionId: string;
  readonly receivedAt: string;
  readonly kycStatus: KycStatus;
  readonly tier: Tier;
  readonly kycExpiresAt: string | null;
  readonly personal: Envelope;
  readonly externalId?: Envelope;
  readonly evidence: Evidence;
}

export interface ApplyAttestation {
  readonly kind: 'apply';
  readonly order: AttestationOrder;
  readonly record: SealedRecord;
  /** The data key under which the ingestion holds the record. */
  readonly suppliedUnder: string;
}

export interface ExpireAttestation {
  readonly kind: 'expire';
  readonly identityId: string;
  readonly now: Date;
}

export interface NotifyOfExpiry {
  readonly kind: 'notify';
  readonly identityId: string;
  readonly notice: ExpiryNotice;
  /** How long before the expiry the notice goes out. */
  readonly days: number;
  readonly now: Date;
}

export interface SoftDelete {
  readonly kind: 'delete';
  readonly identityId: string;
  readonly now: Date;
  /** How long the identity can be restored, milliseconds. The default is 30 days. */
  readonly gracePeriod?: number;
}

/** The person's own request: the grace period ends now. */
export interface EraseAtOnce {
  readonly kind: 'erase_at_once';
  readonly identityId: string;
  readonly now: Date;
  /** Where another person is to approve it. Absent: it needs one person. */
  readonly proposal?: { readonly proposalId: string; readonly by: string } | undefined;
}

/** A second person's word on an erasure that was proposed. */
export interface AnswerErasure {
  readonly kind: 'answer_erasure';
  readonly identityId: string;
  readonly now: Date;
  /** The one that was read. */
  readonly proposalId: string;
  readonly isApproved: boolean;
  /** Whether who answers cannot be the person behind this actor. */
  readonly isAnother: (actor: string) => boolean;
}

export interface Restore {
  readonly kind: 'restore';
  readonly identityId: string;
  readonly now: Date;
}

export interface DecideErasure {
  readonly kind: 'decide_erasure';
  readonly identityId: string;
  readonly now: Date;
  /** An active identity without activity since this time is due for erasure by retention. ISO 8601, UTC, milliseconds. */
  readonly inactiveSince: string;
  /**
   * Keyed hash of e-mail and phone. Present if, by the ingestions alone, the person was last ingested before
   * `inactiveSince`. A person without an identity is then due too.
   */
  readonly dormantHash?: string;
  /** A data key that was lost and given up. An identity whose latest record is under it can't be read, and is due. */
  readonly lostKeyId?: string;
  /** All present data keys of the person at this tenant, whether or not the identity's records use them. */
  readonly presentKeyIds: readonly string[];
}

export interface CompleteErasure {
  readonly kind: 'complete_erasure';
  readonly identityId: string;
  readonly now: Date;
  readonly destroyed: readonly { readonly kind: string; readonly count: number }[];
  readonly backupsLastUntil: string;
  readonly certificate: string;
}

export type IdentityCommand =
  | ApplyAttestation
  | NotifyOfExpiry
  | ExpireAttestation
  | SoftDelete
  | EraseAtOnce
  | AnswerErasure
  | Restore
  | DecideErasure
  | CompleteErasure;
