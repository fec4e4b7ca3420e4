import { type TenantId } from '../../src/kernel/ids.js';
import { type BillableOperation } from '../../src/kernel/operations.js';
import { type ReadModels } from '../../src/platform/projections/projection.js';

export interface CreditTransaction {
  readonly id: string;
  readonly type: 'purchase' | 'usage' | 'refund' | 'adjustment';
  /** Credits, signed. */
  readonly amount: number;
  readonly balanceAfter: number;
  readonly operation: BillableOperation | null;
  readonly requestId: string;
  readonly reference: string | null;
  readonly createdAt: Date;
}

interface TransactionRow {
  readonly id: string;
  readonly type: CreditTransaction['type'];
  readonly amount: string;
  readonly balance_after: string;
  readonly operation: BillableOperation | null;
  readonly request_id: string;
  readonly reference: string | null;
  readonly created_at: Date;
}

const toTransaction = (row: TransactionRow): CreditTransaction => ({
  id: row.id,
  type: row.type,
  amount: Number(row.amount),
  balanceAfter: Number(row.balance_after),
  operation: row.operation,
  requestId: row.request_id,
  reference: row.reference,
  createdAt: row.created_at,
});

/** Newest first, with the number of all. */
export const transactionsOf = async (
  readModels: ReadModels,
  tenantId: TenantId,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly transactions: readonly CreditTransaction[]; readonly total: number }> => {
  const [rows, totals] = await Promise.all([
    readModels.query<TransactionRow>({
      name: 'transactions-of',
      text: `SELECT id, type, amount, balance_after, operation, request_id, reference, created_at
             FROM credit_transactions WHERE tenant_id = $1 ORDER BY revision DESC LIMIT $2 OFFSET $3`,
      values: [tenantId, page.limit, page.offset],
    }),
    readModels.query<{ transactions: string }>({
      name: 'transaction-count',
      text: 'SELECT transactions FROM balances WHERE tenant_id = $1',
      values: [tenantId],
    }),
  ]);
  return { transactions: rows.map(toTransaction), total: Number(totals[0]?.transactions ?? 0) };
};

export interface DayUsage {
  /** UTC day, YYYY-MM-DD. */
  readonly day: string;
  readonly operation: BillableOperation;
  readonly credits: number;
}

/** Days without usage are absent; both ends inclusive, as YYYY-MM-DD. */
export const usageOf = async (
  readModels: ReadModels,
  tenantId: TenantId,
  firstDay: string,
  lastDay: string,
): Promise<readonly DayUsage[]> => {
  const rows = await readModels.query<{ day: string; operation: BillableOperation; credits: string }>({
    name: 'usage-of',
    text: `SELECT to_char(day, 'YYYY-MM-DD') AS day, operation, credits FROM usage_by_day
           WHERE tenant_id = $1 AND day BETWEEN $2::date AND $3::date ORDER BY day, operation`,
    values: [tenantId, firstDay, lastDay],
  });
  return rows.map(({ day, operation, credits }) => ({ day, operation, credits: Number(credits) }));
};

/** A deduction that nothing has settled or refunded yet, as far as the projection has read: a hint, the stream decides. */
export interface OpenDeductionRow {
  readonly tenantId: TenantId;
  readonly deductionId: string;
  /** By the appender's clock. */
  readonly deductedAt: Date;
}

/** Oldest first. */
export const openDeductions = async (readModels: ReadModels, limit: number): Promise<OpenDeductionRow[]> => {
  const rows = await readModels.query<{ tenant_id: TenantId; deduction_id: string; deducted_at: Date }>({
    name: 'open-deductions',
    text: 'SELECT tenant_id, deduction_id, deducted_at FROM open_deductions ORDER BY deducted_at LIMIT $1',
    values: [limit],
  });
  return rows.map((row) => ({ tenantId: row.tenant_id, deductionId: row.deduction_id, deductedAt: row.deducted_at }));
};
