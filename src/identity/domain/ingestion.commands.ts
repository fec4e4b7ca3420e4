import { type IngestionAccepted, type IngestionFault, type RecordError } from './ingestion.events.js';

export interface AcceptIngestion {
  readonly kind: 'accept';
  readonly accepted: IngestionAccepted['data'];
}

/** A record whose processing failed. */
export interface RecordFault extends RecordError {
  readonly code: IngestionFault;
}

/** The result of processing all records. */
export interface ConcludeIngestion {
  readonly kind: 'conclude';
  readonly now: Date;
  readonly identityId: string | null;
  /** Applied or superseded. */
  readonly recordsProcessed: number;
  readonly recordsSuperseded: number;
  /** Records that failed for good in processing. */
  readonly faults: readonly RecordFault[];
}

/** A try had errors that a later try may not have. The first error gives the try its code. */
export interface FailAttempt {
  readonly kind: 'fail_attempt';
  /** The number of the try, from 1. A try that was counted already is not counted again. */
  readonly attempt: number;
  readonly now: Date;
  readonly recordsProcessed: number;
  readonly faults: readonly [RecordFault, ...RecordFault[]];
}

export interface RetryIngestion {
  readonly kind: 'retry';
  readonly now: Date;
}

export type IngestionCommand = AcceptIngestion | ConcludeIngestion | FailAttempt | RetryIngestion;
