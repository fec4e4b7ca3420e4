import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { uuidHex } from '../../kernel/ids.js';
import { type KycStatus, type Tier } from '../../kernel/kyc.js';

/** The form is `ingestion-<tenant>_<ingestion id as 32 hexadecimal digits>`. */
export const INGESTION_STREAM_PREFIX = 'ingestion-';

export const ingestionStream = (tenantId: string, ingestionId: string): string =>
  `${INGESTION_STREAM_PREFIX}${tenantId}_${uuidHex(ingestionId)}`;

/**
 * Name of the encrypted field of one record. The ciphertext is bound to it. It is the same in both events that hold
 * records.
 */
export const recordField = (recordIndex: number): string => `records.${recordIndex}.personal`;

/** One valid record of an ingestion. `personal` opens at the place (stream, id of the event that holds it, recordField). */
export interface IngestionRecord {
  /** Its place in the request, from 0. */
  readonly recordIndex: number;
  readonly identityId: string;
  readonly identityHash: string;
  readonly kycStatus: KycStatus;
  readonly tier: Tier;
  /** ISO 8601, UTC, milliseconds. Null: does not expire. */
  readonly kycExpiresAt: string | null;
  /** E-mail, phone_number, full_name, date_of_birth, document_reference, data_source_id, external_id and extra_data. */
  readonly personal: Envelope;
}

/** The reason why a record was refused or failed. It holds no personal data. */
export interface RecordError {
  readonly recordIndex: number;
  /** An error code of the API (INVALID_EMAIL …), or one of INGESTION_FAULTS. */
  readonly code: string;
  readonly detail: string;
}

export const INGESTION_FAULTS = ['IDENTITY_DELETED', 'KEY_DESTROYED', 'KEY_UNAVAILABLE', 'PROCESSING_FAILED'] as const;
export type IngestionFault = (typeof INGESTION_FAULTS)[number];

/**
 * A part of a large batch's records, in its own append of at most 256 KiB. It has no effect until IngestionAccepted
 * follows.
 */
export type IngestionRecordsReceived = DomainEvent<
  'IngestionRecordsReceived.v1',
  { readonly ingestionId: string; readonly records: readonly IngestionRecord[] }
>;

/**
 * The ingestion takes effect from here on. Its log position orders it among the ingestions of the same identity. It
 * carries the last part of the records: all of them for a single ingestion and for a batch that fits.
 */
export type IngestionAccepted = DomainEvent<
  'IngestionAccepted.v1',
  {
    readonly ingestionId: string;
    readonly kind: 'single' | 'batch';
    /** Arrival of the request, which becomes last_verified_at. ISO 8601, UTC, milliseconds. */
    readonly receivedAt: string;
    /** Number of records in the request, including refused ones. */
    readonly recordsReceived: number;
    readonly records: readonly IngestionRecord[];
    /** Records refused by validation. */
    readonly errors: readonly RecordError[];
  }
>;

/** A try to process failed. The next one is due at `nextAttemptAt`. */
export type IngestionAttemptFailed = DomainEvent<
  'IngestionAttemptFailed.v1',
  {
    readonly ingestionId: string;
    /** Counts from 1, and again from 1 after a retry by the tenant. */
    readonly attempt: number;
    readonly code: IngestionFault;
    readonly failedAt: string;
    readonly nextAttemptAt: string;
  }
>;

/** Every record was applied, superseded by a newer one, or failed for good. The applied records are earlier in the log. */
export type IngestionCompleted = DomainEvent<
  'IngestionCompleted.v1',
  {
    readonly ingestionId: string;
    readonly completedAt: string;
    readonly recordsProcessed: number;
    /** Records older than the identity's present record. */
    readonly recordsSuperseded: number;
    /** The identity of a single ingestion. Null for a batch. */
    readonly identityId: string | null;
    /** Errors by record: refusals by validation and final failures. */
    readonly errors: readonly RecordError[];
  }
>;

/** No further automatic try. The data stays encrypted in the stream until the tenant retries. */
export type IngestionFailed = DomainEvent<
  'IngestionFailed.v1',
  {
    readonly ingestionId: string;
    readonly failedAt: string;
    readonly code: IngestionFault;
    readonly recordsProcessed: number;
    readonly errors: readonly RecordError[];
  }
>;

/** The tenant asked to process a failed ingestion again. It is accepted again at its first place in the order. */
export type IngestionRetried = DomainEvent<
  'IngestionRetried.v1',
  { readonly ingestionId: string; readonly retriedAt: string }
>;

export type IngestionEvent =
  | IngestionRecordsReceived
  | IngestionAccepted
  | IngestionAttemptFailed
  | IngestionCompleted
  | IngestionFailed
  | IngestionRetried;
