import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ACCOUNT_STREAM_PREFIX,
  type AccountReinstated,
  type AccountSuspended,
  type AlertThresholdsChanged,
} from '../accounts/domain/account.events.js';
import { type OperatorActApproved } from '../accounts/domain/operator-act.events.js';
import { CreditAdjustments } from './credit-adjustments.js';
import { type CommandMetadata, type Recorded, type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { OperatorProposals } from '../kernel/operator-proposals.js';
import { type Reaction } from '../kernel/reaction.js';
import { isRejection } from '../kernel/rejection.js';
import { Reactor } from '../log/react/reactor.js';
import { FollowSuspension, SetAlertThresholds } from './domain/credits.commands.js';

type Change = AlertThresholdsChanged | AccountSuspended | AccountReinstated | OperatorActApproved;

/**
 * Tells the credit account what it needs of its account: a decider reads one stream alone. For about a second after a
 * suspension a recharge may still be requested.
 */
@Reactor({
  name: 'credits-of-accounts',
  version: 1,
  streamPrefixes: [ACCOUNT_STREAM_PREFIX],
  eventTypes: [
    'AlertThresholdsChanged.v1',
    'AccountSuspended.v1',
    'AccountReinstated.v1',
    'OperatorActApproved.v1',
  ] satisfies Change['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class AccountChangesReactor implements Reaction {
  constructor(
    private readonly commands: CommandBus,
    private readonly adjustments: CreditAdjustments,
    private readonly proposals: OperatorProposals,
  ) {}

  async handle(stored: StoredEvent): Promise<void> {
    const event = stored as Recorded<Change>;
    const tenantId = tenantOfStream(event.stream) as TenantId;
    const accountRevision = Number(event.revision);
    const metadata = {
      requestId: event.metadata.$correlationId,
      causationId: event.id,
      actor: { type: 'system', id: 'credits-of-accounts' },
    } as const;
    if (event.type === 'OperatorActApproved.v1') {
      await this.adjust(tenantId, event, metadata);
    } else if (event.type === 'AlertThresholdsChanged.v1') {
      const { percentages } = event.data;
      await this.commands.execute(new SetAlertThresholds(tenantId, { percentages, accountRevision }, metadata));
    } else {
      const suspended = event.type === 'AccountSuspended.v1';
      await this.commands.execute(new FollowSuspension(tenantId, { suspended, accountRevision }, metadata));
    }
  }

  private async adjust(
    tenantId: TenantId,
    { id, data: { proposalId: reference, act } }: Recorded<OperatorActApproved>,
    metadata: CommandMetadata,
  ): Promise<void> {
    if (act.kind !== 'adjust_credits') return;
    const reason = `Proposal ${reference}, approved by a second operator`;
    try {
      await this.adjustments.carryOut(tenantId, { amount: act.amount, reason, reference }, metadata);
    } catch (error) {
      if (!isRejection(error, 'adjustment_below_zero') && !isRejection(error, 'balance_limit_exceeded')) throw error;
      await this.proposals.failed(tenantId, reference, deriveUuid(id, 'failed'), metadata);
    }
  }
}
