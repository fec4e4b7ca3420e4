import { type DomainEvent } from '../../kernel/decider.js';

export const CLAIMS_STREAM_PREFIX = 'claims-';

/** The asking tenant's claims, all in one stream, since they are limited together. */
export const claimsStream = (askerTenantId: string): string => `${CLAIMS_STREAM_PREFIX}${askerTenantId}`;

export const CLAIM_PURPOSES = ['onboarding', 'reverification', 'fraud_investigation', 'legal_obligation'] as const;
export type ClaimPurpose = (typeof CLAIM_PURPOSES)[number];

/** The fields of a record that an approval can name, as in an ingestion. */
export const CLAIM_FIELDS = [
  'email',
  'phone_number',
  'full_name',
  'date_of_birth',
  'kyc_status',
  'tier',
  'document_reference',
  'data_source_id',
  'kyc_expires_at',
  'extra_data',
] as const;
export type ClaimField = (typeof CLAIM_FIELDS)[number];

/** All times are ISO 8601, UTC, with milliseconds. */
export type ClaimRequested = DomainEvent<
  'ClaimRequested.v1',
  {
    readonly claimId: string;
    /** Keyed hash of the claimed person's e-mail and phone. */
    readonly identityHash: string;
    readonly purpose: ClaimPurpose;
    readonly requestedAt: string;
    /** Without an approval, the claim is rejected at this time. */
    readonly expiresAt: string;
  }
>;

/** A tenant that attests the person lets the asker read these fields of its record until `expiresAt`. */
export type ClaimGranted = DomainEvent<
  'ClaimGranted.v1',
  {
    readonly claimId: string;
    readonly attestorTenantId: string;
    /** The organisation's name. */
    readonly attestedBy: string;
    readonly identityId: string;
    /** As in the approval. */
    readonly life: string;
    readonly fields: readonly ClaimField[];
    readonly grantedAt: string;
    readonly expiresAt: string;
  }
>;

/** No one approved in time. It does not say whether an account was asked. */
export type ClaimLapsed = DomainEvent<'ClaimLapsed.v1', { readonly claimId: string; readonly lapsedAt: string }>;

/** The credits of a claim went back, so it was never made. */
export type ClaimWithdrawn = DomainEvent<
  'ClaimWithdrawn.v1',
  { readonly claimId: string; readonly withdrawnAt: string }
>;

export type ClaimsEvent = ClaimRequested | ClaimGranted | ClaimLapsed | ClaimWithdrawn;
