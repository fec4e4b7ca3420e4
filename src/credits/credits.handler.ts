import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { type Config } from '../platform/config/config.js';
import { type Decision } from '../platform/eventstore/command-queue.js';
import { CONFIG } from '../platform/tokens.js';
import { ChargeLookUp } from './charge-look-up.command.js';
import { CreditRepository } from './credit-repository.js';
import {
  AdjustCredits,
  CarryBalanceForward,
  ConfirmFunds,
  type CreditCommand,
  DeductCredits,
  PurchaseCredits,
  RefundDeduction,
  ReverseCharge,
  SettleDeductions,
} from './domain/credits.commands.js';
import { type CreditAccount } from './domain/credits.js';

/** Handles commands that a caller waits for. The outcome is known within the store's budget, or the caller gets a 503. */
@Injectable()
abstract class PromptHandler<Command extends CreditCommand> {
  constructor(
    private readonly ledger: CreditRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  execute(command: Command): Promise<Decision<CreditAccount>> {
    return this.ledger.execute(command, this.config.timing.storeBudget);
  }
}

/** Handles commands that end a deduction. They are owed to the tenant, so they are retried until they are durable. */
@Injectable()
abstract class OwedHandler<Command extends CreditCommand> {
  constructor(private readonly ledger: CreditRepository) {}

  execute(command: Command): Promise<Decision<CreditAccount>> {
    return this.ledger.execute(command, Infinity);
  }
}

@CommandHandler(PurchaseCredits)
export class PurchaseCreditsHandler extends PromptHandler<PurchaseCredits> {}

@CommandHandler(AdjustCredits)
export class AdjustCreditsHandler extends PromptHandler<AdjustCredits> {}

@CommandHandler(ChargeLookUp)
export class ChargeLookUpHandler {
  constructor(private readonly ledger: CreditRepository) {}

  execute({ charge, budgetMs, freshness }: ChargeLookUp): Promise<Decision<CreditAccount>> {
    return this.ledger.execute(charge, budgetMs, freshness);
  }
}

@CommandHandler(ConfirmFunds)
export class ConfirmFundsHandler extends PromptHandler<ConfirmFunds> {}

@CommandHandler(ReverseCharge)
export class ReverseChargeHandler extends OwedHandler<ReverseCharge> {}

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
  ChargeLookUpHandler,
  ConfirmFundsHandler,
  ReverseChargeHandler,
  DeductCreditsHandler,
  SettleDeductionsHandler,
  RefundDeductionHandler,
  CarryBalanceForwardHandler,
];
