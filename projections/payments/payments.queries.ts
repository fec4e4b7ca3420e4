import { type PaymentOpened } from '../../src/billing/domain/payment.events.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';

export const PAYMENTS = 'payments';

export interface HeldPaymentRow {
  readonly purchase_id: string;
  readonly tenant_id: TenantId;
  readonly reason: string;
  /** A decimal. */
  readonly amount_minor: string | null;
  readonly currency: string;
  readonly package: string | null;
  readonly provider_id: string;
  readonly held_at: Date;
}

const HELD = 'purchase_id, tenant_id, reason, amount_minor, currency, package, provider_id, held_at';

/** Oldest first, with the total. */
export const heldPayments = async (
  readModels: ReadModels,
  limit: number,
  offset: number,
): Promise<{ readonly rows: readonly HeldPaymentRow[]; readonly total: number }> => {
  const rows = await readModels.query<HeldPaymentRow>({
    name: 'held-payments',
    text: `SELECT ${HELD} FROM held_payments ORDER BY position LIMIT $1 OFFSET $2`,
    values: [limit, offset],
  });
  const [count] = await readModels.query<{ total: string }>({
    name: 'held-payments-total',
    text: 'SELECT count(*) AS total FROM held_payments',
    values: [],
  });
  return { rows, total: Number(count?.total ?? 0) };
};

/** Whose payment is held under this purchase id. */
export const heldPaymentTenant = async (readModels: ReadModels, purchaseId: string): Promise<TenantId | undefined> => {
  const [row] = await readModels.query<{ tenant_id: TenantId }>({
    name: 'held-payment-tenant',
    text: 'SELECT tenant_id FROM held_payments WHERE purchase_id = $1',
    values: [purchaseId],
  });
  return row?.tenant_id;
};

/** How many payments are held for each reason. */
export const heldPaymentCounts = async (readModels: ReadModels): Promise<ReadonlyMap<string, number>> => {
  const rows = await readModels.query<{ reason: string; held: string }>({
    name: 'held-payment-counts',
    text: 'SELECT reason, count(*) AS held FROM held_payments GROUP BY reason',
    values: [],
  });
  return new Map(rows.map(({ reason, held }) => [reason, Number(held)]));
};

/** A purchase, or the checkout of a subscription. */
export interface PaymentRow {
  readonly tenantId: TenantId;
  readonly purchaseId: string;
}

const FIRST: PaymentRow = { tenantId: '' as TenantId, purchaseId: '00000000-0000-0000-0000-000000000000' };

/** Payments to which nothing has happened since `before`, after this one. What an operator has to decide is left out. */
export const paymentsBefore = (
  readModels: ReadModels,
  before: Date,
  after: PaymentRow = FIRST,
  limit: number,
): Promise<readonly PaymentRow[]> =>
  readModels.query<PaymentRow>({
    name: 'payments-before',
    text: `SELECT tenant_id AS "tenantId", purchase_id AS "purchaseId" FROM payments p
           WHERE latest_at < $1 AND (tenant_id, purchase_id) > ($2, $3)
             AND NOT EXISTS (SELECT FROM held_payments h WHERE h.purchase_id = p.purchase_id)
           ORDER BY tenant_id, purchase_id LIMIT $4`,
    values: [before, after.tenantId, after.purchaseId, limit],
  });

/** A purchase of credits. Amounts are US cents, as decimals. */
export interface PurchaseRow {
  readonly purchaseId: string;
  /** A log position. */
  readonly openedAt: string;
  readonly opened: PaymentOpened['data'] & {
    readonly eventId: string;
    /** ISO 8601, UTC. */
    readonly createdAt: string;
  };
  readonly status: 'open' | 'received' | 'failed';
  readonly paidMinor: string;
  readonly refundedMinor: string;
  readonly held: boolean;
  readonly refused: boolean;
  readonly disputes: Readonly<Record<string, 'open' | 'won' | 'lost'>>;
  readonly paymentIntentId: string | null;
}

/** The purchases of credits that were opened before this one, newest first. */
export const purchasesOf = (
  readModels: ReadModels,
  tenantId: TenantId,
  before: string | undefined,
  limit: number,
): Promise<readonly PurchaseRow[]> =>
  readModels.query<PurchaseRow>({
    name: 'purchases-of',
    text: `SELECT purchase_id AS "purchaseId", opened_at AS "openedAt", opened, status, paid_minor AS "paidMinor",
             refunded_minor AS "refundedMinor", refused, disputes, payment_intent_id AS "paymentIntentId",
             EXISTS (SELECT FROM held_payments h WHERE h.purchase_id = p.purchase_id) AS held
           FROM payments p WHERE tenant_id = $1 AND opened_at IS NOT NULL AND ($2::bigint IS NULL OR opened_at < $2)
           ORDER BY opened_at DESC LIMIT $3`,
    values: [tenantId, before ?? null, limit],
  });

export interface EndedGrace {
  readonly tenantId: TenantId;
  readonly subscriptionId: string;
}

/** Subscriptions whose grace is over at that time, by account and id, behind the last. */
export const endedGraces = (
  readModels: ReadModels,
  at: Date,
  last: EndedGrace | undefined,
  limit: number,
): Promise<readonly EndedGrace[]> =>
  readModels.query<EndedGrace>({
    name: 'ended-graces',
    text: `SELECT tenant_id AS "tenantId", subscription_id AS "subscriptionId" FROM graces
           WHERE ends_at <= $1 AND (tenant_id, subscription_id) > ($2, $3) ORDER BY tenant_id, subscription_id LIMIT $4`,
    values: [at, last?.tenantId ?? '', last?.subscriptionId ?? '', limit],
  });
