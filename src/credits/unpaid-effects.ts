import { type BillableOperation } from '../kernel/contract.js';
import { type StoredEvent } from '../kernel/events.js';
import { type Reaction, type ReactorOptions } from '../kernel/reaction.js';
import { CREDITS_STREAM_PREFIX, GIVEN_BACK, type UnpaidEffect, unpaidEffect } from './domain/credits.events.js';

/** Options of a reactor that undoes effects whose credits went back. */
export const unpaidEffects = (name: string): ReactorOptions => ({
  name,
  version: 1,
  streamPrefixes: [CREDITS_STREAM_PREFIX],
  eventTypes: GIVEN_BACK,
  startsAt: 'beginning',
});

/** Undoes the effects of one operation whose credits went back. */
export abstract class UnpaidEffects implements Reaction {
  protected abstract readonly operation: BillableOperation;

  protected abstract withdraw(unpaid: UnpaidEffect): Promise<unknown>;

  concerns(event: StoredEvent): boolean {
    return unpaidEffect(event).operation === this.operation;
  }

  async handle(event: StoredEvent): Promise<void> {
    await this.withdraw(unpaidEffect(event));
  }
}
