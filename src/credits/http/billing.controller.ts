import { Controller, Get, Inject } from '@nestjs/common';
import { AccountTiers } from '../../kernel/account-tiers.js';
import { invariant } from '../../kernel/invariant.js';
import { type Config } from '../../platform/config/config.js';
import { Context, Public, RequiresKey } from '../../platform/http/access.js';
import { RespondsWith } from '../../platform/http/responses.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { CONFIG } from '../../platform/tokens.js';
import { CreditRepository } from '../credit-repository.js';
import { CreditBalance, PRICING } from './billing.response.js';

/** Billing paths have no version. /api/v1 serves the same responses. */
@Controller(['billing', 'api/v1/billing'])
export class BillingController {
  constructor(
    private readonly ledger: CreditRepository,
    private readonly accounts: AccountTiers,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('credits')
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'Credit balance', type: CreditBalance })
  async credits(@Context() context: RequestContext<TenantPrincipal>): Promise<CreditBalance> {
    const { tenantId } = context.principal;
    const [account, tier] = await Promise.all([
      this.ledger.current(tenantId, context.requestId, this.config.timing.storeBudget),
      this.accounts.tierOf(tenantId),
    ]);
    invariant(tier !== undefined, 'the holder of a key has an account');
    return { credits: account.state.balance, tier, auto_recharge_enabled: false };
  }

  @Get('pricing')
  @Public()
  @RespondsWith(200, { summary: 'Costs of operations, credit packages and subscriptions' })
  pricing(): typeof PRICING {
    return PRICING;
  }
}
