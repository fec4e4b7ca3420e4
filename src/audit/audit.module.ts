import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { retention } from '../../projections/retention/retention.projection.js';
import { AuditTrail } from '../kernel/access.js';
import { ProjectionsModule } from '../platform/projections/projections.module.js';
import { QueueModule } from '../platform/queue/queue.module.js';
import { StoresModule } from '../platform/stores/stores.module.js';
import { LoggedAuditTrail } from './audit.handler.js';
import { AuditLogController } from './http/audit-log.controller.js';
import { LogPurge } from './log-purge.js';
import { OwnEntries } from './own-entries.js';
import { RETENTION_QUEUE, RetentionJobs } from './retention-jobs.js';

/** The audit trail of each tenant, and the daily purge. */
@Module({
  imports: [
    CqrsModule,
    StoresModule,
    QueueModule.forFeature(RETENTION_QUEUE),
    ProjectionsModule.forFeature({ projections: [retention] }),
  ],
  controllers: [AuditLogController],
  providers: [OwnEntries, LogPurge, RetentionJobs, { provide: AuditTrail, useClass: LoggedAuditTrail }],
  exports: [AuditTrail],
})
export class AuditModule {}
