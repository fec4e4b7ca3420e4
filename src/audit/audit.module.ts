import { Module } from '@nestjs/common';
import { AuditEntries, AuditTrail } from '../kernel/access.js';
import { RequestLog } from '../kernel/request-log.js';
import { MonitoringModule } from '../observability/monitoring.module.js';
import { RequestTrail } from '../http/request-trail.js';
import { ProofsModule } from '../proofs/proofs.module.js';
import { AccessLog } from './access-log.js';
import { AnsweredRequests } from './answered-requests.js';
import { AuditExport } from './audit-export.js';
import { AuditLogPurge } from './audit-log-purge.js';
import { AuditLogReader } from './audit-log-reader.js';
import { LoggedAuditTrail } from './logged-audit-trail.js';
import { AuditLogController } from './http/audit-log.controller.js';
import { ReplayController } from './http/replay.controller.js';
import { SecurityLogsController } from './http/security-logs.controller.js';
import { SealedAuditEntries } from './sealed-audit-entries.js';
import { SecurityLogPurge } from './security-log-purge.js';
import { SecurityLog } from './security-log.js';
import { WritePositions } from '../log/append/write-positions.js';

/** The audit trail of each tenant. */
@Module({
  imports: [ProofsModule, MonitoringModule],
  controllers: [AuditLogController, SecurityLogsController, ReplayController],
  providers: [
    WritePositions,
    AuditLogReader,
    AuditLogPurge,
    { provide: AuditTrail, useClass: LoggedAuditTrail },
    { provide: AuditEntries, useClass: SealedAuditEntries },
    AuditExport,
    AccessLog,
    { provide: RequestLog, useExisting: AccessLog },
    SecurityLog,
    SecurityLogPurge,
    { provide: RequestTrail, useClass: AnsweredRequests },
  ],
  exports: [AuditTrail, AuditEntries, RequestLog],
})
export class AuditModule {}
