import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { FailedEffects } from '../credits/domain/failed-effects.js';
import { Deductions } from '../kernel/charging.js';
import { type Recorded, type StoredEvent } from '../kernel/events.js';
import { Reactor } from '../log/react/reactor.js';
import { DOCUMENT_STREAM_PREFIX, type DocumentFailed } from './domain/document.events.js';

/** Gives back the cost of a report that failed after its request was answered. */
@Reactor({
  name: 'failed-reports',
  version: 1,
  streamPrefixes: [DOCUMENT_STREAM_PREFIX],
  eventTypes: ['DocumentFailed.v1'] satisfies readonly DocumentFailed['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class FailedReportReactor extends FailedEffects {
  protected readonly operation = 'report';
  protected readonly actor = 'documents';

  constructor(
    protected readonly deductions: Deductions,
    protected readonly commands: CommandBus,
  ) {
    super();
  }

  /** An export is free. */
  concerns(event: StoredEvent): boolean {
    return (event as Recorded<DocumentFailed>).data.kind === 'report';
  }

  protected effectOf(event: StoredEvent): string {
    return (event as Recorded<DocumentFailed>).data.documentId;
  }
}
