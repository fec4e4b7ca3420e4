import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Transaction } from '../../../projections/ledger/billing.queries.js';
import { EventProofs } from '../../kernel/event-proofs.js';
import { type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../platform/http/access.js';
import { BooleanField, IntegerField, TextField } from '../../platform/http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { RespondsWith } from '../../platform/http/responses.js';
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

  @BooleanField({ optional: true, description: 'With true, each transaction carries its proof' })
  proof?: boolean;
}

class TransactionQuery {
  @BooleanField({ optional: true, description: 'With true, it carries its proof' })
  proof?: boolean;
}

/** The revision of the last transaction on the page before. */
const startOf = (cursor: string | undefined, offset: number): number | undefined => {
  if (cursor === undefined) return undefined;
  const revision = revisionOf(cursor);
  if (revision === undefined) throw refuse('invalid_field', { field: 'cursor', detail: 'The next_cursor of a page' });
  if (offset > 0) throw refuse('invalid_field', { field: 'offset', detail: '0, or no offset, together with cursor' });
  return revision;
};

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
    @Query() { limit = 50, offset = 0, cursor, proof }: TransactionsQuery,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<TransactionsResponse> {
    const below = startOf(cursor, offset);
    // One more than the page tells whether another follows.
    const wanted = { limit: limit + 1, offset, below };
    const { total, transactions } = await this.billing.transactions(context.principal.tenantId, wanted);
    const shown = transactions.slice(0, limit);
    const proofs = await this.proofsOf(context.principal.tenantId, shown, proof);
    const page = shown.map((transaction) => ({ ...toTransaction(transaction), ...proofs(transaction) }));
    const hasMore = transactions.length > limit;
    const next_cursor = hasMore ? (page.at(-1)?.id ?? null) : null;
    return { transactions: page, pagination: { total, limit, offset, has_more: hasMore, next_cursor } };
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
