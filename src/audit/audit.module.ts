import { Module } from '@nestjs/common';
import { AuditTrail } from '../kernel/access.js';
import { StoresModule } from '../platform/stores/stores.module.js';
import { LoggedAuditTrail } from './logged-audit-trail.js';
import { AuditLogController } from './http/audit-log.controller.js';
import { WritePositions } from './write-positions.js';

/** The audit trail of each tenant. */
@Module({
  imports: [StoresModule],
  controllers: [AuditLogController],
  providers: [WritePositions, { provide: AuditTrail, useClass: LoggedAuditTrail }],
  exports: [AuditTrail],
})
export class AuditModule {}
