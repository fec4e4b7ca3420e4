import { Command } from '@nestjs/cqrs';
import { type Decision, type Freshness } from '../log/append/command-queue.js';
import { type ChargeOperation, type CreditCommand } from './domain/credits.commands.js';
import { type CreditAccount } from './domain/credit-account.js';

/** Charges a look-up. A look-up that is too old when its append begins is made again. */
export class ChargeLookUp extends Command<Decision<CreditAccount>> {
  constructor(
    readonly charge: ChargeOperation,
    readonly budgetMs: number,
    readonly freshness: Freshness<CreditCommand>,
  ) {
    super();
  }
}
