import { Body, Controller, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AccountTiers } from '../../kernel/account-tiers.js';
import { isTenantId, newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Vault } from '../../platform/crypto/vault.js';
import { type Decision } from '../../platform/eventstore/command-queue.js';
import { Context, RequiresRole } from '../../platform/http/access.js';
import { RespondsWith } from '../../platform/http/responses.js';
import { IntegerField, TextField } from '../../platform/http/fields.js';
import { type OperatorPrincipal, type RequestContext } from '../../platform/http/request-context.js';
import { MAXIMUM_BALANCE } from '../domain/amounts.js';
import { AdjustCredits } from '../domain/credits.commands.js';
import { creditsStream } from '../domain/credits.events.js';
import { type CreditAccount } from '../domain/credits.js';
import { AdjustmentResponse } from './billing.response.js';

class AdjustmentBody {
  @IntegerField({
    min: -MAXIMUM_BALANCE,
    max: MAXIMUM_BALANCE,
    nonZero: true,
    description: 'Credits to add, or negative to take',
  })
  amount!: number;

  @TextField({ description: 'Why; stored encrypted' })
  reason!: string;
}

@ApiTags('Operators')
@Controller('admin/accounts/:id/credits')
export class AdjustmentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountTiers,
    private readonly vault: Vault,
  ) {}

  @Post()
  @RequiresRole('admin')
  @RespondsWith(200, { summary: 'Adjust the credits of an account', type: AdjustmentResponse, refuses: ['CONFLICT'] })
  async adjustCredits(
    @Param('id') tenantId: string,
    @Body() { amount, reason }: AdjustmentBody,
    @Context() context: RequestContext<OperatorPrincipal>,
  ): Promise<AdjustmentResponse> {
    if (!isTenantId(tenantId) || (await this.accounts.tierOf(tenantId)) === undefined) throw refuse('not_found');
    const reference = context.keyed?.effectId('adjustment') ?? newUuid();
    // The event's id is the reference. The sealed reason is bound to it, and a second attempt finds the first.
    const place = { tenantId, stream: creditsStream(tenantId), eventId: reference, field: 'reason' };
    const sealed = this.vault.seal(await this.vault.tenantKey(tenantId, 'texts'), place, reason);
    const { state } = await this.commands.execute<AdjustCredits, Decision<CreditAccount>>(
      new AdjustCredits(
        tenantId,
        { reference, amount, reason: sealed },
        { requestId: context.requestId, actor: { type: 'operator', id: context.principal.subjectHash } },
        reference,
      ),
    );
    return { tenant_id: tenantId, amount, balance: state.balance, reference };
  }
}
