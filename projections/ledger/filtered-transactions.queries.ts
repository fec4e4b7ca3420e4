import { type BillableOperation } from '../../src/kernel/contract.js';
import { CLOCK_SLACK_MS } from '../../src/kernel/clock.js';
import { type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { type TransactionType } from '../../src/kernel/transactions.js';
import { type ReadModels } from '../../src/log/project/projection.js';
import { type Row, toTransaction, type Transaction, TRANSACTION_COLUMNS } from './billing.queries.js';

/** Types and operations have no index, which every charge would pay for. So a page looks through so many rows at most. */
const LOOKED_AT = 20_000;

/** Undefined members do not filter. */
export interface TransactionFilter {
  readonly types: readonly TransactionType[] | undefined;
  readonly operations: readonly BillableOperation[] | undefined;
  /** Inclusive. */
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly to: Date | undefined;
}

export interface FilteredPageRequest {
  readonly limit: number;
  readonly below?: number | undefined;
  /** How many rows it looks through at most (20,000). */
  readonly lookAt?: number;
}

export interface FilteredPage {
  readonly transactions: readonly Transaction[];
  /** The oldest transaction that was looked at, where older ones may follow. */
  readonly last: Pick<Transaction, 'revision' | 'id'> | undefined;
}

/** Instances stamp charges by clocks of their own, so the order of times is that of revisions but for twice the slack. */
const OUT_OF_ORDER_MS = 2 * CLOCK_SLACK_MS;

/** The rows from which a page is taken, newest first. Parameters: tenant, below which revision, below which time's first charge. */
const LOOKED = `SELECT ${TRANSACTION_COLUMNS} FROM credit_transactions
  WHERE tenant = $1 AND revision < least($2::bigint, (
    SELECT later.revision FROM credit_transactions AS later
    WHERE later.tenant = $1 AND later.action IS NOT NULL AND later.occurred_at >= $3::timestamptz
    ORDER BY later.occurred_at, later.position LIMIT 1
  ))
  ORDER BY revision DESC`;

const farAfter = (time: Date | undefined): Date | null =>
  time === undefined ? null : new Date(time.getTime() + OUT_OF_ORDER_MS);

/** Newest first, before revision `below`. It may be shorter than `limit` although older ones follow. */
export const filteredTransactions = async (
  readModels: ReadModels,
  tenantId: TenantId,
  { types, operations, from, to }: TransactionFilter,
  { limit, below = Number.MAX_SAFE_INTEGER, lookAt = LOOKED_AT }: FilteredPageRequest,
): Promise<FilteredPage> => {
  const start = [tenantUuid(tenantId), below, farAfter(to)];
  // Read first: what is charged meanwhile is newer than both.
  const [oldest] = await readModels.query<Row>({
    name: 'transactions-looked-at',
    text: `${LOOKED} OFFSET $4 LIMIT 1`,
    values: [...start, lookAt - 1],
  });
  const rows = await readModels.query<Row>({
    name: 'transactions-filtered',
    text: `SELECT * FROM (${LOOKED}) AS looked
           WHERE ($4::text[] IS NULL OR type = ANY ($4)) AND ($5::text[] IS NULL OR operation = ANY ($5))
             AND ($6::timestamptz IS NULL OR occurred_at >= $6) AND ($7::timestamptz IS NULL OR occurred_at < $7)
             AND revision >= $9
           ORDER BY revision DESC LIMIT $8`,
    // One more than the page shows whether another follows.
    values: [...start, types ?? null, operations ?? null, from ?? null, to ?? null, limit + 1, oldest?.revision ?? 0],
  });
  const transactions = rows.slice(0, limit).map(toTransaction);
  if (rows.length > limit) return { transactions, last: transactions.at(-1) };
  const isBefore =
    from !== undefined && oldest !== undefined && oldest.occurred_at.getTime() < from.getTime() - OUT_OF_ORDER_MS;
  return { transactions, last: oldest === undefined || isBefore ? undefined : toTransaction(oldest) };
};
