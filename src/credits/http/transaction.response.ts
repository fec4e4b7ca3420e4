import { ApiProperty } from '@nestjs/swagger';
import { type Transaction } from '../../../projections/ledger/billing.queries.js';
import { TRANSACTION_TYPES, transactionIdOf } from '../../kernel/transactions.js';

export class TransactionResponse {
  @ApiProperty({ example: 'txn_42_9f1c0d7a52e84b6f' })
  id!: string;

  @ApiProperty({ enum: TRANSACTION_TYPES })
  type!: string;

  @ApiProperty({ type: 'integer', description: 'Credits, signed', example: -1 })
  amount!: number;

  @ApiProperty({ type: 'integer', description: 'Credits after the transaction', example: 999 })
  balance_after!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The operation that was charged, or came back' })
  operation!: string | null;

  @ApiProperty({ description: 'The request that caused it' })
  request_id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Unique reference of a purchase, an adjustment or a reversal; of a refund, what it gave back',
  })
  reference!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({
    type: Object,
    nullable: true,
    required: false,
    description:
      'With proof=true: the proof file (docs/contract.md, Proofs) of its event; null where there is none yet',
  })
  proof?: object | null;
}

export class LedgerTransactionResponse extends TransactionResponse {
  @ApiProperty({ type: 'integer', description: "Revision of its event in the account's credit stream", example: 42 })
  ledger_revision!: number;

  @ApiProperty({ format: 'uuid', description: 'Its event' })
  event_id!: string;
}

class TransactionPagination {
  @ApiProperty({ type: 'integer', nullable: true, description: 'All of the account; null where the list is filtered' })
  total!: number | null;

  @ApiProperty({ type: 'integer' })
  limit!: number;

  @ApiProperty({ type: 'integer' })
  offset!: number;

  @ApiProperty({ description: 'Whether more transactions follow those of this page' })
  has_more!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page; null on the last' })
  next_cursor!: string | null;
}

export class TransactionsResponse {
  @ApiProperty({ type: [TransactionResponse], description: 'Newest first' })
  transactions!: TransactionResponse[];

  @ApiProperty({ type: TransactionPagination })
  pagination!: TransactionPagination;
}

const ID = /^txn_(0|[1-9]\d{0,14})_([0-9a-f]{16})$/;

/** The revision that an id names. Undefined if it is no id of a transaction. */
export const revisionOf = (id: string): number | undefined => {
  const [, revision] = ID.exec(id) ?? [];
  return revision === undefined ? undefined : Number(revision);
};

export const isIdOf = (id: string, transaction: Transaction): boolean => id === transactionIdOf(transaction);

export const toTransaction = (transaction: Transaction) => ({
  id: transactionIdOf(transaction),
  type: transaction.type,
  amount: transaction.amount,
  balance_after: transaction.balanceAfter,
  operation: transaction.operation,
  request_id: transaction.requestId,
  reference: transaction.reference,
  created_at: transaction.occurredAt.toISOString(),
});

export const toLedgerTransaction = (transaction: Transaction): LedgerTransactionResponse => ({
  ...toTransaction(transaction),
  ledger_revision: transaction.revision,
  event_id: transaction.id,
});
