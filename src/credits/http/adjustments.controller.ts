import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AccountTiers } from '../../kernel/account-tiers.js';
import { isTenantId, newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresRole } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { IntegerField, TextField } from '../../http/fields.js';
import { type OperatorPrincipal, type RequestContext } from '../../http/request-context.js';
import { BillingReader } from '../billing-reader.js';
import { CreditAdjustments } from '../credit-adjustments.js';
import { MAXIMUM_BALANCE } from '../domain/amounts.js';
import { AccountCreditsResponse, AdjustmentResponse } from './billing.response.js';
import { toTransaction } from './transaction.response.js';

/** How many of the newest transactions an operator sees beside the balance. */
const SHOWN_TRANSACTIONS = 20;

export class AdjustmentBody {
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
    private readonly accounts: AccountTiers,
    private readonly adjustments: CreditAdjustments,
    private readonly billing: BillingReader,
  ) {}

  @Get()
  @RequiresRole('admin', 'support')
  @RespondsWith(200, {
    summary: 'The credits of an account, with its newest transactions',
    type: AccountCreditsResponse,
  })
  async getAccountCredits(
    @Param('id') tenantId: string,
    @Context() context: RequestContext<OperatorPrincipal>,
  ): Promise<AccountCreditsResponse> {
    if (!isTenantId(tenantId)) throw refuse('not_found');
    const tier = await this.accounts.tierOf(tenantId);
    if (tier === undefined) throw refuse('not_found');
    const [{ balance, debt, recharge, alerts }, { transactions }] = await Promise.all([
      this.billing.account(tenantId, context.requestId),
      this.billing.transactions(tenantId, { limit: SHOWN_TRANSACTIONS, offset: 0 }),
    ]);
    return {
      tenant_id: tenantId,
      tier,
      balance,
      debt,
      auto_recharge_enabled: recharge.enabled,
      alert_thresholds: alerts.percentages,
      transactions: transactions.map(toTransaction),
    };
  }

  @Post()
  @RequiresRole('admin')
  @RespondsWith(200, { summary: 'Adjust the credits of an account', type: AdjustmentResponse, refuses: ['CONFLICT'] })
  async adjustCredits(
    @Param('id') tenantId: string,
    @Body() { amount, reason }: AdjustmentBody,
    @Context() context: RequestContext<OperatorPrincipal>,
  ): Promise<AdjustmentResponse> {
    const reference = context.keyed?.effectId('adjustment') ?? newUuid();
    return this.adjustments.adjust(tenantId, { amount, reason, reference }, context);
  }
}
