import { Command } from '@nestjs/cqrs';
import { type Decision, type Freshness } from '../log/append/command-queue.js';
import { type ChargeOperation } from './domain/credits.commands.js';
import { type CreditAccount } from './domain/credit-account.js';

/** Charges a look-up, unless it is too old when the append begins. */
export class ChargeLookUp extends Command<Decision<CreditAccount>> {
  constructor(
    readonly charge: ChargeOperation,
    readonly budgetMs: number,
    readonly freshness: Freshness,
  ) {
    super();
  }
}
