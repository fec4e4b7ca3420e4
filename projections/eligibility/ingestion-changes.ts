import { type RetentionEvent } from '../../src/retention/domain/retention.events.js';
import {
  INGESTION_STREAM_PREFIX,
  type IngestionEvent,
  type RecordError,
} from '../../src/identity/domain/ingestion.events.js';
import { type Recorded, tenantOfStream } from '../../src/kernel/events.js';

/** An ingestion's progress: the only part of its row that changes. */
export interface IngestionProgress {
  readonly tenant_id: string;
  readonly ingestion_id: string;
  readonly status: 'accepted' | 'completed' | 'failed';
  readonly records_processed: number;
  readonly records_superseded: number;
  /** Null: only the errors of validation. */
  readonly errors: readonly RecordError[] | null;
  readonly ended_at: string | null;
  readonly identity_id: string | null;
  readonly next_attempt_at: string | null;
}

export interface AcceptedRow {
  readonly tenant_id: string;
  readonly ingestion_id: string;
  readonly kind: 'single' | 'batch';
  readonly records_received: number;
  readonly refusals: readonly RecordError[];
  readonly received_at: string;
}

const waiting = (event: Recorded<IngestionEvent>, nextAttemptAt: string): IngestionProgress => ({
  tenant_id: tenantOfStream(event.stream),
  ingestion_id: event.data.ingestionId,
  status: 'accepted',
  records_processed: 0,
  records_superseded: 0,
  errors: null,
  ended_at: null,
  identity_id: null,
  next_attempt_at: nextAttemptAt,
});

/** Reduces a batch to its changes of each ingestion. */
export class IngestionChanges {
  readonly accepted = new Map<string, AcceptedRow>();
  readonly progress = new Map<string, IngestionProgress>();
  /** `ingestion_id` as 32 hexadecimal digits, as in the stream's name. */
  readonly purged: { readonly tenant_id: string; readonly ingestion_id: string }[] = [];

  add(event: Recorded<IngestionEvent | RetentionEvent>): void {
    switch (event.type) {
      case 'IngestionAccepted.v1':
        this.accepted.set(event.stream, {
          tenant_id: tenantOfStream(event.stream),
          ingestion_id: event.data.ingestionId,
          kind: event.data.kind,
          records_received: event.data.recordsReceived,
          refusals: event.data.errors,
          received_at: event.data.receivedAt,
        });
        this.progress.set(event.stream, waiting(event, event.data.receivedAt));
        break;
      case 'IngestionAttemptFailed.v1':
        this.progress.set(event.stream, waiting(event, event.data.nextAttemptAt));
        break;
      case 'IngestionRetried.v1':
        this.progress.set(event.stream, waiting(event, event.data.retriedAt));
        break;
      case 'IngestionCompleted.v1':
        this.end(event, 'completed', event.data.completedAt, event.data.recordsSuperseded, event.data.identityId);
        break;
      case 'IngestionFailed.v1':
        this.end(event, 'failed', event.data.failedAt, 0, null);
        break;
      case 'StreamPurged.v1':
        this.drop(event.data.stream);
        break;
      // Has no effect until its ingestion is accepted.
      case 'IngestionRecordsReceived.v1':
        break;
    }
  }

  private drop(stream: string): void {
    if (!stream.startsWith(INGESTION_STREAM_PREFIX)) return;
    const ingestionId = stream.slice(stream.indexOf('_') + 1);
    this.purged.push({ tenant_id: tenantOfStream(stream), ingestion_id: ingestionId });
  }

  private end(
    event: Recorded<Extract<IngestionEvent, { type: 'IngestionCompleted.v1' | 'IngestionFailed.v1' }>>,
    status: 'completed' | 'failed',
    endedAt: string,
    superseded: number,
    identityId: string | null,
  ): void {
    this.progress.set(event.stream, {
      tenant_id: tenantOfStream(event.stream),
      ingestion_id: event.data.ingestionId,
      status,
      records_processed: event.data.recordsProcessed,
      records_superseded: superseded,
      errors: event.data.errors,
      ended_at: endedAt,
      identity_id: identityId,
      next_attempt_at: null,
    });
  }
}
