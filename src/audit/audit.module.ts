import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuditTrail } from '../kernel/access.js';
import { LoggedAuditTrail } from './audit.handler.js';
import { AuditLogController } from './http/audit-log.controller.js';
import { LogPurge } from './log-purge.js';
import { OwnEntries } from './own-entries.js';
import { RetentionJobs } from './retention-jobs.js';

@Global()
/** Needs from outside: JobQueue. */
@Module({
  imports: [CqrsModule],
  controllers: [AuditLogController],
  providers: [OwnEntries, LogPurge, RetentionJobs, { provide: AuditTrail, useClass: LoggedAuditTrail }],
  exports: [AuditTrail, RetentionJobs],
})
export class AuditModule {}
