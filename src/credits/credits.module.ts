import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Charging, Deductions } from '../kernel/charging.js';
import { LedgerCharging } from './charging.handler.js';
import { CreditLedger } from './credit-ledger.js';
import { CREDIT_HANDLERS } from './credits.handler.js';
import { RefundDuties } from './credits.port.js';
import { DeductionSweeper } from './deduction-sweeper.js';
import { AdjustmentsController } from './http/adjustments.controller.js';
import { BillingController } from './http/billing.controller.js';
import { PostgresRefundDuties } from './refund-duties.js';
import { Settlement } from './settlement.js';

/** Needs from outside: AuditTrail, OpenDeductions, CreditedAccounts. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [BillingController, AdjustmentsController],
  providers: [
    ...CREDIT_HANDLERS,
    CreditLedger,
    Settlement,
    DeductionSweeper,
    { provide: RefundDuties, useClass: PostgresRefundDuties },
    { provide: Charging, useClass: LedgerCharging },
    { provide: Deductions, useExisting: CreditLedger },
  ],
  exports: [CreditLedger, Charging, Deductions, DeductionSweeper, Settlement],
})
export class CreditsModule {}
