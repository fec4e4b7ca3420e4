import { type BillableOperation } from '../../kernel/contract.js';
import { type CommandMetadata, type Recorded, type StoredEvent, tenantOfStream } from '../../kernel/events.js';
import { type TenantId } from '../../kernel/ids.js';
import { type Reaction, type ReactorOptions } from '../../kernel/reaction.js';
import { type ChargeReversed, CREDITS_STREAM_PREFIX, type DeductionRefunded } from './credits.events.js';

type GivenBack = DeductionRefunded | ChargeReversed;

/** The events by which the credits of an effect go back. */
const GIVEN_BACK = ['DeductionRefunded.v1', 'ChargeReversed.v1'] as const satisfies readonly GivenBack['type'][];

export interface UnpaidEffect {
  readonly tenantId: TenantId;
  readonly operation: BillableOperation;
  /** The id of the effect is that of its deduction. */
  readonly effectId: string;
  /** The metadata of what undoes the effect. */
  readonly metadata: CommandMetadata;
}

/** What an event of GIVEN_BACK leaves unpaid. */
const unpaidEffect = (event: StoredEvent): UnpaidEffect => {
  const { data, stream, id, metadata } = event as Recorded<GivenBack>;
  return {
    tenantId: tenantOfStream(stream) as TenantId,
    operation: data.operation,
    effectId: 'chargeId' in data ? data.chargeId : data.deductionId,
    metadata: {
      requestId: metadata.$correlationId,
      causationId: id,
      actor: { type: 'system', id: 'refunds' },
    },
  };
};

/** Options of a reactor that undoes effects whose credits went back. */
export const unpaidReactor = (name: string): ReactorOptions => ({
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
