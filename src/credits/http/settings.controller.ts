import { Body, Controller, Get, Inject, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { PaymentMethods } from '../../kernel/payment-methods.js';
import { CREDIT_PACKAGES, type CreditPackage } from '../../kernel/pricing.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { BooleanField, EnumField, IntegerField, PercentagesField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { changeThresholds, takeOver } from '../account-thresholds.process.js';
import { BillingReader } from '../billing-reader.js';
import { ConfigureAutoRecharge } from '../domain/credits.commands.js';
import { type CreditAccount } from '../domain/credit-account.js';

const PACKAGES = Object.keys(CREDIT_PACKAGES);
const MAX_THRESHOLD = Math.max(...Object.values(CREDIT_PACKAGES).map(({ credits }) => credits));
const MAX_PER_DAY = 100;

class AutoRechargeBody {
  @BooleanField({ description: 'Needs a stored payment method, which a first purchase leaves' })
  enabled!: boolean;

  @IntegerField({
    min: 1,
    max: MAX_THRESHOLD,
    optional: true,
    description: "A balance below it is recharged; at most the package's credits",
  })
  threshold?: number;

  @EnumField(PACKAGES, { optional: true, description: 'What is bought' })
  package?: CreditPackage;

  @IntegerField({
    min: 1,
    max: MAX_PER_DAY,
    optional: true,
    description: 'Most recharges on one UTC day; at first 10',
  })
  max_per_day?: number;
}

class AutoRechargeSetting {
  @ApiProperty()
  enabled!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, example: 100 })
  threshold!: number | null;

  @ApiProperty({ enum: PACKAGES, type: String, nullable: true, example: 'small' })
  package!: CreditPackage | null;

  @ApiProperty({ type: 'integer', example: 10 })
  max_per_day!: number;
}

class AutoRechargeResponse {
  @ApiProperty({ enum: ['configured'] })
  status!: 'configured';

  @ApiProperty({ type: AutoRechargeSetting })
  auto_recharge!: AutoRechargeSetting;
}

class AlertsBody {
  @PercentagesField({
    description: 'Whole percentages of the balance after the last purchase; an empty list: no alerts',
  })
  alert_thresholds!: number[];
}

class AlertsResponse {
  @ApiProperty({ type: [Number], description: 'Percentages, highest first', example: [20, 5, 0] })
  alert_thresholds!: readonly number[];

  @ApiProperty({
    type: 'integer',
    description: 'Balance after the last purchase or positive adjustment, of which they are percentages',
    example: 1_000,
  })
  reference_balance!: number;
}

const toAlerts = ({ alerts }: CreditAccount): AlertsResponse => ({
  alert_thresholds: alerts.percentages,
  reference_balance: alerts.base,
});

/** Settings of the credit account, by the tenant itself. */
@ApiTags('Billing')
@Controller(['billing', 'api/v1/billing'])
export class SettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly billing: BillingReader,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paymentMethods: PaymentMethods,
  ) {}

  @Post('auto-recharge')
  @RequiresKey('billing')
  @RespondsWith(200, {
    summary: 'Buy credits by itself when the balance is low',
    type: AutoRechargeResponse,
    refuses: ['CONFLICT'],
  })
  async configureAutoRecharge(
    @Body() { enabled, threshold, package: bought, max_per_day: maxPerDay }: AutoRechargeBody,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<AutoRechargeResponse> {
    const { tenantId } = context.principal;
    if (enabled && !(await this.paymentMethods.hasPaymentMethod(tenantId)))
      throw refuse('account_state_conflict', {
        detail: 'Auto-recharge needs a stored payment method: buy credits once',
      });
    const data = {
      enabled,
      ...(threshold === undefined ? {} : { threshold }),
      ...(bought === undefined ? {} : { package: bought }),
      ...(maxPerDay === undefined ? {} : { maxPerDay }),
    };
    const { state } = await this.commands.execute(new ConfigureAutoRecharge(tenantId, data, metadataOf(context)));
    const { recharge } = state;
    return {
      status: 'configured',
      auto_recharge: {
        enabled: recharge.enabled,
        threshold: recharge.threshold,
        package: recharge.package,
        max_per_day: recharge.maxPerDay,
      },
    };
  }

  @Get('alerts')
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'When a low balance is announced', type: AlertsResponse })
  async getBalanceAlerts(@Context() context: RequestContext<TenantPrincipal>): Promise<AlertsResponse> {
    return toAlerts(await this.billing.account(context.principal.tenantId, context.requestId));
  }

  @Patch('alerts')
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'Choose when a low balance is announced', type: AlertsResponse })
  async changeBalanceAlerts(
    @Body() { alert_thresholds: percentages }: AlertsBody,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<AlertsResponse> {
    const { tenantId } = context.principal;
    const metadata = metadataOf(context);
    const { record } = await this.commands.execute(
      changeThresholds(tenantId, percentages, {
        ...metadata,
        commandId: newUuid(),
        at: this.clock.now().toISOString(),
      }),
    );
    const { state } = await this.commands.execute(takeOver(tenantId, record, metadata));
    return toAlerts(state);
  }
}

const metadataOf = ({ requestId, principal, actorId }: RequestContext<TenantPrincipal>) =>
  ({ requestId, actor: { type: principal.kind, id: actorId } }) as const;
