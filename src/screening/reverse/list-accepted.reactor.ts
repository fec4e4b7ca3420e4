import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../../kernel/clock.js';
import { type Recorded, type StoredEvent } from '../../kernel/events.js';
import { type Config } from '../../platform/config/config.js';
import { type Reaction } from '../../kernel/reaction.js';
import { Reactor } from '../../log/react/reactor.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { SCREENING_LIST_STREAM, type ScreeningListAccepted } from '../domain/list.events.js';
import { ScreeningRuns } from './screening-runs.js';

/** Notes that all identities are to be screened against what a new version of a list changed. */
@Reactor({
  name: 'list-screening',
  version: 1,
  streamPrefixes: [SCREENING_LIST_STREAM],
  eventTypes: ['ScreeningListAccepted.v1'] satisfies readonly ScreeningListAccepted['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class ListAcceptedReactor implements Reaction {
  constructor(
    private readonly runs: ScreeningRuns,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'screening'>,
  ) {}

  async handle(event: StoredEvent): Promise<void> {
    const { list, kind, version, replaces } = (event as Recorded<ScreeningListAccepted>).data;
    const dueAt = new Date(this.clock.now().getTime() + this.config.screening.switchedWithin);
    await this.runs.add({ list, kind, version, previous: replaces, eventId: event.id, dueAt });
  }
}
