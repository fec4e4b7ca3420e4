import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ledger } from '../../projections/ledger/ledger.projection.js';
import { openDeductions } from '../../projections/ledger/ledger.queries.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { Charging, Deductions } from '../kernel/charging.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { KeyedAnswersModule } from '../idempotency/keyed-answers.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { MonitoringModule } from '../observability/monitoring.module.js';
import { ReadModels } from '../log/project/projection.js';
import { ProjectionsModule } from '../log/project/projections.module.js';
import { ProofsModule } from '../proofs/proofs.module.js';
import { AccountChangesReactor } from './account-changes.reactor.js';
import { BillingRecordsPurge } from './billing-records-purge.js';
import { billingAnnouncer } from './billing.announcer.js';
import { BillingNoticesReactor } from './billing-notices.reactor.js';
import { BillingReader } from './billing-reader.js';
import { CarriedBalances } from './carried-balances.js';
import { ChargeReversals } from './charge-reversals.js';
import { ForgottenReferences } from './forgotten-references.js';
import { LedgerCharging } from './ledger-charging.js';
import { CreditAdjustments } from './credit-adjustments.js';
import { CreditRepository } from './credit-repository.js';
import { CREDIT_HANDLERS } from './credits.handler.js';
import { OpenDeductions, PendingReversals } from './credits.port.js';
import { DeductionSweeper } from './deduction-sweeper.js';
import { DriftTable } from './drift-table.js';
import { DriftWatch } from './drift-watch.js';
import { EffectCharging } from './effect-charging.js';
import { AdjustmentsController } from './http/adjustments.controller.js';
import { BillingController } from './http/billing.controller.js';
import { SettingsController } from './http/settings.controller.js';
import { TransactionsController } from './http/transactions.controller.js';
import { LookUpCharging } from './look-up-charging.js';
import { OpenWorkGauges } from './open-work-gauges.js';
import { PostgresPendingReversals } from './pending-reversals.js';
import { Refunds } from './refunds.js';
import { ReversalSweeper } from './reversal-sweeper.js';
import { TransactionsExport } from './transactions-export.js';

/** The credit account, the charging of requests, and the ends of deductions. */
@Module({
  imports: [
    CqrsModule,
    ProofsModule,
    AccountsModule,
    AuditModule,
    KeyedAnswersModule,
    MailModule,
    MonitoringModule,
    AnnouncementsModule.forFeature(billingAnnouncer),
    ProjectionsModule.forFeature({ projections: [ledger] }),
  ],
  controllers: [BillingController, TransactionsController, SettingsController, AdjustmentsController],
  providers: [
    ...CREDIT_HANDLERS,
    AccountChangesReactor,
    BillingNoticesReactor,
    BillingReader,
    BillingRecordsPurge,
    CarriedBalances,
    CreditAdjustments,
    CreditRepository,
    ForgottenReferences,
    Refunds,
    DeductionSweeper,
    DriftTable,
    DriftWatch,
    EffectCharging,
    LookUpCharging,
    OpenWorkGauges,
    ChargeReversals,
    ReversalSweeper,
    TransactionsExport,
    { provide: PendingReversals, useClass: PostgresPendingReversals },
    { provide: Charging, useClass: LedgerCharging },
    {
      provide: OpenDeductions,
      inject: [ReadModels],
      useFactory: (readModels: ReadModels): OpenDeductions => ({ find: (limit) => openDeductions(readModels, limit) }),
    },
    { provide: Deductions, useExisting: CreditRepository },
  ],
  exports: [Charging, Deductions],
})
export class CreditsModule {}
