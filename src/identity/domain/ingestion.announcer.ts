import { type Announcer } from '../../kernel/announcement.js';
import { type StoredEvent } from '../../kernel/events.js';
import {
  INGESTION_STREAM_PREFIX,
  type IngestionCompleted,
  type IngestionFailed,
  type RecordError,
} from './ingestion.events.js';

/** A body holds 20 KB. The status of the ingestion reports all errors. */
const MAX_ERRORS = 25;

const errorsOf = (errors: readonly RecordError[]) => ({
  error_count: errors.length,
  errors: errors
    .slice(0, MAX_ERRORS)
    .map(({ recordIndex, code, detail }) => ({ record_index: recordIndex, code, detail })),
});

type Ended = IngestionCompleted | IngestionFailed;

export const ingestionAnnouncer: Announcer = {
  streamPrefixes: [INGESTION_STREAM_PREFIX],
  eventTypes: ['IngestionCompleted.v1', 'IngestionFailed.v1'] satisfies readonly Ended['type'][],
  announce: (event) => {
    const { type, data } = event as StoredEvent & Ended;
    const ended = { batch_id: data.ingestionId, records_processed: data.recordsProcessed, ...errorsOf(data.errors) };
    if (type === 'IngestionFailed.v1')
      return [{ type: 'ingestion.failed', data: { ...ended, code: data.code, failed_at: data.failedAt } }];
    const completed = { records_superseded: data.recordsSuperseded, completed_at: data.completedAt };
    return [{ type: 'ingestion.completed', data: { ...ended, ...completed } }];
  },
};
