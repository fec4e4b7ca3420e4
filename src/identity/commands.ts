import { Command } from '@nestjs/cqrs';
import { type AccessRecord } from '../kernel/access.js';
import { type TenantId } from '../kernel/ids.js';
import { type KycStatus, type Tier } from '../kernel/kyc.js';
import { type RecordError } from './domain/ingestion.events.js';

/** What is encrypted of a record, in the interface's spelling. E-mail is normalised: NFC, trimmed, lower case. */
export interface PersonalData {
  readonly email: string;
  readonly phone_number: string;
  readonly full_name: string;
  readonly date_of_birth?: string;
  readonly document_reference?: string;
  readonly data_source_id?: string;
  readonly extra_data?: Readonly<Record<string, unknown>>;
}

/** A valid record as a tenant supplied it. */
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

/** Takes records in; answers with AcceptedIngestion once they and their audit entries are durable. */
export class AcceptIngestion extends Command<AcceptedIngestion> {
  constructor(
    readonly data: {
      readonly tenantId: TenantId;
      /** A UUID; giving the same one again finds the first. */
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

/** Applies an accepted ingestion to its identities; does nothing where that has happened. */
export class ProcessIngestion extends Command<void> {
  constructor(readonly data: { readonly tenantId: TenantId; readonly ingestionId: string }) {
    super();
  }
}

/** Soft deletion; answers with DeletedIdentity once it holds in the index too. */
export class DeleteIdentity extends Command<DeletedIdentity> {
  constructor(readonly data: IdentityRequest) {
    super();
  }
}

/** Undoes a soft deletion within the grace period; answers once it holds in the index too. */
export class RestoreIdentity extends Command<void> {
  constructor(readonly data: IdentityRequest) {
    super();
  }
}

export interface IdentityRequest {
  readonly tenantId: TenantId;
  readonly identityId: string;
  /** A UUID; giving the same one again finds the first change. */
  readonly changeId: string;
  /** An earlier attempt had the same one, if perhaps long ago. */
  readonly repeated?: boolean;
  readonly access: AccessRecord;
}

export interface DeletedIdentity {
  readonly deletedAt: string;
  readonly purgeAt: string;
}

/** Accepts a failed ingestion anew, at its first place in the order. */
export class RetryIngestion extends Command<void> {
  constructor(
    readonly data: {
      readonly tenantId: TenantId;
      readonly ingestionId: string;
      /** A UUID; giving the same one again finds the first retry. */
      readonly retryId: string;
      readonly access: AccessRecord;
    },
  ) {
    super();
  }
}

/** What the passing of time does to an identity: expiry, the end of the grace period, the end of retention, erasure. */
export class ApplyRetention extends Command<void> {
  constructor(
    readonly data: {
      readonly tenantId: TenantId;
      readonly identityId: string;
      readonly change: 'expire' | 'decide_erasure' | 'erase';
      /** Keyed hash of a person whose last ingestion has been kept long enough: due also without an identity. */
      readonly dormantHash?: string;
    },
  ) {
    super();
  }
}
