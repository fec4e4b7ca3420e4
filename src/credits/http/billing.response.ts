import { ApiProperty } from '@nestjs/swagger';
import { OPERATIONS } from '../../kernel/operations.js';
import { CREDIT_PACKAGES, SUBSCRIPTION_TIERS, type SubscriptionTier } from '../../kernel/pricing.js';
import { type LiveSubscription } from '../../kernel/subscriptions.js';
import { type CreditAccount } from '../domain/credits.js';

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

  @ApiProperty({ type: 'integer', description: 'No tier includes credits', example: 0 })
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

  @ApiProperty({ description: 'Unique reference of the adjustment' })
  reference!: string;
}

/** The costs and prices as the interface shows them: dollars in responses, cents in the code. */
export const PRICING = {
  operations: {
    ...Object.fromEntries(Object.entries(OPERATIONS).map(([name, { credits }]) => [name, credits])),
    ingest: 0,
  },
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
