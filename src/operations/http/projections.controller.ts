import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { type Projection } from '../../log/project/projection.js';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { Context, RequiresRole } from '../../http/access.js';
import { noteChanges } from '../../http/operator-trail.js';
import { type OperatorPrincipal, type RequestContext } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { Database } from '../../platform/postgres/database.js';
import { type JobKind } from '../projection-job-rows.js';
import { ProjectionJobs } from '../projection-jobs.js';
import { readPlaces } from '../projection-places.js';
import { ProjectionJobAnswer, ProjectionsAnswer, RebuildRequest, toJob, toProjections } from './projections.dto.js';

type Operator = RequestContext<OperatorPrincipal>;

const JOB = { type: ProjectionJobAnswer, refuses: ['CONFLICT'] } as const;

/** The read models: where they stand, and their verification and rebuild beside the live rows. */
@ApiTags('Operators')
@Controller('admin/projections')
export class ProjectionsController {
  constructor(
    private readonly jobs: ProjectionJobs,
    private readonly database: Database,
    private readonly store: EventStore,
  ) {}

  @Get()
  @RequiresRole('security', 'admin')
  @RespondsWith(200, { summary: 'Where every read model stands', type: ProjectionsAnswer })
  async listProjections(): Promise<ProjectionsAnswer> {
    return toProjections(await readPlaces(this.database, this.store, this.jobs.projections));
  }

  @Post(':name/verify')
  @RequiresRole('security', 'admin')
  @RespondsWith(202, {
    summary: 'Make a read model anew beside the live rows, and compare them',
    description: 'Nothing changes: the rows made anew are dropped. `all` reads the log once for all.',
    ...JOB,
  })
  verifyProjection(@Param('name') name: string, @Context() context: Operator): Promise<ProjectionJobAnswer> {
    return this.begin('verify', name, context);
  }

  @Post(':name/rebuild')
  @RequiresRole('admin')
  @RespondsWith(202, {
    summary: 'Make a read model anew beside the live rows, and put it in their place',
    description: 'The live rows serve until then. What fails leaves them as they are.',
    ...JOB,
  })
  rebuildProjection(
    @Param('name') name: string,
    // The operators' log takes the reason from the body.
    @Body() _body: RebuildRequest,
    @Context() context: Operator,
  ): Promise<ProjectionJobAnswer> {
    return this.begin('rebuild', name, context);
  }

  private async begin(kind: JobKind, name: string, context: Operator): Promise<ProjectionJobAnswer> {
    const id = context.keyed?.effectId('projection_job') ?? newUuid();
    const job = await this.jobs.begin(id, kind, this.named(name));
    noteChanges(context, [{ field: 'projection_job', from: null, to: id }]);
    return toJob(job);
  }

  private named(name: string): readonly Projection[] {
    const { projections } = this.jobs;
    const chosen = name === 'all' ? projections : projections.filter((each) => each.name === name);
    if (chosen.length === 0) throw refuse('not_found');
    return chosen;
  }
}
