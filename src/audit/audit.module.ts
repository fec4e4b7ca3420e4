import { Global, Module } from '@nestjs/common';
import { AuditTrail } from '../kernel/access.js';
import { LoggedAuditTrail } from './audit.handler.js';
import { AuditLogController } from './http/audit-log.controller.js';
import { OwnEntries } from './own-entries.js';

@Global()
@Module({
  controllers: [AuditLogController],
  providers: [OwnEntries, { provide: AuditTrail, useClass: LoggedAuditTrail }],
  exports: [AuditTrail],
})
export class AuditModule {}
