import { Module } from '@nestjs/common';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { AuditModule } from '../audit/audit.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { ReadModels } from '../log/project/projection.js';
import { ProofsModule } from '../proofs/proofs.module.js';
import { ScreeningChecksModule } from '../screening/checks.module.js';
import { riskAnnouncer } from './domain/risk.announcer.js';
import { AssessRiskController } from './http/assess-risk.controller.js';
import { AssessmentsExport } from './assessments-export.js';
import { RiskChanges } from './risk-changes.js';
import { RiskChangesReactor } from './risk-changes.reactor.js';
import { RiskFactsReader } from './risk-facts.js';

/** Risk assessments, and how a person's score moves. */
@Module({
  imports: [
    AuditModule,
    CreditsModule,
    ProofsModule,
    ScreeningChecksModule,
    AnnouncementsModule.forFeature(riskAnnouncer),
  ],
  controllers: [AssessRiskController],
  providers: [
    RiskFactsReader,
    RiskChanges,
    RiskChangesReactor,
    AssessmentsExport,
    {
      provide: EligibilityQueries,
      inject: [ReadModels],
      useFactory: (readModels: ReadModels) => new EligibilityQueries(readModels),
    },
  ],
})
export class RiskModule {}
