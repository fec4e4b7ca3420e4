import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Transaction, type WantedPage } from '../../../projections/ledger/billing.queries.js';
import { type TransactionFilter } from '../../../projections/ledger/filtered-transactions.queries.js';
import { BILLABLE_OPERATIONS, type BillableOperation } from '../../kernel/contract.js';
import { EventProofs } from '../../kernel/event-proofs.js';
import { type TenantId } from '../../kernel/ids.js';
import { TRANSACTION_TYPES, transactionIdOf, type TransactionType } from '../../kernel/transactions.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { BooleanField, ChoicesField, IntegerField, RangeEdgeField, TextField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { BillingReader } from '../billing-reader.js';
import {
  isIdOf,
  LedgerTransactionResponse,
  revisionOf,
  toLedgerTransaction,
  toTransaction,
  TransactionsResponse,
} from './transaction.response.js';

class TransactionsQuery {
  @IntegerField({ min: 1, max: 100, default: 50 })
  limit?: number;

  @IntegerField({ min: 0, default: 0, description: 'Transactions to skip; not together with cursor' })
  offset?: number;

  @TextField({ optional: true, max: 64, description: 'The `next_cursor` of the page before; fast at any depth' })
  cursor?: string;

  @ChoicesField(TRANSACTION_TYPES, {
    optional: true,
    description: 'One or several, with commas or repeated; default all',
  })
  type?: TransactionType[];

  @ChoicesField(BILLABLE_OPERATIONS, {
    optional: true,
    description: 'What was charged, or came back: one or several, with commas or repeated',
  })
  operation?: BillableOperation[];

  @RangeEdgeField('start', { optional: true, description: 'Inclusive' })
  start_date?: Date;

  @RangeEdgeField('end', { optional: true, description: 'Exclusive; a bare date is a whole UTC day' })
  end_date?: Date;

  @BooleanField({ optional: true, description: 'With true, each transaction carries its proof' })
  proof?: boolean;
}

class TransactionQuery {
  @BooleanField({ optional: true, description: 'With true, it carries its proof' })
  proof?: boolean;
}

const filterOf = ({ type, operation, start_date, end_date }: TransactionsQuery): TransactionFilter | undefined => {
  const filter = { types: type, operations: operation, from: start_date, to: end_date };
  return Object.values(filter).every((one) => one === undefined) ? undefined : filter;
};

interface ShownPage {
  /** Null where the list is filtered. */
  readonly total: number | null;
  readonly shown: readonly Transaction[];
  /** The last that was looked at, where others may follow. */
  readonly last: Pick<Transaction, 'revision' | 'id'> | undefined;
}

@ApiTags('Billing')
@Controller(['billing/transactions', 'api/v1/billing/transactions'])
export class TransactionsController {
  constructor(
    private readonly billing: BillingReader,
    private readonly proofs: EventProofs,
  ) {}

  @Get()
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'Transactions of credits, newest first', type: TransactionsResponse })
  async listTransactions(
    @Query() query: TransactionsQuery,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<TransactionsResponse> {
    const { limit = 50, offset = 0, cursor } = query;
    const { tenantId } = context.principal;
    const below = cursor === undefined ? undefined : await this.startOf(tenantId, cursor, offset);
    const filter = filterOf(query);
    const { total, shown, last } = await (filter === undefined
      ? this.page(tenantId, { limit, offset, below })
      : this.filteredPage(tenantId, filter, { limit, offset, below }));
    const proofs = await this.proofsOf(tenantId, shown, query.proof);
    const transactions = shown.map((transaction) => ({ ...toTransaction(transaction), ...proofs(transaction) }));
    const next_cursor = last === undefined ? null : transactionIdOf(last);
    return { transactions, pagination: { total, limit, offset, has_more: last !== undefined, next_cursor } };
  }

  /** The revision of the last transaction on the page before. */
  private async startOf(tenantId: TenantId, cursor: string, offset: number): Promise<number> {
    if (offset > 0) throw refuse('invalid_field', { field: 'offset', detail: '0, or no offset, together with cursor' });
    const revision = revisionOf(cursor);
    const last = revision === undefined ? undefined : await this.billing.transaction(tenantId, revision);
    if (last === undefined || !isIdOf(cursor, last))
      throw refuse('invalid_field', { field: 'cursor', detail: 'The next_cursor of a page of this account' });
    return last.revision;
  }

  private async page(tenantId: TenantId, wanted: WantedPage): Promise<ShownPage> {
    // One more than the page shows whether another follows.
    const { total, transactions } = await this.billing.transactions(tenantId, { ...wanted, limit: wanted.limit + 1 });
    const shown = transactions.slice(0, wanted.limit);
    return { total, shown, last: transactions.length > wanted.limit ? shown.at(-1) : undefined };
  }

  private async filteredPage(tenantId: TenantId, filter: TransactionFilter, wanted: WantedPage): Promise<ShownPage> {
    if (wanted.offset > 0)
      throw refuse('invalid_field', { field: 'offset', detail: '0, or no offset, where the list is filtered' });
    const { transactions, last } = await this.billing.filteredTransactions(tenantId, filter, wanted);
    return { total: null, shown: transactions, last };
  }

  @Get(':id')
  @RequiresKey('billing')
  @RespondsWith(200, { summary: 'One transaction, with the event behind it', type: LedgerTransactionResponse })
  async getTransaction(
    @Param('id') id: string,
    @Query() { proof }: TransactionQuery,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<LedgerTransactionResponse> {
    const revision = revisionOf(id);
    if (revision === undefined) throw refuse('not_found');
    const transaction = await this.billing.transaction(context.principal.tenantId, revision);
    if (transaction === undefined || !isIdOf(id, transaction)) throw refuse('not_found');
    const proofs = await this.proofsOf(context.principal.tenantId, [transaction], proof);
    return Object.assign(toLedgerTransaction(transaction), proofs(transaction));
  }

  /** The member that a transaction's answer has more where proofs are wanted. */
  private async proofsOf(
    tenantId: TenantId,
    transactions: readonly Transaction[],
    wanted: boolean | undefined,
  ): Promise<(transaction: Transaction) => { readonly proof?: object | null }> {
    if (wanted !== true) return () => ({});
    const ids = transactions.map(({ id }) => id);
    const proofs = await this.proofs.of(tenantId, ids);
    return ({ id }) => ({ proof: proofs.get(id) ?? null });
  }
}
