import { type BillableOperation } from '../../src/kernel/contract.js';
import { type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';
import { type TransactionType } from '../../src/kernel/transactions.js';

/** The projection that holds balances, transactions and usage. */
export const BILLING = 'ledger';

export interface Transaction {
  readonly revision: number;
  /** The event's id. */
  readonly id: string;
  readonly type: TransactionType;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly operation: string | null;
  readonly requestId: string;
  readonly reference: string | null;
  readonly occurredAt: Date;
}

/** The balances of these accounts, as far as the projection has read. Accounts without credits are left out. */
export const balancesOf = async (
  readModels: ReadModels,
  tenantIds: readonly TenantId[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await readModels.query<{ readonly tenant_id: string; readonly balance: string }>({
    name: 'balances-of',
    text: 'SELECT tenant_id, balance FROM balances WHERE tenant_id = ANY ($1)',
    values: [tenantIds],
  });
  return new Map(rows.map(({ tenant_id, balance }) => [tenant_id, Number(balance)]));
};

/** An account's balance at the end of a day, and what was purchased on it. */
export interface DayOfCredits {
  /** YYYY-MM-DD, in UTC. */
  readonly date: string;
  /** Null before the first credits. */
  readonly balance: number | null;
  readonly purchased: number;
}

/** Of these days, which are in order. The last one counts as not ended. */
export const creditsByDay = async (
  readModels: ReadModels,
  tenantId: TenantId,
  dates: readonly string[],
): Promise<readonly DayOfCredits[]> => {
  const rows = await readModels.query<{
    readonly balance: string;
    readonly first: string;
    readonly day: string | null;
    readonly moved: string | null;
    readonly purchased: string | null;
  }>({
    name: 'credits-by-day',
    text: `SELECT b.balance, to_char(d.day, 'YYYY-MM-DD') AS day, d.moved, d.purchased,
             to_char((SELECT min(day) FROM credits_by_day WHERE tenant_id = $1), 'YYYY-MM-DD') AS first
           FROM balances b LEFT JOIN credits_by_day d ON d.tenant_id = b.tenant_id AND d.day >= $2 WHERE b.tenant_id = $1`,
    values: [tenantId, dates[0]],
  });
  const [{ balance, first } = { balance: '0', first: null }] = rows;
  const moves = new Map(rows.map(({ day, moved, purchased }) => [day, [Number(moved), Number(purchased)] as const]));
  let left = Number(balance);
  return dates
    .toReversed()
    .map((date) => {
      const [moved, purchased] = moves.get(date) ?? [0, 0];
      const closing = { date, balance: first === null || date < first ? null : left, purchased };
      left -= moved;
      return closing;
    })
    .reverse();
};

export interface TransactionPage {
  /** Of the whole account, from the same snapshot. */
  readonly total: number;
  readonly transactions: readonly Transaction[];
}

/** `below`: transactions before this revision alone. Undefined: all. */
export interface WantedPage {
  readonly limit: number;
  readonly offset: number;
  readonly below?: number | undefined;
}

export interface Row {
  readonly revision: string;
  readonly id: string;
  readonly type: TransactionType;
  readonly amount: string;
  readonly balance_after: string;
  readonly operation: string | null;
  readonly request_id: string;
  readonly reference: string | null;
  readonly occurred_at: Date;
}

type CountedRow = { readonly total: string } & { readonly [Name in keyof Row]: Row[Name] | null };

export const TRANSACTION_COLUMNS =
  'revision, id, type, amount, balance_after, operation, request_id, reference, occurred_at';

export const toTransaction = (row: Row): Transaction => ({
  revision: Number(row.revision),
  id: row.id,
  type: row.type,
  amount: Number(row.amount),
  balanceAfter: Number(row.balance_after),
  operation: row.operation,
  requestId: row.request_id,
  reference: row.reference,
  occurredAt: row.occurred_at,
});

const isRow = (row: CountedRow): row is CountedRow & Row => row.revision !== null;

/**
 * Newest first, with the total, in one statement and so from one snapshot. The key alone skips the rows before
 * `offset`, and none is read where the offset lies beyond the total. Postgres cannot know how few rows a page has, so the
 * lateral look-up keeps it from a join with all rows.
 */
export const transactionPage = async (
  readModels: ReadModels,
  tenantId: TenantId,
  { limit, offset, below }: WantedPage,
): Promise<TransactionPage> => {
  const rows = await readModels.query<CountedRow>({
    name: 'transactions-page',
    text: `WITH counted AS (
             SELECT coalesce((SELECT transactions FROM balances WHERE tenant_id = $1), 0) AS total
           ), page AS MATERIALIZED (
             SELECT revision FROM credit_transactions WHERE tenant = $2 AND revision < $5
             ORDER BY revision DESC OFFSET $4
             LIMIT (SELECT CASE WHEN $4 < total THEN $3::bigint ELSE 0 END FROM counted)
           ), shown AS (
             SELECT t.* FROM page CROSS JOIN LATERAL (
               SELECT ${TRANSACTION_COLUMNS} FROM credit_transactions
               WHERE tenant = $2 AND credit_transactions.revision = page.revision LIMIT 1
             ) AS t
           )
           SELECT total, ${TRANSACTION_COLUMNS} FROM counted LEFT JOIN shown ON true ORDER BY revision DESC`,
    values: [tenantId, tenantUuid(tenantId), limit, offset, below ?? Number.MAX_SAFE_INTEGER],
  });
  return { total: Number(rows[0]?.total ?? 0), transactions: rows.filter(isRow).map(toTransaction) };
};

/** Oldest first, from this revision on. */
export const transactionsFrom = async (
  readModels: Pick<ReadModels, 'query'>,
  tenantId: TenantId,
  revision: number,
  limit: number,
): Promise<readonly Transaction[]> => {
  const rows = await readModels.query<Row>({
    name: 'transactions-from',
    text: `SELECT ${TRANSACTION_COLUMNS} FROM credit_transactions WHERE tenant = $1 AND revision >= $2 ORDER BY revision LIMIT $3`,
    values: [tenantUuid(tenantId), revision, limit],
  });
  return rows.map(toTransaction);
};

/** Undefined if the account has none at this revision. */
export const transactionAt = async (
  readModels: ReadModels,
  tenantId: TenantId,
  revision: number,
): Promise<Transaction | undefined> => {
  const [row] = await readModels.query<Row>({
    name: 'transaction-at',
    text: `SELECT ${TRANSACTION_COLUMNS} FROM credit_transactions WHERE tenant = $1 AND revision = $2`,
    values: [tenantUuid(tenantId), revision],
  });
  return row && toTransaction(row);
};

/** Newest first, 100 at most. `since`: inclusive. */
export const transactionsOfRequest = async (
  readModels: Pick<ReadModels, 'query'>,
  tenantId: TenantId,
  requestId: string,
  since: Date,
): Promise<readonly Transaction[]> => {
  const rows = await readModels.query<Row>({
    name: 'transactions-of-request',
    text: `SELECT ${TRANSACTION_COLUMNS} FROM credit_transactions
           WHERE hashtextextended(request_id, 0) = hashtextextended($2, 0) AND request_id = $2 AND tenant = $1
             AND occurred_at >= $3
           ORDER BY revision DESC LIMIT 100`,
    values: [tenantUuid(tenantId), requestId, since],
  });
  return rows.map(toTransaction);
};

/** Credits used on one UTC day, YYYY-MM-DD, by one operation with one key. */
export interface Usage {
  readonly day: string;
  readonly operation: BillableOperation;
  /** The API key's id, or an unnamed actor. */
  readonly actor: string;
  readonly credits: number;
}

/** From one day to another, both included. Days and operations without usage are left out. */
export const usageBetween = async (
  readModels: ReadModels,
  tenantId: TenantId,
  first: string,
  last: string,
): Promise<readonly Usage[]> => {
  const rows = await readModels.query<{ day: string; operation: BillableOperation; actor: string; credits: string }>({
    name: 'usage-between',
    text: `SELECT to_char(day, 'YYYY-MM-DD') AS day, operation, actor, credits FROM usage_by_day
           WHERE tenant_id = $1 AND day >= $2 AND day <= $3 AND credits <> 0`,
    values: [tenantId, first, last],
  });
  return rows.map(({ credits, ...row }) => ({ ...row, credits: Number(credits) }));
};
