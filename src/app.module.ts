import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { CreditsModule } from './credits/credits.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { PeriodicModule } from './platform/periodic/periodic.module.js';
import { ReactorsModule } from './platform/reactors/reactors.module.js';
import { RetentionModule } from './retention/retention.module.js';

@Module({
  imports: [
    CqrsModule.forRoot(),
    HttpModule.register({ imports: [CreditsModule] }),
    PeriodicModule,
    ReactorsModule,
    AccountsModule,
    AuditModule,
    CreditsModule,
    IdentityModule,
    RetentionModule,
  ],
})
export class AppModule {}
