import { type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';

type Reads = Pick<ReadModels, 'query'>;

/** A transaction as its row shows it. */
export interface MovementRow {
  readonly revision: number;
  readonly position: bigint;
  readonly amount: number;
  readonly balanceAfter: number;
}

/** The transactions from one revision to another, both included. */
export const movementsBetween = async (
  reads: Reads,
  tenantId: TenantId,
  first: bigint,
  last: bigint,
): Promise<readonly MovementRow[]> => {
  const rows = await reads.query<{ [Name in keyof MovementRow]: string }>({
    name: 'movements-between',
    text: `SELECT revision, position, amount, balance_after AS "balanceAfter" FROM credit_transactions
           WHERE tenant = $1 AND revision BETWEEN $2 AND $3 ORDER BY revision`,
    values: [tenantUuid(tenantId), first, last],
  });
  return rows.map(({ revision, position, amount, balanceAfter }) => ({
    revision: Number(revision),
    position: BigInt(position),
    amount: Number(amount),
    balanceAfter: Number(balanceAfter),
  }));
};

/** The rows of one account that are sums. */
export interface SummedRows {
  /** Undefined if there is no row. */
  readonly balance: number | undefined;
  readonly transactions: number;
  /** Credits by UTC day and operation. */
  readonly usage: readonly { readonly day: string; readonly operation: string; readonly credits: number }[];
  readonly open: readonly { readonly deductionId: string; readonly amount: number }[];
}

export const summedRows = async (reads: Reads, tenantId: TenantId): Promise<SummedRows> => {
  const values = [tenantId];
  const [balance] = await reads.query<{ balance: string; transactions: string }>({
    name: 'account-balance',
    text: 'SELECT balance, transactions FROM balances WHERE tenant_id = $1',
    values,
  });
  const usage = await reads.query<{ day: string; operation: string; credits: string }>({
    name: 'account-usage',
    text: `SELECT to_char(day, 'YYYY-MM-DD') AS day, operation, sum(credits) AS credits FROM usage_by_day
           WHERE tenant_id = $1 GROUP BY 1, 2`,
    values,
  });
  const open = await reads.query<{ deductionId: string; amount: string }>({
    name: 'account-open',
    text: 'SELECT deduction_id AS "deductionId", amount FROM open_deductions WHERE tenant_id = $1',
    values,
  });
  return {
    balance: balance && Number(balance.balance),
    transactions: Number(balance?.transactions ?? 0),
    usage: usage.map((row) => ({ ...row, credits: Number(row.credits) })),
    open: open.map((row) => ({ ...row, amount: Number(row.amount) })),
  };
};

/** UTC days of deductions, by their ids. Those whose rows are purged are left out. */
export const deductionDays = async (
  reads: Reads,
  tenantId: TenantId,
  deductionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (deductionIds.length === 0) return new Map();
  const rows = await reads.query<{ reference: string; day: string }>({
    name: 'deduction-days',
    text: `SELECT reference, to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM credit_transactions
           WHERE tenant = $1 AND reference = ANY ($2) AND type = 'usage'`,
    values: [tenantUuid(tenantId), deductionIds],
  });
  return new Map(rows.map(({ reference, day }) => [reference, day]));
};

/** The first account with a balance behind this one, in the order of their ids. '' is before all. */
export const balanceAfter = async (reads: Reads, after: string): Promise<TenantId | undefined> => {
  const rows = await reads.query<{ tenantId: TenantId }>({
    name: 'balance-after',
    text: 'SELECT tenant_id AS "tenantId" FROM balances WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1',
    values: [after],
  });
  return rows[0]?.tenantId;
};

/** The sums of an account's rows in one text. It changes without a transaction only where a deduction is settled, or by a fault. */
export interface AccountSum {
  readonly tenantId: TenantId;
  readonly transactions: string;
  readonly sums: string;
}

const SUMS = `
  SELECT tenant_id AS "tenantId", transactions, concat_ws(' ', balance,
    (SELECT sum(hashtextextended(concat_ws(' ', day, operation, actor, credits), 0)) FROM usage_by_day u WHERE u.tenant_id = b.tenant_id),
    (SELECT sum(hashtextextended(concat_ws(' ', deduction_id, amount), 0)) FROM open_deductions o WHERE o.tenant_id = b.tenant_id),
    (SELECT concat_ws(' ', revision, amount, balance_after) FROM credit_transactions t WHERE t.tenant = b.tenant
     ORDER BY revision DESC LIMIT 1)) AS sums
  FROM balances b`;

export const accountSum = async (reads: Reads, tenantId: TenantId): Promise<AccountSum | undefined> => {
  const text = `${SUMS} WHERE tenant_id = $1`;
  return (await reads.query<AccountSum>({ name: 'account-sum', text, values: [tenantId] }))[0];
};

/** In the order of their ids, behind this one. '' is before all. */
export const accountSums = (reads: Reads, after: string, limit: number): Promise<readonly AccountSum[]> => {
  const text = `${SUMS} WHERE tenant_id > $1 ORDER BY tenant_id LIMIT $2`;
  return reads.query<AccountSum>({ name: 'account-sums', text, values: [after, limit] });
};
