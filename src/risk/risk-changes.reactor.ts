import { Injectable } from '@nestjs/common';
import { CREDITS_STREAM_PREFIX, type OperationCharged } from '../credits/domain/credits.events.js';
import { type Recorded, type StoredEvent } from '../kernel/events.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { RiskChanges } from './risk-changes.js';

/** Has each charged assessment compared with the one before it. */
@Reactor({
  name: 'risk-changes',
  version: 1,
  streamPrefixes: [CREDITS_STREAM_PREFIX],
  eventTypes: ['OperationCharged.v1'],
  startsAt: 'beginning',
})
@Injectable()
export class RiskChangesReactor implements Reaction {
  constructor(private readonly changes: RiskChanges) {}

  concerns(event: StoredEvent): boolean {
    const { operation, record } = (event as Recorded<OperationCharged>).data;
    return operation === 'assess_risk' && record !== undefined;
  }

  handle({ id, position }: StoredEvent): Promise<void> {
    return this.changes.compareCharged(id, position);
  }
}
