import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyNames } from '../../kernel/api-key-names.js';
import { AccountTiers } from '../../kernel/account-tiers.js';
import { type Clock } from '../../kernel/clock.js';
import { invariant } from '../../kernel/invariant.js';
import { SubscriptionReader } from '../../kernel/subscriptions.js';
import { Context, Public, RequiresKey } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { EnumField, IntegerField } from '../../http/fields.js';
import { CLOCK } from '../../platform/tokens.js';
import { BillingReader } from '../billing-reader.js';
import { BalancesResponse } from './balances.response.js';
import { BillingOverview, CreditBalance, Pricing, PRICING, toOverview } from './billing.response.js';
import { dayOf, daysUntil } from '../domain/days.js';
import { firstDayOf, forecastOf } from '../domain/forecast.js';
import { ForecastResponse } from './forecast.response.js';
import { toUsage, usageByKey, UsageResponse } from './usage.response.js';

class DaysQuery {
  @IntegerField({ min: 1, max: 366, default: 30, description: 'UTC days, today included' })
  days?: number;
}

class UsageQuery extends DaysQuery {
  @EnumField(['key'], { optional: true, description: 'Adds `by_key`' })
  group_by?: 'key';
}

/** Billing paths have no version. /api/v1 serves the same responses. */
@ApiTags('Billing')
@Controller(['billing', 'api/v1/billing'])
export class BillingController {
  constructor(
    private readonly billing: BillingReader,
    private readonly accounts: AccountTiers,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly subscriptions: SubscriptionReader,
    private readonly keyNames: ApiKeyNames,
  ) {}

  @Get('credits')
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'Credit balance', type: CreditBalance })
  async getCreditBalance(@Context() context: RequestContext<TenantPrincipal>): Promise<CreditBalance> {
    const { tenantId } = context.principal;
    const [{ balance, recharge }, tier] = await Promise.all([
      this.billing.account(tenantId, context.requestId),
      this.accounts.tierOf(tenantId),
    ]);
    invariant(tier !== undefined, 'the holder of a key has an account');
    return { credits: balance, tier, auto_recharge_enabled: recharge.enabled };
  }

  @Get('overview')
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'Credits, subscription and auto-recharge', type: BillingOverview })
  async getBillingOverview(@Context() context: RequestContext<TenantPrincipal>): Promise<BillingOverview> {
    const { tenantId } = context.principal;
    const today = dayOf(this.clock.now());
    const [account, usage, subscription] = await Promise.all([
      this.billing.account(tenantId, context.requestId),
      this.billing.usage(tenantId, `${today.slice(0, 7)}-01`, today),
      this.subscriptions.of(tenantId),
    ]);
    const used = usage.reduce((sum, { credits }) => sum + credits, 0);
    return toOverview(account, used, subscription);
  }

  @Get('usage')
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'Credits used by day and operation, and by key', type: UsageResponse })
  async getUsage(
    @Query() { days = 30, group_by }: UsageQuery,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<UsageResponse> {
    const range = daysUntil(this.clock.now(), days);
    const [first = '', last = ''] = [range[0], range.at(-1)];
    const { tenantId } = context.principal;
    const rows = await this.billing.usage(tenantId, first, last);
    const usage = toUsage(range, rows);
    if (group_by === 'key') usage.by_key = usageByKey(rows, await this.keyNames.of(tenantId));
    return usage;
  }

  @Get('balances')
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'The balance at the end of each day', type: BalancesResponse })
  async getBalances(
    @Query() { days = 30 }: DaysQuery,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<BalancesResponse> {
    const dates = daysUntil(this.clock.now(), days);
    return { balances: [...(await this.billing.balances(context.principal.tenantId, dates))] };
  }

  @Get('forecast')
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'How long the credits last at the present pace', type: ForecastResponse })
  async getForecast(@Context() context: RequestContext<TenantPrincipal>): Promise<ForecastResponse> {
    const { tenantId } = context.principal;
    const today = this.clock.now();
    const [{ balance }, rows] = await Promise.all([
      this.billing.account(tenantId, context.requestId),
      this.billing.usage(tenantId, firstDayOf(today), dayOf(today)),
    ]);
    return forecastOf(rows, balance, today);
  }

  @Get('pricing')
  @Public()
  @RespondsWith(200, { summary: 'Costs of operations, credit packages and subscriptions', type: Pricing })
  getPricing(): Pricing {
    return PRICING;
  }
}
