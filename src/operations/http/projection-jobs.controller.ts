import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { isUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { RequiresRole } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { ProjectionJobs } from '../projection-jobs.js';
import { JobsQuery, ProjectionJobAnswer, ProjectionJobsAnswer, toJob } from './projections.dto.js';

/** Verifications and rebuilds of read models, under way and ended. */
@ApiTags('Operators')
@Controller('admin/projection-jobs')
export class ProjectionJobsController {
  constructor(private readonly jobs: ProjectionJobs) {}

  @Get()
  @RequiresRole('security', 'admin')
  @RespondsWith(200, { summary: 'Verifications and rebuilds, the newest first', type: ProjectionJobsAnswer })
  async listProjectionJobs(@Query() { limit }: JobsQuery): Promise<ProjectionJobsAnswer> {
    return { jobs: (await this.jobs.newest(limit)).map(toJob) };
  }

  @Get(':job_id')
  @RequiresRole('security', 'admin')
  @RespondsWith(200, { summary: 'How far a verification or rebuild is, and what it found', type: ProjectionJobAnswer })
  async getProjectionJob(@Param('job_id') id: string): Promise<ProjectionJobAnswer> {
    const job = isUuid(id) ? await this.jobs.find(id) : undefined;
    if (job === undefined) throw refuse('not_found');
    return toJob(job);
  }
}
