import { type IngestionAccepted, type IngestionFault, type RecordError } from './ingestion.events.js';

export interface AcceptIngestion {
  readonly kind: 'accept';
  readonly accepted: IngestionAccepted['data'];
}

/** A record that processing failed on. */
export interface RecordFault extends RecordError {
  readonly code: IngestionFault;
}

/** What processing all records came to. */
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

/** A try met errors that a later try may not meet; the one named first gives the try its code. */
export interface FailAttempt {
  readonly kind: 'fail_attempt';
  readonly now: Date;
  readonly recordsProcessed: number;
  readonly faults: readonly [RecordFault, ...RecordFault[]];
}

export interface RetryIngestion {
  readonly kind: 'retry';
  readonly now: Date;
}

export type IngestionCommand = AcceptIngestion | ConcludeIngestion | FailAttempt | RetryIngestion;
