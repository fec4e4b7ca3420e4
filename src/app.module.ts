import './boot/contract.js';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { ClaimsModule } from './claims/claims.module.js';
import { BillingModule } from './billing/billing.module.js';
import { CreditsModule } from './credits/credits.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { HttpModule } from './http/http.module.js';
import { PeriodicModule } from './platform/periodic/periodic.module.js';
import { ReactorsModule } from './log/react/reactors.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { ProofsModule } from './proofs/proofs.module.js';
import { OutboundModule } from './boot/outbound.module.js';
import { StoresModule } from './boot/stores/stores.module.js';
import { RequestsModule } from './requests/requests.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { ListsModule } from './screening/lists/lists.module.js';
import { RiskModule } from './risk/risk.module.js';
import { ScreeningChecksModule } from './screening/checks.module.js';

@Module({
  imports: [
    CqrsModule.forRoot(),
    StoresModule,
    OutboundModule,
    HttpModule.register({ imports: [CreditsModule] }),
    PeriodicModule,
    ReactorsModule,
    AccountsModule,
    AuditModule,
    ClaimsModule,
    BillingModule,
    CreditsModule,
    IdentityModule,
    CredentialsModule,
    ProofsModule,
    OperationsModule,
    RetentionModule,
    ReportsModule,
    WebhooksModule,
    RequestsModule,
    ListsModule,
    RiskModule,
    ScreeningChecksModule,
  ],
})
export class AppModule {}
