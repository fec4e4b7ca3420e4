import { type Envelope } from '../../kernel/envelope.js';
import { type KycStatus, type Tier } from '../../kernel/kyc.js';

/** Where an ingested record stands among those of the same identity: log position of its acceptance, then its place in the batch. */
export interface AttestationOrder {
  readonly position: bigint;
  readonly recordIndex: number;
}

/** One record as the identity's stream will hold it; `personal` is sealed for that place. */
export interface SealedRecord {
  readonly identityId: string;
  readonly identityHash: string;
  readonly ingestionId: string;
  readonly receivedAt: string;
  readonly kycStatus: KycStatus;
  readonly tier: Tier;
  readonly kycExpiresAt: string | null;
  readonly personal: Envelope;
}

export interface ApplyAttestation {
  readonly kind: 'apply';
  readonly order: AttestationOrder;
  readonly record: SealedRecord;
  /** Data key that the ingestion holds the record under. */
  readonly suppliedUnder: string;
}

export interface ExpireAttestation {
  readonly kind: 'expire';
  readonly identityId: string;
  readonly now: Date;
}

export interface SoftDelete {
  readonly kind: 'delete';
  readonly identityId: string;
  readonly now: Date;
  /** How long it can be restored, milliseconds; 30 days unless said. */
  readonly gracePeriod?: number;
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
  /** An active identity without activity since is due for retention's sake. ISO 8601, UTC, milliseconds. */
  readonly inactiveSince: string;
  /**
   * Keyed hash of e-mail and phone, where the person was last ingested before `inactiveSince` as far as ingestions tell; a
   * person without an identity is then due too.
   */
  readonly dormantHash?: string;
  /** Data keys of the person at this tenant that exist now, whether or not the identity's records use them. */
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
  ApplyAttestation | ExpireAttestation | SoftDelete | Restore | DecideErasure | CompleteErasure;
