import { Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { isUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { Context, RequiresRole } from '../../http/access.js';
import { noteChanges } from '../../http/operator-trail.js';
import { type OperatorPrincipal, type RequestContext } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { Database } from '../../platform/postgres/database.js';
import { CLOCK } from '../../platform/tokens.js';
import { SECTIONS } from '../incident-sections.js';
import { ProjectionJobs } from '../projection-jobs.js';
import { readDeadJobs, readDrift, readParked, retryParked } from '../troubles.js';
import {
  DriftAnswer,
  IncidentAnswer,
  ParkedEventsAnswer,
  RetriesAnswer,
  toDrift,
  toParkedEvents,
} from './troubles.dto.js';

/** What needs an operator: rows that drift, events that could not be processed, and all of it at once. */
@ApiTags('Operators')
@Controller('admin')
export class TroublesController {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly jobs: ProjectionJobs,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('drift')
  @RequiresRole('security', 'admin')
  @RespondsWith(200, { summary: 'Accounts whose rows differ from their streams', type: DriftAnswer })
  async listDrift(): Promise<DriftAnswer> {
    return toDrift(await readDrift(this.database));
  }

  @Get('parked-events')
  @RequiresRole('security', 'admin')
  @RespondsWith(200, { summary: 'Events that could not be processed, and jobs that died', type: ParkedEventsAnswer })
  async listParkedEvents(): Promise<ParkedEventsAnswer> {
    return toParkedEvents(await readParked(this.database), await readDeadJobs(this.database));
  }

  @Post('parked-events/:event_id/retry')
  @RequiresRole('admin')
  @RespondsWith(202, { summary: 'Process a parked event again, within seconds', type: RetriesAnswer })
  async retryParkedEvent(
    @Param('event_id') eventId: string,
    @Context() context: RequestContext<OperatorPrincipal>,
  ): Promise<RetriesAnswer> {
    const retries = isUuid(eventId) ? await retryParked(this.database, { reactor: undefined, eventId }) : 0;
    if (retries === 0) throw refuse('not_found');
    noteChanges(context, [{ field: 'retry_requested', from: false, to: true }]);
    return { retries };
  }

  @Get('incident')
  @RequiresRole('security', 'admin')
  @RespondsWith(200, {
    summary: 'What to keep of an incident, at once',
    description: 'What `npm run incident -- snapshot` writes, but for health and configuration.',
    type: IncidentAnswer,
  })
  async takeIncident(): Promise<IncidentAnswer> {
    const { database, store } = this;
    const sources = { database, store, projections: this.jobs.projections };
    const sections: Record<string, unknown> = {};
    const not_read: string[] = [];
    for (const [name, read] of Object.entries(SECTIONS)) {
      try {
        sections[name] = await read(sources);
      } catch {
        // A store that is away may be the incident.
        not_read.push(name);
      }
    }
    return { taken_at: this.clock.now().toISOString(), sections, not_read };
  }
}
