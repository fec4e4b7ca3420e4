import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { type Config } from '../platform/config/config.js';
import { DataKeyShredder } from '../platform/crypto/data-key-shredder.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { SigningKeys } from '../platform/crypto/signing-keys.js';
import { Database } from '../platform/postgres/database.js';
import { CONFIG } from '../platform/tokens.js';
import { AcceptIngestionHandler } from './accept-ingestion.handler.js';
import { AgeIdentityHandler } from './age-identity.handler.js';
import { ErasureCertificates } from './erasure-certificates.js';
import { EligibilityController } from './http/eligibility.controller.js';
import { IdentitiesController } from './http/identities.controller.js';
import { IngestController } from './http/ingest.controller.js';
import { PublishedKeysController } from './http/published-keys.controller.js';
import { RetentionController } from './http/retention.controller.js';
import { IdentityEraser } from './identity-eraser.js';
import { DeleteIdentityHandler, RestoreIdentityHandler } from './identity.handler.js';
import { IdentityJobs } from './identity-jobs.js';
import { IdentityRepository } from './identity-repository.js';
import { IdentityReader } from './identity-reader.js';
import { IngestionJobs } from './ingestion-jobs.js';
import { IngestionReactor } from './ingestion.reactor.js';
import { IngestionRepository } from './ingestion-repository.js';
import { IngestionStatuses } from './ingestion-statuses.js';
import { ProcessIngestionHandler } from './process-ingestion.handler.js';
import { RetryIngestionHandler } from './retry-ingestion.handler.js';

/** Needs from outside: AttestationIndex, IngestionIndex, Charging, AuditTrail, JobQueue, KeyRing. */
@Module({
  imports: [CqrsModule],
  controllers: [
    IngestController,
    EligibilityController,
    IdentitiesController,
    RetentionController,
    PublishedKeysController,
  ],
  providers: [
    AcceptIngestionHandler,
    ProcessIngestionHandler,
    RetryIngestionHandler,
    DeleteIdentityHandler,
    RestoreIdentityHandler,
    AgeIdentityHandler,
    IdentityRepository,
    IdentityReader,
    IdentityEraser,
    IdentityJobs,
    ErasureCertificates,
    IngestionRepository,
    IngestionStatuses,
    IngestionJobs,
    IngestionReactor,
    {
      provide: DataKeyShredder,
      inject: [Database, CONFIG],
      useFactory: (database: Database, { erasure }: Config) => new DataKeyShredder(database, erasure.keysForgotten),
    },
    {
      provide: SigningKeys,
      inject: [Database, KeyRing],
      useFactory: (database: Database, ring: KeyRing) => new SigningKeys(database, ring),
    },
  ],
  exports: [IngestionJobs],
})
export class IdentityModule {}
