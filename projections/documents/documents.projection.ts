import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { defineProjection } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';
import { RETENTION_STREAM_PREFIX, type RetentionEvent } from '../../src/retention/domain/retention.events.js';
import { DOCUMENT_STREAM_PREFIX, type DocumentEvent } from '../../src/reports/domain/document.events.js';

/** The name of a document's stream ends with the 32 hexadecimal digits of its id. */
const DROP = 'DELETE FROM documents WHERE document_id = right($1, 32)::uuid';

/** Documents change rarely, so each event gets its own statement. */
const statementOf = (event: Recorded<DocumentEvent | RetentionEvent>): Statement | undefined => {
  if (event.type === 'StreamPurged.v1') {
    const { stream } = event.data;
    return stream.startsWith(DOCUMENT_STREAM_PREFIX) ? { text: DROP, values: [stream] } : undefined;
  }
  const { documentId } = event.data;
  switch (event.type) {
    case 'DocumentRequested.v1':
      return {
        text: `INSERT INTO documents (document_id, tenant_id, kind, status, requested_at, position)
               VALUES ($1, $2, $3, 'generating', $4, $5)`,
        values: [documentId, tenantOfStream(event.stream), event.data.kind, event.data.requestedAt, event.position],
      };
    case 'DocumentCompleted.v1':
      return {
        text: `UPDATE documents SET status = 'completed', file_id = $2, expires_at = $3 WHERE document_id = $1`,
        values: [documentId, event.data.fileId, event.data.expiresAt],
      };
    case 'DocumentFileLost.v1':
      return {
        text: `UPDATE documents SET status = 'generating', file_id = NULL, expires_at = NULL WHERE document_id = $1`,
        values: [documentId],
      };
    case 'DocumentFailed.v1':
      return { text: `UPDATE documents SET status = 'failed' WHERE document_id = $1`, values: [documentId] };
    case 'DocumentExpired.v1':
      return {
        text: `UPDATE documents SET status = 'expired', expires_at = NULL WHERE document_id = $1`,
        values: [documentId],
      };
    case 'DocumentWithdrawn.v1':
      return { text: 'DELETE FROM documents WHERE document_id = $1', values: [documentId] };
  }
};

const project = (events: readonly StoredEvent[]): Statement[] =>
  events.flatMap((event) => statementOf(event as Recorded<DocumentEvent | RetentionEvent>) ?? []);

/** Reports and exports with the state of each. */
export const documents = defineProjection(import.meta.url, {
  name: 'documents',
  version: 2,
  tables: ['documents'],
  streamPrefixes: [DOCUMENT_STREAM_PREFIX, RETENTION_STREAM_PREFIX],
  project,
});
