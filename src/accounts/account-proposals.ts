import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Clock } from '../kernel/clock.js';
import { type CommandMetadata } from '../kernel/events.js';
import { type FieldChange } from '../kernel/field-change.js';
import { type TenantId } from '../kernel/ids.js';
import { OperatorProposals, type ProposedAdjustment } from '../kernel/operator-proposals.js';
import { CLOCK } from '../platform/tokens.js';
import { FailOperatorAct, ProposeOperatorAct } from './domain/operator-act.commands.js';

@Injectable()
export class AccountProposals extends OperatorProposals {
  constructor(
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  override async adjustment(
    tenantId: TenantId,
    { proposalId, amount, reason }: ProposedAdjustment,
    { by, requestId }: { readonly by: string; readonly requestId: string },
  ): Promise<readonly FieldChange[]> {
    const data = { proposalId, act: { kind: 'adjust_credits', amount }, reason, by } as const;
    const at = this.clock.now().toISOString();
    const metadata = { requestId, commandId: proposalId, actor: { type: 'operator', id: by } as const, at };
    return (await this.commands.execute(new ProposeOperatorAct(tenantId, data, metadata))).changes;
  }

  override async failed(
    tenantId: TenantId,
    proposalId: string,
    effectId: string,
    metadata: CommandMetadata,
  ): Promise<void> {
    const at = this.clock.now().toISOString();
    const failing = new FailOperatorAct(tenantId, { proposalId }, { ...metadata, commandId: effectId, at });
    await this.commands.execute(failing);
  }
}
