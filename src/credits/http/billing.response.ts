import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { OPERATIONS } from '../../kernel/contract.js';
import { CREDIT_PACKAGES, SUBSCRIPTION_TIERS, type SubscriptionTier } from '../../kernel/pricing.js';
import { type LiveSubscription } from '../../kernel/subscriptions.js';
import { type CreditAccount } from '../domain/credit-account.js';
import { TransactionResponse } from './transaction.response.js';

const dollars = (amountMinor: number): number => amountMinor / 100;

export class CreditBalance {
  @ApiProperty({ description: 'Credits that may be spent', example: 999 })
  credits!: number;

  @ApiProperty({ enum: Object.keys(SUBSCRIPTION_TIERS) })
  tier!: SubscriptionTier;

  @ApiProperty()
  auto_recharge_enabled!: boolean;
}

class OverviewCredits {
  @ApiProperty({ type: 'integer', description: 'Credits that may be spent', example: 999 })
  balance!: number;

  @ApiProperty({ type: 'integer', description: 'Credits used since the first of the UTC month', example: 1 })
  used_this_month!: number;

  @ApiProperty({ type: 'integer', description: 'No plan includes credits', example: 0 })
  included_monthly!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Credits owed after a refund or dispute, which the next purchase pays first',
    example: 0,
  })
  debt!: number;
}

class OverviewSubscription {
  @ApiProperty({ enum: Object.keys(SUBSCRIPTION_TIERS), type: String, nullable: true })
  tier!: SubscriptionTier | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Dollars; null where the price is agreed', example: 99 })
  price_monthly!: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  started_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null if it ends with its period' })
  renews_at!: string | null;
}

class OverviewAutoRecharge {
  @ApiProperty()
  enabled!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'A balance below it is recharged', example: 100 })
  threshold!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Credits of the package', example: 1_000 })
  amount!: number | null;
}

export class BillingOverview {
  @ApiProperty({ type: OverviewCredits })
  credits!: OverviewCredits;

  @ApiProperty({ type: OverviewSubscription, description: 'Its members are null without a subscription' })
  subscription!: OverviewSubscription;

  @ApiProperty({ type: OverviewAutoRecharge })
  auto_recharge!: OverviewAutoRecharge;
}

export const toOverview = (
  { balance, debt, recharge }: CreditAccount,
  usedThisMonth: number,
  subscription: LiveSubscription | undefined,
): BillingOverview => ({
  credits: { balance, used_this_month: usedThisMonth, included_monthly: 0, debt },
  subscription: {
    tier: subscription?.tier ?? null,
    price_monthly: typeof subscription?.amountMinor === 'number' ? dollars(subscription.amountMinor) : null,
    started_at: subscription?.startedAt ?? null,
    renews_at: subscription?.renewsAt ?? null,
  },
  auto_recharge: {
    enabled: recharge.enabled,
    threshold: recharge.threshold,
    amount: recharge.package === null ? null : CREDIT_PACKAGES[recharge.package].credits,
  },
});

export class AdjustmentResponse {
  @ApiProperty({ example: 't01jd0000000000000000000000' })
  tenant_id!: string;

  @ApiProperty({ description: 'Credits, signed' })
  amount!: number;

  @ApiProperty({ description: 'Credits after the adjustment' })
  balance!: number;

  @ApiProperty({ enum: ['done', 'proposed'], description: 'proposed: a second operator approves it, by its reference' })
  status!: 'done' | 'proposed';

  @ApiProperty({ description: 'Unique reference of the adjustment' })
  reference!: string;
}

const namesOf = (type: string, names: readonly string[]): object => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${type}` }])),
});

class PackagePrice {
  @ApiProperty({ type: 'integer', description: 'Credits in the package' })
  credits!: number;

  @ApiProperty({ description: 'US dollars' })
  price!: number;
}

class SubscriptionPrice {
  @ApiProperty({ oneOf: [{ type: 'number' }, { type: 'string', enum: ['custom'] }], description: 'US dollars a month' })
  price!: number | 'custom';

  @ApiProperty({ type: 'integer', description: 'Factor on the rate limit of the plan starter' })
  rate_multiplier!: number;
}

const COSTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(OPERATIONS).map(([name, { credits }]) => [name, credits])),
  ingest: 0,
};

@ApiExtraModels(PackagePrice, SubscriptionPrice)
export class Pricing {
  @ApiProperty({
    description: 'Credits for each operation',
    type: 'object',
    selfRequired: true,
    required: Object.keys(COSTS),
    properties: Object.fromEntries(Object.keys(COSTS).map((name) => [name, { type: 'integer' }])),
  })
  operations!: Readonly<Record<string, number>>;

  @ApiProperty({
    description: 'What can be bought',
    selfRequired: true,
    ...namesOf('PackagePrice', Object.keys(CREDIT_PACKAGES)),
  })
  packages!: Readonly<Record<string, PackagePrice>>;

  @ApiProperty({
    description: 'By plan',
    selfRequired: true,
    ...namesOf('SubscriptionPrice', Object.keys(SUBSCRIPTION_TIERS)),
  })
  subscriptions!: Readonly<Record<string, SubscriptionPrice>>;
}

/** The costs and prices as the API shows them: dollars in responses, cents in the code. */
export const PRICING: Pricing = {
  operations: COSTS,
  packages: Object.fromEntries(
    Object.entries(CREDIT_PACKAGES).map(([name, { credits, amountMinor }]) => [
      name,
      { credits, price: dollars(amountMinor) },
    ]),
  ),
  subscriptions: Object.fromEntries(
    Object.entries(SUBSCRIPTION_TIERS).map(([name, { amountMinor, rateMultiplier }]) => [
      name,
      { price: amountMinor === 'custom' ? amountMinor : dollars(amountMinor), rate_multiplier: rateMultiplier },
    ]),
  ),
};

/** What operators see of an account's credits. */
export class AccountCreditsResponse {
  @ApiProperty()
  tenant_id!: string;

  @ApiProperty({ enum: Object.keys(SUBSCRIPTION_TIERS) })
  tier!: SubscriptionTier;

  @ApiProperty({ type: 'integer', description: 'Credits that may be spent', example: 999 })
  balance!: number;

  @ApiProperty({ type: 'integer', description: 'Credits owed after a refund or dispute', example: 0 })
  debt!: number;

  @ApiProperty()
  auto_recharge_enabled!: boolean;

  @ApiProperty({ type: [Number], description: 'Percentages at which a low balance is announced', example: [20, 5, 0] })
  alert_thresholds!: readonly number[];

  @ApiProperty({ type: [TransactionResponse], description: 'The newest twenty' })
  transactions!: TransactionResponse[];
}
