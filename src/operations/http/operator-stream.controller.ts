import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { RequiresRole } from '../../http/access.js';
import { EVENT_STREAM, EventStreamQuery, type ServerSentEvent } from '../../http/event-streams.js';
import { type RawResponse, RespondsWith } from '../../http/responses.js';
import { Database } from '../../platform/postgres/database.js';
import { Now } from '../now/now.js';
import { ProjectionJobs } from '../projection-jobs.js';
import { readPlaces } from '../projection-places.js';
import { toNow } from './now.controller.js';
import { toJob, toProjections } from './projections.dto.js';

/** Jobs that a stream reports. */
const JOBS = 10;

/** What operators watch. The operators' log has one entry a stream. */
@ApiTags('Operators')
@Controller('admin/stream')
export class OperatorStreamController {
  constructor(
    private readonly jobs: ProjectionJobs,
    private readonly now: Now,
    private readonly database: Database,
    private readonly store: EventStore,
  ) {}

  @Get()
  @RequiresRole('security', 'admin')
  @RespondsWith(200, {
    summary: 'Where the parts, the read models and their jobs stand, as server-sent events',
    description:
      'Events `now`, `projections` and `jobs` hold what the reads of this name answer, once at the beginning and whenever it changes.',
    content: [{ type: EVENT_STREAM }],
  })
  streamOperations(@Query() { seconds }: EventStreamQuery, @Req() request: FastifyRequest): RawResponse {
    const sent = new Map<string, string>();
    return request.eventStream(seconds, async () => {
      const [parts, places, jobs] = await Promise.all([
        this.now.parts(),
        readPlaces(this.database, this.store, this.jobs.projections),
        this.jobs.newest(JOBS),
      ]);
      const events: readonly ServerSentEvent[] = [
        { event: 'now', data: toNow(parts) },
        { event: 'projections', data: toProjections(places) },
        { event: 'jobs', data: { jobs: jobs.map(toJob) } },
      ];
      return events.filter(({ event = '', data }) => {
        const text = JSON.stringify(data);
        if (sent.get(event) === text) return false;
        sent.set(event, text);
        return true;
      });
    });
  }
}
