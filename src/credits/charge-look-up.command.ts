import { type Freshness } from '../platform/eventstore/command-queue.js';
import { type ChargeOperation, type CreditCommand } from './domain/credits.commands.js';

/** Charges a look-up, which is made anew where it has aged before its append begins. */
export class ChargeLookUp {
  constructor(
    readonly charge: ChargeOperation,
    readonly budgetMs: number,
    readonly freshness: Freshness<CreditCommand>,
  ) {}
}
