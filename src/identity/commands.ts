import { Command } from '@nestjs/cqrs';
import { type AccessRecord } from '../kernel/access.js';
import { type TenantId } from '../kernel/ids.js';
import { type KycStatus, type Tier } from '../kernel/kyc.js';
import { type RecordError } from './domain/ingestion.events.js';

/** The encrypted part of a record, with the API's field names. E-mail is normalised: NFC, trimmed, lower case. */
export interface PersonalData {
  readonly email: string;
  readonly phone_number: string;
  readonly full_name: string;
  readonly date_of_birth?: string;
  readonly document_reference?: string;
  readonly data_source_id?: string;
  /** The caller's own id of the record. */
  readonly external_id?: string;
  readonly extra_data?: Readonly<Record<string, unknown>>;
}

/** A valid record as supplied by a tenant. */
export interface SuppliedRecord {
  readonly recordIndex: number;
  readonly personal: PersonalData;
  readonly kycStatus: KycStatus;
  readonly tier: Tier;
  readonly kycExpiresAt: Date | undefined;
}

export interface AcceptedIngestion {
  readonly ingestionId: string;
  readonly receivedAt: string;
}

/** Accepts records. Returns AcceptedIngestion once they and their audit entries are durable. */
export class AcceptIngestion extends Command<AcceptedIngestion> {
  constructor(
    readonly data: {
      readonly tenantId: TenantId;
      /** A UUID. A repeated call with the same one finds the first ingestion. */
      readonly ingestionId: string;
      readonly kind: 'single' | 'batch';
      readonly recordsReceived: number;
      readonly records: readonly SuppliedRecord[];
      readonly errors: readonly RecordError[];
      readonly access: AccessRecord;
    },
  ) {
    super();
  }
}

/** Applies an accepted ingestion to its identities. Does nothing if it is already applied. */
export class ProcessIngestion extends Command<void> {
  constructor(readonly data: { readonly tenantId: TenantId; readonly ingestionId: string }) {
    super();
  }
}

/** Soft deletion. Returns DeletedIdentity once the index shows it too. */
export class DeleteIdentity extends Command<DeletedIdentity> {
  constructor(readonly data: IdentityRequest) {
    super();
  }
}

/**
 * Ends the grace period at once, by the person's request, and begins the erasure, or proposes that where it needs two people. Returns
 * once no index shows the identity.
 */
export class EraseIdentity extends Command<ErasureState> {
  constructor(readonly data: IdentityRequest & { readonly reason: string; readonly needsTwo?: boolean }) {
    super();
  }
}

/** What a second person says of a proposed erasure. */
export class AnswerErasure extends Command<ErasureState> {
  constructor(
    readonly data: IdentityRequest & {
      readonly reason: string;
      readonly proposalId: string;
      readonly isApproved: boolean;
      readonly isAnother: (actor: string) => boolean;
    },
  ) {
    super();
  }
}

/** `kept`: a proposal was rejected. */
export type ErasureState = 'erasing' | 'proposed' | 'kept';

/** Undoes a soft deletion within the grace period. Returns once the index shows it too. */
export class RestoreIdentity extends Command<void> {
  constructor(readonly data: IdentityRequest) {
    super();
  }
}

export interface IdentityRequest {
  readonly tenantId: TenantId;
  readonly identityId: string;
  /** A UUID. A repeated call with the same one finds the first change. */
  readonly changeId: string;
  /** Whether an earlier attempt, perhaps long ago, had the same changeId. */
  readonly repeated?: boolean;
  readonly access: AccessRecord;
}

export interface DeletedIdentity {
  readonly deletedAt: string;
  readonly purgeAt: string;
}

/** Accepts a failed ingestion again, at its first place in the order. */
export class RetryIngestion extends Command<void> {
  constructor(
    readonly data: {
      readonly tenantId: TenantId;
      readonly ingestionId: string;
      /** A UUID. A repeated call with the same one finds the first retry. */
      readonly retryId: string;
      readonly access: AccessRecord;
    },
  ) {
    super();
  }
}

/** Applies a change that is due by time: a notice of the expiry, the expiry, the end of the grace period, the end of retention, or erasure. */
export class ApplyRetention extends Command<void> {
  constructor(
    readonly data: {
      readonly tenantId: TenantId;
      readonly identityId: string;
      readonly change: 'first_notice' | 'last_notice' | 'expire' | 'decide_erasure' | 'erase';
      /** A data key that was lost and given up: an identity that it leaves unreadable is due. */
      readonly lostKeyId?: string;
      /**
       * Keyed hash of a person whose last ingestion has reached its retention limit. Such a person is due even
       * without an identity.
       */
      readonly dormantHash?: string;
    },
  ) {
    super();
  }
}
