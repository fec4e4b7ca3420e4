import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { documents } from '../../projections/documents/documents.projection.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { type Clock } from '../kernel/clock.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { type Config } from '../platform/config/config.js';
import { DataKeyShredder } from '../platform/crypto/data-key-shredder.js';
import { DataKeys } from '../platform/crypto/data-keys.js';
import { EncryptedFiles } from './encrypted-files.js';
import { Database } from '../platform/postgres/database.js';
import { ProjectionsModule } from '../log/project/projections.module.js';
import { QueueModule } from '../platform/queue/queue.module.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { ProofsModule } from '../proofs/proofs.module.js';
import { ExportArchive } from './content/export-archive.js';
import { DiscoveredSections, ExportSections } from './content/export-sections.js';
import { documentAnnouncer } from './document.announcer.js';
import { DOCUMENT_QUEUE, DocumentJobs } from './document-jobs.js';
import { DocumentMaker } from './document-maker.js';
import { DocumentReactor } from './document.reactor.js';
import { DocumentRepository } from './document-repository.js';
import { DocumentRequests } from './document-requests.js';
import { DocumentsErasure } from './documents-erasure.js';
import { DocumentsPurge } from './documents-purge.js';
import { DownloadLinks } from './download-links.js';
import { ExportTurns } from './export-turns.js';
import { FailedReportReactor } from './failed-report.reactor.js';
import { DownloadsController } from './http/downloads.controller.js';
import { ExportsController } from './http/exports.controller.js';
import { ReportsController } from './http/reports.controller.js';
import { UnpaidReportsReactor } from './unpaid-reports.reactor.js';

/** Compliance reports and exports: files made in the background, sealed, downloaded by signed links. */
@Module({
  imports: [
    DiscoveryModule,
    CqrsModule,
    AccountsModule,
    AuditModule,
    ProofsModule,
    CreditsModule,
    QueueModule.forFeature(DOCUMENT_QUEUE),
    ProjectionsModule.forFeature({ projections: [documents] }),
    AnnouncementsModule.forFeature(documentAnnouncer),
  ],
  controllers: [ReportsController, ExportsController, DownloadsController],
  providers: [
    DocumentRepository,
    DocumentRequests,
    DocumentJobs,
    DocumentMaker,
    DocumentReactor,
    FailedReportReactor,
    UnpaidReportsReactor,
    DocumentsErasure,
    DocumentsPurge,
    ExportTurns,
    DownloadLinks,
    ExportArchive,
    { provide: ExportSections, useClass: DiscoveredSections },
    {
      provide: EncryptedFiles,
      inject: [Database, DataKeys, CONFIG, CLOCK],
      useFactory: (database: Database, keys: DataKeys, { erasure }: Config, clock: Clock) =>
        new EncryptedFiles(database, keys, new DataKeyShredder(database, erasure.keysForgotten), clock),
    },
  ],
})
export class ReportsModule {}
