import { Module } from '@nestjs/common';
import { retention } from '../../projections/retention/retention.projection.js';
import { ProjectionsModule } from '../log/project/projections.module.js';
import { ProofsModule } from '../proofs/proofs.module.js';
import { PurgingModule } from '../contract/purging/purging.module.js';
import { QueueModule } from '../platform/queue/queue.module.js';
import { RetentionController } from './http/retention.controller.js';
import { LogPurge } from './log-purge.js';
import { PurgePreview } from './purge-preview.js';
import { RETENTION_QUEUE, RetentionJobs } from './retention-jobs.js';

/** The daily purge of data past its limit, and the endpoint that reports it to tenants. */
@Module({
  imports: [
    PurgingModule,
    ProofsModule,
    QueueModule.forFeature(RETENTION_QUEUE),
    ProjectionsModule.forFeature({ projections: [retention] }),
  ],
  controllers: [RetentionController],
  providers: [LogPurge, PurgePreview, RetentionJobs],
})
export class RetentionModule {}
