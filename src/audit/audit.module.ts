import { Module } from '@nestjs/common';
import { AuditEntries, AuditTrail } from '../kernel/access.js';
import { StoresModule } from '../platform/stores/stores.module.js';
import { ProofsModule } from '../proofs/proofs.module.js';
import { AuditExport } from './audit-export.js';
import { LoggedAuditTrail } from './logged-audit-trail.js';
import { AuditLogController } from './http/audit-log.controller.js';
import { SealedAuditEntries } from './sealed-audit-entries.js';
import { WritePositions } from './write-positions.js';

/** The audit trail of each tenant. */
@Module({
  imports: [StoresModule, ProofsModule],
  controllers: [AuditLogController],
  providers: [
    WritePositions,
    { provide: AuditTrail, useClass: LoggedAuditTrail },
    { provide: AuditEntries, useClass: SealedAuditEntries },
    AuditExport,
  ],
  exports: [AuditTrail, AuditEntries],
})
export class AuditModule {}
