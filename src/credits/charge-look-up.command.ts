import { Command } from '@nestjs/cqrs';
import { type Decision, type Freshness } from '../platform/eventstore/command-queue.js';
import { type ChargeOperation, type CreditCommand } from './domain/credits.commands.js';
import { type CreditAccount } from './domain/credits.js';

/** Charges a look-up, which is made anew where it has aged before its append begins. */
export class ChargeLookUp extends Command<Decision<CreditAccount>> {
  constructor(
    readonly charge: ChargeOperation,
    readonly budgetMs: number,
    readonly freshness: Freshness<CreditCommand>,
  ) {
    super();
  }
}
