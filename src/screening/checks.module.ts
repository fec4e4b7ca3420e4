import { AccountsModule } from '../accounts/accounts.module.js';
import { Module } from '@nestjs/common';
import { screening } from '../../projections/screening/screening.projection.js';
import { AuditModule } from '../audit/audit.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { PersonScreening } from '../kernel/person-screening.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { MonitoringModule } from '../observability/monitoring.module.js';
import { ProjectionsModule } from '../log/project/projections.module.js';
import { ProofsModule } from '../proofs/proofs.module.js';
import { BatchChecks } from './decisions/batch-checks.js';
import { Checks } from './decisions/checks.js';
import { DecisionChanges } from './decisions/decision-changes.js';
import { DecisionAnnouncements } from './decisions/decision-announcements.js';
import { DecisionAnnouncementsReactor } from './decisions/decision-announcements.reactor.js';
import { DecisionsExport } from './decisions/decisions-export.js';
import { Decisions } from './decisions/decisions.js';
import { Judge } from './decisions/judge.js';
import { ListScreening } from './decisions/list-screening.js';
import { Replays } from './decisions/replays.js';
import { screeningAnnouncer } from './domain/screening.announcer.js';
import { AdminDecisionsController } from './http/admin-decisions.controller.js';
import { DecisionsController } from './http/decisions.controller.js';
import { ReviewSettingsController } from './http/review-settings.controller.js';
import { ReviewSettingsModule } from './settings/review-settings.module.js';
import { ListsController } from './http/lists.controller.js';
import { ScreeningController } from './http/screening.controller.js';
import { IdentityScreening } from './reverse/identity-screening.js';
import { IngestionScreeningReactor } from './reverse/ingestion-screening.reactor.js';
import { ListAcceptedReactor } from './reverse/list-accepted.reactor.js';
import { ListChanges } from './reverse/list-changes.js';
import { ReverseScreening } from './reverse/reverse-screening.js';
import { ScreeningRuns } from './reverse/screening-runs.js';
import { MatchReader } from './review/match-reader.js';
import { OverdueMatches } from './review/overdue-matches.js';
import { BulkReviews } from './review/bulk-reviews.js';
import { MatchReviews } from './review/match-reviews.js';
import { ReviewWriter } from './review/review-writer.js';
import { MatchReviewsController } from './http/match-reviews.controller.js';
import { RevealedMatches } from './review/revealed-matches.js';
import { MatchesExport } from './review/matches-export.js';
import { DecisionFinder } from './decisions/decision-finder.js';
import { ScreenedDecisions } from './decisions/screened-decisions.js';
import { MatchDisclosures } from './http/match-disclosures.js';
import { MatchesController } from './http/matches.controller.js';
import { ListsModule } from './lists/lists.module.js';

/** Checks of persons against the lists, what becomes of their decisions, and screening in the background. */
@Module({
  imports: [
    AccountsModule,
    ReviewSettingsModule,
    MonitoringModule,
    ListsModule,
    AuditModule,
    CreditsModule,
    ProofsModule,
    ProjectionsModule.forFeature({ projections: [screening] }),
    AnnouncementsModule.forFeature(screeningAnnouncer),
  ],
  controllers: [
    ReviewSettingsController,
    ScreeningController,
    ListsController,
    DecisionsController,
    MatchesController,
    MatchReviewsController,
    AdminDecisionsController,
  ],
  providers: [
    BatchChecks,
    Checks,
    DecisionAnnouncements,
    DecisionAnnouncementsReactor,
    Decisions,
    DecisionChanges,
    DecisionsExport,
    MatchesExport,
    MatchReader,
    MatchReviews,
    BulkReviews,
    OverdueMatches,
    ReviewWriter,
    RevealedMatches,
    MatchDisclosures,
    ScreenedDecisions,
    DecisionFinder,
    Judge,
    Replays,
    IdentityScreening,
    IngestionScreeningReactor,
    ListAcceptedReactor,
    ReverseScreening,
    ScreeningRuns,
    ListChanges,
    { provide: PersonScreening, useClass: ListScreening },
  ],
  exports: [PersonScreening],
})
export class ScreeningChecksModule {}
