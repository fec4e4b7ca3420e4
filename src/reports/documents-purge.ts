import { Injectable } from '@nestjs/common';
import { type DocumentRow, documentsBefore } from '../../projections/documents/documents.queries.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ReadModels } from '../log/project/projection.js';
import { PurgeStep, type PurgeRound, type Purges } from '../contract/purging/purge-step.js';
import { purgeEach } from '../contract/purging/streams.js';
import { DOCUMENT_STREAM_PREFIX, documentStream } from './domain/document.events.js';

const FIRST = '00000000-0000-0000-0000-000000000000';

/** Purges the records of reports and exports that were requested before their limit. Their files are long destroyed. */
@Injectable()
@PurgeStep({ name: 'documents', categories: ['document'] })
export class DocumentsPurge implements Purges {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
  ) {}

  purge(round: PurgeRound): Promise<void> {
    const before = round.keptSince(DOCUMENT_STREAM_PREFIX);
    return purgeEach<DocumentRow>(this.store, round, before, {
      find: (last, limit) => documentsBefore(this.readModels, before, last?.documentId ?? FIRST, limit),
      streamOf: ({ tenantId, documentId }) => documentStream(tenantId, documentId),
    });
  }
}
