import { type Deductions } from '../../kernel/charging.js';
import { type BillableOperation, OPERATIONS } from '../../kernel/contract.js';
import { type StoredEvent, tenantOfStream } from '../../kernel/events.js';
import { type TenantId } from '../../kernel/ids.js';
import { type Reaction } from '../../kernel/reaction.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { ReturnCredits } from './credits.commands.js';

/** Gives back the cost of effects of one operation that failed after their request was answered. */
export abstract class FailedEffects implements Reaction {
  protected abstract readonly operation: BillableOperation;
  /** The name under which the credits come back. */
  protected abstract readonly actor: string;

  protected abstract readonly deductions: Deductions;
  protected abstract readonly commands: { execute(command: ReturnCredits): Promise<unknown> };

  /** The id of the effect that the event ended: that of its deduction. */
  protected abstract effectOf(event: StoredEvent): string;

  async handle(event: StoredEvent): Promise<void> {
    const deductionId = this.effectOf(event);
    const tenantId = tenantOfStream(event.stream) as TenantId;
    const end = await this.deductions.stateOf(tenantId, deductionId, -1n);
    // It ends within a minute. What is refunded has been given back already.
    if (end === 'open') throw new Unavailable('event_store');
    if (end !== 'settled') return;
    const { operation } = this;
    await this.commands.execute(
      new ReturnCredits(
        tenantId,
        { deductionId, operation, amount: OPERATIONS[operation].credits },
        {
          requestId: event.metadata.$correlationId,
          causationId: event.id,
          actor: { type: 'system', id: this.actor },
        },
      ),
    );
  }
}
