export const TRANSACTION_TYPES = ['purchase', 'auto_recharge', 'usage', 'refund', 'adjustment', 'reversal'] as const;

export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/**
 * The revision finds the row. The event's digits bind the id to this account, since every account has its own
 * revisions.
 */
export const transactionIdOf = ({ revision, id }: { readonly revision: number; readonly id: string }): string =>
  `txn_${revision}_${id.replaceAll('-', '').slice(0, 16)}`;
