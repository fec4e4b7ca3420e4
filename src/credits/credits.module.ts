import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Charging, Deductions } from '../kernel/charging.js';
import { ChargeReversals } from './charge-reversals.js';
import { LedgerCharging } from './charging.handler.js';
import { CreditRepository } from './credit-repository.js';
import { CREDIT_HANDLERS } from './credits.handler.js';
import { PendingReversals, RefundDuties } from './credits.port.js';
import { DeductionSweeper } from './deduction-sweeper.js';
import { EffectCharging } from './effect-charging.js';
import { AdjustmentsController } from './http/adjustments.controller.js';
import { BillingController } from './http/billing.controller.js';
import { LookUpCharging } from './look-up-charging.js';
import { PostgresPendingReversals } from './pending-reversals.js';
import { PostgresRefundDuties } from './refund-duties.js';
import { ReversalSweeper } from './reversal-sweeper.js';
import { Settlement } from './settlement.js';

/** Needs from outside: AuditTrail, KeyedAnswers, OpenDeductions, CreditedAccounts. */
@Global()
@Module({
  imports: [CqrsModule],
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
    { provide: RefundDuties, useClass: PostgresRefundDuties },
    { provide: PendingReversals, useClass: PostgresPendingReversals },
    { provide: Charging, useClass: LedgerCharging },
    { provide: Deductions, useExisting: CreditRepository },
  ],
  exports: [CreditRepository, Charging, Deductions, DeductionSweeper, ReversalSweeper, Settlement],
})
export class CreditsModule {}
