import { CredentialsModule } from '../credentials/credentials.module.js';
import { PidIngestionController } from './http/pid-ingestion.controller.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ReviewSettingsModule } from '../screening/settings/review-settings.module.js';
import { AnswerErasureHandler, EraseIdentityHandler } from './erase-identity.handler.js';
import { ErasuresController } from './http/erasures.controller.js';
import { PersonErasure } from './person-erasure.js';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { eligibility } from '../../projections/eligibility/eligibility.projection.js';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { AuditModule } from '../audit/audit.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { type Config } from '../platform/config/config.js';
import { DataKeyShredder } from '../platform/crypto/data-key-shredder.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { SigningKeys } from '../platform/crypto/signing-keys.js';
import { ErasureModule } from '../contract/erasure/erasure.module.js';
import { Database } from '../platform/postgres/database.js';
import { ReadModels } from '../log/project/projection.js';
import { MonitoringModule } from '../observability/monitoring.module.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { ProjectionsModule } from '../log/project/projections.module.js';
import { QueueModule } from '../platform/queue/queue.module.js';
import { CONFIG } from '../platform/tokens.js';
import { identityAnnouncer } from './domain/identity.announcer.js';
import { ingestionAnnouncer } from './domain/ingestion.announcer.js';
import { AcceptIngestionHandler } from './accept-ingestion.handler.js';
import { ApplyRetentionHandler } from './apply-retention.handler.js';
import { ErasureCertificates } from './erasure-certificates.js';
import { EligibilityController } from './http/eligibility.controller.js';
import { IdentitiesExport } from './identities-export.js';
import { IdentityListController } from './http/identity-list.controller.js';
import { IngestionListController } from './http/ingestion-list.controller.js';
import { IdentitiesController } from './http/identities.controller.js';
import { IngestController } from './http/ingest.controller.js';
import { IdentityEraser } from './identity-eraser.js';
import { DeleteIdentityHandler, RestoreIdentityHandler } from './identity.handler.js';
import { IdentityJobs } from './identity-jobs.js';
import { IdentityRepository } from './identity-repository.js';
import { IdentityLife } from './identity-life.js';
import { IdentityReader } from './identity-reader.js';
import { INGESTION_QUEUE, IngestionJobs } from './ingestion-jobs.js';
import { IngestionReactor } from './ingestion.reactor.js';
import { IngestionRepository } from './ingestion-repository.js';
import { IngestionRecords } from './ingestion-records.js';
import { IngestionStatuses } from './ingestion-statuses.js';
import { IngestionsPurge } from './ingestions-purge.js';
import { ProcessIngestionHandler } from './process-ingestion.handler.js';
import { RetryIngestionHandler } from './retry-ingestion.handler.js';

/** Ingestion, identities from attestation to erasure, and eligibility. */
@Module({
  imports: [
    AccountsModule,
    ReviewSettingsModule,
    CqrsModule,
    MonitoringModule,
    AuditModule,
    CreditsModule,
    ErasureModule,
    CredentialsModule,
    QueueModule.forFeature(INGESTION_QUEUE),
    ProjectionsModule.forFeature({ projections: [eligibility] }),
    AnnouncementsModule.forFeature(identityAnnouncer, ingestionAnnouncer),
  ],
  controllers: [
    IngestController,
    EligibilityController,
    IdentitiesController,
    IdentityListController,
    IngestionListController,
    ErasuresController,
    PidIngestionController,
  ],
  providers: [
    AcceptIngestionHandler,
    ProcessIngestionHandler,
    RetryIngestionHandler,
    DeleteIdentityHandler,
    RestoreIdentityHandler,
    EraseIdentityHandler,
    AnswerErasureHandler,
    PersonErasure,
    ApplyRetentionHandler,
    IdentityRepository,
    IdentityReader,
    IdentityLife,
    IdentityEraser,
    IdentityJobs,
    ErasureCertificates,
    IdentitiesExport,
    IngestionRepository,
    IngestionRecords,
    IngestionStatuses,
    IngestionJobs,
    IngestionReactor,
    IngestionsPurge,
    {
      provide: EligibilityQueries,
      inject: [ReadModels],
      useFactory: (readModels: ReadModels) => new EligibilityQueries(readModels),
    },
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
})
export class IdentityModule {}
