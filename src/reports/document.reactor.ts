import { Injectable } from '@nestjs/common';
import { type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { EncryptedFiles } from './encrypted-files.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { DOCUMENT_STREAM_PREFIX, type DocumentEvent } from './domain/document.events.js';
import { DocumentJobs } from './document-jobs.js';

/** Queues requested documents, and destroys the files of those that have expired or were withdrawn. */
@Reactor({
  name: 'documents',
  version: 1,
  streamPrefixes: [DOCUMENT_STREAM_PREFIX],
  eventTypes: [
    'DocumentRequested.v1',
    'DocumentFileLost.v1',
    'DocumentExpired.v1',
    'DocumentWithdrawn.v1',
  ] satisfies readonly DocumentEvent['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class DocumentReactor implements Reaction {
  constructor(
    private readonly jobs: DocumentJobs,
    private readonly files: EncryptedFiles,
  ) {}

  async handle(event: StoredEvent): Promise<void> {
    const { type, data } = event as Pick<StoredEvent, 'revision'> & DocumentEvent;
    const document = { tenantId: tenantOfStream(event.stream) as TenantId, documentId: data.documentId };
    switch (type) {
      case 'DocumentRequested.v1':
      case 'DocumentFileLost.v1':
        return this.jobs.enqueue(document);
      case 'DocumentExpired.v1':
      case 'DocumentWithdrawn.v1':
        return this.files.destroyOthers(document, null);
      case 'DocumentCompleted.v1':
      case 'DocumentFailed.v1':
        return;
    }
  }
}
