export const TRANSACTION_TYPES = ['purchase', 'auto_recharge', 'usage', 'refund', 'adjustment', 'reversal'] as const;

export type TransactionType = (typeof TRANSACTION_TYPES)[number];
