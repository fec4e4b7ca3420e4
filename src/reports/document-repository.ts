import { Injectable } from '@nestjs/common';
import { type CommandMetadata } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates, type Decided, type Loaded } from '../log/append/aggregates.js';
import { documentCategory } from './domain/document.category.js';
import { type DocumentCommand } from './domain/document.commands.js';
import { type Document } from './domain/document.js';
import { type DocumentEvent, type DocumentRequested, documentStream } from './domain/document.events.js';

export interface DocumentTarget {
  readonly tenantId: TenantId;
  readonly documentId: string;
}

/** Reads and writes the document streams. Everything throws Unavailable. */
@Injectable()
export class DocumentRepository {
  private readonly documents: Aggregates<Document, DocumentCommand, DocumentEvent>;

  constructor(aggregates: AggregateStore) {
    this.documents = aggregates.of(documentCategory);
  }

  load({ tenantId, documentId }: DocumentTarget): Promise<Loaded<Document, DocumentEvent>> {
    return this.documents.load(documentStream(tenantId, documentId));
  }

  /** The id of a document is that of its first event. */
  request(
    target: DocumentTarget,
    request: DocumentRequested['data'],
    metadata: CommandMetadata,
  ): Promise<Decided<Document, DocumentEvent>> {
    const stream = documentStream(target.tenantId, target.documentId);
    return this.documents.execute(stream, { kind: 'request', request }, { metadata, firstEventId: target.documentId });
  }

  execute(
    { tenantId, documentId }: DocumentTarget,
    command: DocumentCommand,
    metadata: CommandMetadata,
  ): Promise<Decided<Document, DocumentEvent>> {
    return this.documents.execute(documentStream(tenantId, documentId), command, { metadata });
  }
}
