import { Injectable } from '@nestjs/common';
import { CREDITS_STREAM_PREFIX, type OperationCharged } from '../../credits/domain/credits.events.js';
import { type Recorded, type StoredEvent } from '../../kernel/events.js';
import { type Reaction } from '../../kernel/reaction.js';
import { Reactor } from '../../log/react/reactor.js';
import { DecisionAnnouncements } from './decision-announcements.js';

/** Has each check that was not clear announced, once. */
@Reactor({
  name: 'decision-announcements',
  version: 1,
  streamPrefixes: [CREDITS_STREAM_PREFIX],
  eventTypes: ['OperationCharged.v1'],
  startsAt: 'beginning',
})
@Injectable()
export class DecisionAnnouncementsReactor implements Reaction {
  constructor(private readonly announcements: DecisionAnnouncements) {}

  concerns(event: StoredEvent): boolean {
    const { operation, result, record } = (event as Recorded<OperationCharged>).data;
    const hasFound =
      (operation === 'sanctions_check' && result !== 'clear') || (operation === 'pep_check' && result === 'pep');
    return hasFound && record !== undefined;
  }

  handle({ id, position }: StoredEvent): Promise<void> {
    return this.announcements.announceCharged(id, position);
  }
}
