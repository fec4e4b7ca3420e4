import { ApiProperty } from '@nestjs/swagger';
import { OPERATIONS } from '../../kernel/operations.js';
import { CREDIT_PACKAGES, SUBSCRIPTION_TIERS, type SubscriptionTier } from '../../kernel/pricing.js';

export class CreditBalance {
  @ApiProperty({ description: 'Credits that may be spent', example: 999 })
  credits!: number;

  @ApiProperty({ enum: Object.keys(SUBSCRIPTION_TIERS) })
  tier!: SubscriptionTier;

  @ApiProperty()
  auto_recharge_enabled!: boolean;
}

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

const dollars = (amountMinor: number): number => amountMinor / 100;

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
