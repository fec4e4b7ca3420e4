import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { isUuid } from '../../kernel/ids.js';
import { CREDIT_PACKAGES } from '../../kernel/pricing.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { IntegerField, TextField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { PURCHASE_STATUSES, type PurchaseStatus } from '../domain/purchase-status.js';
import { type Purchase, Purchases } from '../purchases.js';

class PurchasesQuery {
  @IntegerField({ min: 1, max: 50, default: 20 })
  limit?: number;

  @TextField({ optional: true, pattern: /^\d{1,18}$/, takes: 'The next_cursor of a page', example: '4711' })
  cursor?: string;
}

class PurchaseSummary {
  @ApiProperty({ format: 'uuid', description: 'The purchase_id of the checkout' })
  id!: string;

  @ApiProperty({ enum: ['checkout', 'auto_recharge'] })
  origin!: string;

  @ApiProperty({ enum: Object.keys(CREDIT_PACKAGES), example: 'small' })
  package!: string;

  @ApiProperty({ type: 'integer', example: 1_000 })
  credits!: number;

  @ApiProperty({ description: 'In the currency', example: 120 })
  amount!: number;

  @ApiProperty({ description: 'What went back to the buyer so far', example: 0 })
  amount_refunded!: number;

  @ApiProperty({ enum: ['USD'] })
  currency!: 'USD';

  @ApiProperty({
    enum: PURCHASE_STATUSES,
    description: 'held: an operator decides; disputed: the bank took the money back; refunded: all of it',
  })
  status!: PurchaseStatus;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { order: '4711' } })
  metadata!: Readonly<Record<string, string>>;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

class PurchaseResponse extends PurchaseSummary {
  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: "The payment provider's receipt; null until it was paid, and while the provider does not answer",
    example: 'https://pay.stripe.com/receipts/payment/CAcaFwoV',
  })
  receipt_url!: string | null;
}

class PurchasesResponse {
  @ApiProperty({ type: [PurchaseSummary], description: 'Newest first' })
  purchases!: PurchaseSummary[];

  @ApiProperty({ type: String, nullable: true, description: 'Null at the end' })
  next_cursor!: string | null;
}

const MINOR_UNITS = 100;

const summaryOf = (purchase: Purchase): PurchaseSummary => ({
  id: purchase.purchaseId,
  origin: purchase.origin,
  package: purchase.package,
  credits: purchase.credits,
  amount: purchase.amountMinor / MINOR_UNITS,
  amount_refunded: purchase.refundedMinor / MINOR_UNITS,
  currency: 'USD',
  status: purchase.status,
  metadata: purchase.labels,
  created_at: purchase.createdAt,
});

@ApiTags('Billing')
@Controller(['billing/purchases', 'api/v1/billing/purchases'])
export class PurchasesController {
  constructor(private readonly purchases: Purchases) {}

  @Get()
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'Purchases of credits, and what became of each', type: PurchasesResponse })
  async listPurchases(
    @Query() { limit = 20, cursor }: PurchasesQuery,
    @Context() { principal }: RequestContext<TenantPrincipal>,
  ): Promise<PurchasesResponse> {
    const { purchases, next } = await this.purchases.page(principal.tenantId, limit, cursor);
    return { purchases: purchases.map(summaryOf), next_cursor: next };
  }

  @Get(':purchaseId')
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'One purchase, with its receipt', type: PurchaseResponse })
  async getPurchase(
    @Param('purchaseId') purchaseId: string,
    @Context() { principal }: RequestContext<TenantPrincipal>,
  ): Promise<PurchaseResponse> {
    const found = isUuid(purchaseId) ? await this.purchases.find(principal.tenantId, purchaseId) : undefined;
    if (found === undefined) throw refuse('not_found');
    return Object.assign(summaryOf(found), { receipt_url: await this.purchases.receiptOf(found) });
  }
}
