import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ledger } from '../../projections/ledger/ledger.projection.js';
import { openDeductions } from '../../projections/ledger/ledger.queries.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { Charging, Deductions } from '../kernel/charging.js';
import { KeyedAnswersModule } from '../platform/http/idempotency/keyed-answers.module.js';
import { ReadModels } from '../platform/projections/projection.js';
import { ProjectionsModule } from '../platform/projections/projections.module.js';
import { StoresModule } from '../platform/stores/stores.module.js';
import { ChargeReversals } from './charge-reversals.js';
import { LedgerCharging } from './ledger-charging.js';
import { CreditRepository } from './credit-repository.js';
import { CREDIT_HANDLERS } from './credits.handler.js';
import { OpenDeductions, PendingReversals, PendingRefunds } from './credits.port.js';
import { DeductionSweeper } from './deduction-sweeper.js';
import { EffectCharging } from './effect-charging.js';
import { AdjustmentsController } from './http/adjustments.controller.js';
import { BillingController } from './http/billing.controller.js';
import { LookUpCharging } from './look-up-charging.js';
import { PostgresPendingReversals } from './pending-reversals.js';
import { PostgresPendingRefunds } from './pending-refunds.js';
import { ReversalSweeper } from './reversal-sweeper.js';
import { Settlement } from './settlement.js';

/** The credit account, the charging of requests, and the ends of deductions. */
@Module({
  imports: [
    CqrsModule,
    StoresModule,
    AccountsModule,
    AuditModule,
    KeyedAnswersModule,
    ProjectionsModule.forFeature({ projections: [ledger], retired: ['audit_log', 'balances'] }),
  ],
  controllers: [BillingController, AdjustmentsController],
  providers: [
    ...CREDIT_HANDLERS,
    CreditRepository,
    Settlement,
    DeductionSweeper,
    EffectCharging,
    LookUpCharging,
    ChargeReversals,
    ReversalSweeper,
    { provide: PendingRefunds, useClass: PostgresPendingRefunds },
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
