import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AcceptIngestionHandler } from './accept-ingestion.handler.js';
import { EligibilityController } from './http/eligibility.controller.js';
import { IngestController } from './http/ingest.controller.js';
import { IdentityLedger } from './identity-ledger.js';
import { IngestionJobs } from './ingestion-jobs.js';
import { IngestionLedger } from './ingestion-ledger.js';
import { IngestionStatuses } from './ingestion-statuses.js';
import { ProcessIngestionHandler } from './process-ingestion.handler.js';

/** Needs from outside: AttestationIndex, IngestionIndex, Charging, AuditTrail, JobQueue. */
@Module({
  imports: [CqrsModule],
  controllers: [IngestController, EligibilityController],
  providers: [
    AcceptIngestionHandler,
    ProcessIngestionHandler,
    IdentityLedger,
    IngestionLedger,
    IngestionStatuses,
    IngestionJobs,
  ],
  exports: [IngestionJobs],
})
export class IdentityModule {}
