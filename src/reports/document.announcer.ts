import { type Announcement, type Announcer } from '../kernel/announcement.js';
import { type StoredEvent } from '../kernel/events.js';
import { DOCUMENT_STREAM_PREFIX, type DocumentEvent } from './domain/document.events.js';

type Ended = Extract<DocumentEvent, { readonly type: 'DocumentCompleted.v1' | 'DocumentFailed.v1' }>;

const announce = (event: StoredEvent): readonly Announcement[] => {
  const { type, data } = event as Pick<StoredEvent, 'stream'> & Ended;
  const { kind, documentId } = data;
  if (type === 'DocumentFailed.v1') {
    if (kind === 'export') return [];
    return [{ type: 'report.failed', data: { report_id: documentId, failed_at: data.failedAt, error: data.reason } }];
  }
  const { completedAt: completed_at, sha256 } = data;
  return kind === 'report'
    ? [{ type: 'report.completed', data: { report_id: documentId, completed_at, sha256 } }]
    : [{ type: 'export.completed', data: { export_id: documentId, completed_at, sha256 } }];
};

export const documentAnnouncer: Announcer = {
  streamPrefixes: [DOCUMENT_STREAM_PREFIX],
  eventTypes: ['DocumentCompleted.v1', 'DocumentFailed.v1'] satisfies readonly Ended['type'][],
  announce,
};
