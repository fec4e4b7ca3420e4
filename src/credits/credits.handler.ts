import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { type Config } from '../platform/config/config.js';
import { type Decision } from '../platform/eventstore/group-commit.js';
import { CONFIG } from '../platform/tokens.js';
import { CreditLedger } from './credit-ledger.js';
import {
  AdjustCredits,
  CarryBalanceForward,
  type CreditCommand,
  DeductCredits,
  PurchaseCredits,
  RefundDeduction,
  SettleDeductions,
} from './domain/credits.commands.js';
import { type CreditAccount } from './domain/credits.js';

/** Commands that a caller waits for: their outcome is known within a store's budget or the caller is told 503. */
@Injectable()
abstract class PromptHandler<Command extends CreditCommand> {
  constructor(
    private readonly ledger: CreditLedger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  execute(command: Command): Promise<Decision<CreditAccount>> {
    return this.ledger.execute(command, this.config.timing.storeBudget);
  }
}

/** Commands that end a deduction: owed, so they are retried until they are durable. */
@Injectable()
abstract class OwedHandler<Command extends CreditCommand> {
  constructor(private readonly ledger: CreditLedger) {}

  execute(command: Command): Promise<Decision<CreditAccount>> {
    return this.ledger.execute(command, Infinity);
  }
}

@CommandHandler(PurchaseCredits)
export class PurchaseCreditsHandler extends PromptHandler<PurchaseCredits> {}

@CommandHandler(AdjustCredits)
export class AdjustCreditsHandler extends PromptHandler<AdjustCredits> {}

@CommandHandler(DeductCredits)
export class DeductCreditsHandler extends PromptHandler<DeductCredits> {}

@CommandHandler(SettleDeductions)
export class SettleDeductionsHandler extends OwedHandler<SettleDeductions> {}

@CommandHandler(RefundDeduction)
export class RefundDeductionHandler extends OwedHandler<RefundDeduction> {}

@CommandHandler(CarryBalanceForward)
export class CarryBalanceForwardHandler extends PromptHandler<CarryBalanceForward> {}

export const CREDIT_HANDLERS = [
  PurchaseCreditsHandler,
  AdjustCreditsHandler,
  DeductCreditsHandler,
  SettleDeductionsHandler,
  RefundDeductionHandler,
  CarryBalanceForwardHandler,
];
