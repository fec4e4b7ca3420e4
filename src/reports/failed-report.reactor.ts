import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { OPERATIONS } from '../kernel/contract.js';
import { ReturnCredits } from '../credits/domain/credits.commands.js';
import { Deductions } from '../kernel/charging.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Reaction } from '../kernel/reaction.js';
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
export class FailedReportReactor implements Reaction {
  constructor(
    private readonly deductions: Deductions,
    private readonly commands: CommandBus,
  ) {}

  /** An export is free. */
  concerns(event: StoredEvent): boolean {
    return (event as Recorded<DocumentFailed>).data.kind === 'report';
  }

  async handle(event: StoredEvent): Promise<void> {
    const { documentId: deductionId } = (event as Recorded<DocumentFailed>).data;
    const tenantId = tenantOfStream(event.stream) as TenantId;
    const end = await this.deductions.stateOf(tenantId, deductionId, -1n);
    // It ends within a minute. What is refunded has been given back already.
    if (end === 'open') throw new Unavailable('event_store');
    if (end !== 'settled') return;
    const returned = { deductionId, operation: 'report', amount: OPERATIONS.report.credits } as const;
    await this.commands.execute(
      new ReturnCredits(tenantId, returned, {
        requestId: event.metadata.$correlationId,
        causationId: event.id,
        actor: { type: 'system', id: 'documents' },
      }),
    );
  }
}
