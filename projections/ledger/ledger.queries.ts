import { type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';
import { type TransactionType } from '../../src/kernel/transactions.js';

/** A transaction that counted under its reference. */
export interface ReferencedRow {
  readonly reference: string;
  readonly type: Exclude<TransactionType, 'usage'>;
  readonly amount: number;
}

/** The transactions that bear these references. A purchase comes before a debt that it paid. */
export const transactionsByReference = async (
  readModels: ReadModels,
  tenantId: TenantId,
  references: readonly string[],
): Promise<readonly ReferencedRow[]> => {
  const rows = await readModels.query<ReferencedRow & { readonly amount: string }>({
    name: 'transactions-by-reference',
    text: `SELECT reference, type, amount FROM credit_transactions
           WHERE tenant = $1 AND reference = ANY ($2) AND type <> 'usage' ORDER BY revision`,
    values: [tenantUuid(tenantId), references],
  });
  return rows.map(({ reference, type, amount }) => ({ reference, type, amount: Number(amount) }));
};

/** Whether the rows hold what the account was before its carry of this month, YYYY-MM, or of a later one. */
export const holdsCarry = async (readModels: ReadModels, tenantId: TenantId, month: string): Promise<boolean> => {
  const [row] = await readModels.query<{ holds: boolean }>({
    name: 'ledger-holds-carry',
    text: 'SELECT EXISTS (SELECT FROM carried_forward WHERE tenant_id = $1 AND carried_at >= $2) AS holds',
    values: [tenantId, new Date(`${month}-01T00:00:00.000Z`)],
  });
  return row?.holds === true;
};

/**
 * A deduction that is neither settled nor refunded, as far as the projection has read. This is a hint, and the stream
 * decides.
 */
export interface OpenDeductionRow {
  readonly tenantId: TenantId;
  readonly deductionId: string;
}

/** Oldest first. */
export const openDeductions = async (readModels: ReadModels, limit: number): Promise<OpenDeductionRow[]> => {
  const rows = await readModels.query<{ tenant_id: TenantId; deduction_id: string }>({
    name: 'open-deductions',
    text: 'SELECT tenant_id, deduction_id FROM open_deductions ORDER BY deducted_at LIMIT $1',
    values: [limit],
  });
  return rows.map((row) => ({ tenantId: row.tenant_id, deductionId: row.deduction_id }));
};

export interface OpenDeductionSummary {
  readonly count: number;
  /** Undefined if none is open. */
  readonly oldest: Date | undefined;
}

export const openDeductionSummary = async (readModels: ReadModels): Promise<OpenDeductionSummary> => {
  const [row] = await readModels.query<{ count: string; oldest: Date | null }>({
    name: 'open-deduction-summary',
    text: 'SELECT count(*) AS count, min(deducted_at) AS oldest FROM open_deductions',
    values: [],
  });
  return { count: Number(row?.count ?? 0), oldest: row?.oldest ?? undefined };
};

/** Tenants in order of their ids, after this one. Empty: from the first. */
export interface TenantPage {
  readonly after: string;
  readonly limit: number;
}

/** Tenants whose account has changed since its last carry, and which were not carried forward since `since`. */
export const tenantsToCarryForward = async (
  readModels: ReadModels,
  since: Date,
  page: TenantPage,
): Promise<readonly TenantId[]> => {
  const rows = await readModels.query<{ tenantId: TenantId }>({
    name: 'balances-to-carry',
    text: `SELECT b.tenant_id AS "tenantId" FROM balances b
           LEFT JOIN LATERAL (SELECT revision, carried_at FROM carried_forward c WHERE c.tenant_id = b.tenant_id
             ORDER BY revision DESC LIMIT 1) last ON true
           WHERE (last.carried_at IS NULL OR last.carried_at < $1)
             AND b.tenant_id > $2
             AND EXISTS (SELECT 1 FROM credit_transactions t
               WHERE t.tenant = b.tenant AND t.revision > coalesce(last.revision, -1))
           ORDER BY b.tenant_id LIMIT $3`,
    values: [since, page.after, page.limit],
  });
  return rows.map(({ tenantId }) => tenantId);
};

/** A credits stream that may be truncated below `firstKept`, since that event holds the whole account. */
export interface PurgeableAccount {
  readonly tenantId: TenantId;
  readonly firstKept: number;
}

/**
 * For each tenant, the newest balance carried before `before` with transactions below it. None of the deductions open
 * in it may still be open, since open ones must stay in the log.
 */
export const purgeableAccounts = async (
  readModels: ReadModels,
  before: Date,
  page: TenantPage,
): Promise<readonly PurgeableAccount[]> => {
  const rows = await readModels.query<{ tenantId: TenantId; firstKept: string }>({
    name: 'balances-purgeable',
    text: `SELECT c.tenant_id AS "tenantId", max(c.revision) AS "firstKept" FROM carried_forward c JOIN balances b USING (tenant_id)
           WHERE c.carried_at < $1 AND c.tenant_id > $2
             AND NOT EXISTS (SELECT 1 FROM open_deductions o
               WHERE o.tenant_id = c.tenant_id AND o.deduction_id = ANY (c.open_deductions))
           GROUP BY c.tenant_id, b.tenant
           HAVING EXISTS (SELECT 1 FROM credit_transactions t WHERE t.tenant = b.tenant AND t.revision < max(c.revision))
           ORDER BY c.tenant_id LIMIT $3`,
    values: [before, page.after, page.limit],
  });
  return rows.map(({ tenantId, firstKept }) => ({ tenantId, firstKept: Number(firstKept) }));
};

/** A range of transactions: `from` inclusive, `below` exclusive. */
export interface Revisions {
  readonly tenantId: TenantId;
  readonly from: number;
  readonly below: number;
}

/** Revision of the next transaction after the `many` oldest ones. Undefined if there is none. */
export const transactionAfter = async (
  readModels: ReadModels,
  { tenantId, from, below }: Revisions,
  many: number,
): Promise<number | undefined> => {
  const rows = await readModels.query<{ revision: string }>({
    name: 'transaction-after',
    text: `SELECT revision FROM credit_transactions WHERE tenant = $1 AND revision >= $2 AND revision < $3
           ORDER BY revision OFFSET $4 LIMIT 1`,
    values: [tenantUuid(tenantId), from, below, many],
  });
  return rows[0] === undefined ? undefined : Number(rows[0].revision);
};
