import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  heldPayments,
  type HeldPaymentRow,
  heldPaymentTenant,
  PAYMENTS,
} from '../../../projections/payments/payments.queries.js';
import { isUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresRole } from '../../http/access.js';
import { noteChanges } from '../../http/operator-trail.js';
import { PageQuery, Pagination, paginationOf } from '../../http/pagination.js';
import { type OperatorPrincipal, type RequestContext } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { ReadModels } from '../../log/project/projection.js';
import { HOLD_REASONS } from '../domain/payment.events.js';
import { NOBODY } from '../held-payments.js';
import { PaymentLedger } from '../payment-ledger.js';

/** Milliseconds that a list waits for what this instance has just decided. */
const OWN_DECISIONS = 1_000;

class HeldPayment {
  @ApiProperty({ format: 'uuid' }) purchase_id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'Null where the payment names no account' })
  tenant_id!: string | null;
  @ApiProperty({ enum: HOLD_REASONS }) reason!: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'In the currency’s minor unit' })
  amount_minor!: number | null;
  @ApiProperty({ example: 'eur' }) currency!: string;
  @ApiProperty({ type: String, nullable: true, description: 'What a release grants' }) package!: string | null;
  @ApiProperty({ description: 'The provider’s id of checkout, payment or subscription' }) provider_id!: string;
  @ApiProperty({ format: 'date-time' }) held_at!: string;
}

class HeldPaymentsResponse {
  @ApiProperty({ type: [HeldPayment] }) payments!: HeldPayment[];
  @ApiProperty({ type: Pagination }) pagination!: Pagination;
}

class HeldPaymentDecision {
  @ApiProperty({ format: 'uuid' }) purchase_id!: string;
  @ApiProperty({ enum: ['released', 'refused'] }) status!: 'released' | 'refused';
}

const shown = (row: HeldPaymentRow): HeldPayment => ({
  purchase_id: row.purchase_id,
  tenant_id: row.tenant_id === NOBODY ? null : row.tenant_id,
  reason: row.reason,
  amount_minor: row.amount_minor === null ? null : Number(row.amount_minor),
  currency: row.currency,
  package: row.package,
  provider_id: row.provider_id,
  held_at: row.held_at.toISOString(),
});

/** Payments that do not fit what was opened. Nothing is granted for them until an operator decides. */
@ApiTags('Operators')
@Controller('admin/payments/held')
export class HeldPaymentsController {
  constructor(
    private readonly ledger: PaymentLedger,
    private readonly readModels: ReadModels,
  ) {}

  @Get()
  @RequiresRole('admin', 'support')
  @RespondsWith(200, { summary: 'Payments that wait for a decision, oldest first', type: HeldPaymentsResponse })
  async listHeldPayments(@Query() query: PageQuery): Promise<HeldPaymentsResponse> {
    const { lastAppended } = this.ledger;
    if (lastAppended !== undefined) await this.readModels.waitFor(PAYMENTS, lastAppended, OWN_DECISIONS);
    const { rows, total } = await heldPayments(this.readModels, query.limit, query.offset);
    return { payments: rows.map(shown), pagination: paginationOf(query, { total, shown: rows.length }) };
  }

  @Post(':purchase_id/release')
  @RequiresRole('admin')
  @RespondsWith(200, {
    summary: 'Grant the credits of a held payment',
    type: HeldPaymentDecision,
    refuses: ['CONFLICT'],
  })
  async releaseHeldPayment(
    @Param('purchase_id') purchaseId: string,
    @Context() context: RequestContext<OperatorPrincipal>,
  ): Promise<HeldPaymentDecision> {
    await this.decide(purchaseId, 'ReleaseHeld', context);
    return { purchase_id: purchaseId, status: 'released' };
  }

  @Post(':purchase_id/refuse')
  @RequiresRole('admin')
  @RespondsWith(200, {
    summary: 'Grant nothing; the money goes back in the provider’s dashboard',
    type: HeldPaymentDecision,
  })
  async refuseHeldPayment(
    @Param('purchase_id') purchaseId: string,
    @Context() context: RequestContext<OperatorPrincipal>,
  ): Promise<HeldPaymentDecision> {
    await this.decide(purchaseId, 'RefuseHeld', context);
    return { purchase_id: purchaseId, status: 'refused' };
  }

  private async decide(
    purchaseId: string,
    type: 'ReleaseHeld' | 'RefuseHeld',
    context: RequestContext<OperatorPrincipal>,
  ): Promise<void> {
    const { requestId, principal } = context;
    const tenantId = isUuid(purchaseId) ? await heldPaymentTenant(this.readModels, purchaseId) : undefined;
    if (tenantId === undefined) throw refuse('not_found');
    const actor = { type: 'operator', id: principal.subjectHash } as const;
    const { appended } = await this.ledger.decide(tenantId, { type, purchaseId }, { requestId, actor });
    const to = type === 'ReleaseHeld' ? 'released' : 'refused';
    if (appended.length > 0) noteChanges(context, [{ field: 'status', from: 'held', to }]);
  }
}
