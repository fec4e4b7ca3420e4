import { Module } from '@nestjs/common';
import { claims } from '../../projections/claims/claims.projection.js';
import { ClaimQueries } from '../../projections/claims/claims.queries.js';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { ReadModels } from '../log/project/projection.js';
import { ProjectionsModule } from '../log/project/projections.module.js';
import { RequestedClaims } from './requested-claims.js';
import { ClaimAudit } from './claim-audit.js';
import { ClaimsPurge } from './claims-purge.js';
import { ClaimsExport } from './claims-export.js';
import { ClaimExpiry } from './claim-expiry.js';
import { ClaimReactor } from './claim.reactor.js';
import { ClaimRecords } from './claim-records.js';
import { claimsAnnouncer } from './claims.announcer.js';
import { HeldClaims } from './held-claims.js';
import { UnpaidClaimsReactor } from './unpaid-claims.reactor.js';
import { ClaimsController } from './http/claims.controller.js';

const QUERIES = [ClaimQueries, EligibilityQueries].map((queries) => ({
  provide: queries,
  inject: [ReadModels],
  useFactory: (readModels: ReadModels) => new queries(readModels),
}));

/** Claims across tenants: one asks for a person's record, those who attest the person approve or reject. */
@Module({
  imports: [
    AccountsModule,
    AuditModule,
    CreditsModule,
    ProjectionsModule.forFeature({ projections: [claims] }),
    AnnouncementsModule.forFeature(claimsAnnouncer),
  ],
  controllers: [ClaimsController],
  providers: [
    ...QUERIES,
    RequestedClaims,
    HeldClaims,
    ClaimAudit,
    ClaimRecords,
    ClaimExpiry,
    ClaimReactor,
    UnpaidClaimsReactor,
    ClaimsExport,
    ClaimsPurge,
  ],
})
export class ClaimsModule {}
