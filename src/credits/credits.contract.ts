import { PAYMENT_REQUIRED } from '../kernel/error-codes.js';
import { type SliceContract } from '../kernel/contract.js';

export const CREDITS_CONTRACT = {
  tags: { Billing: 'Credits, prices, purchases and subscriptions. /api/v1/billing answers the same as /billing.' },
  auditResults: ['not_disclosed'],
  rejections: {
    key_cap_reached: { code: 'KEY_CAP_REACHED', detail: `${PAYMENT_REQUIRED}: the key reached its cap of the day` },
    credits_depleted: { code: 'CREDITS_DEPLETED', detail: `${PAYMENT_REQUIRED}: the balance is 0` },
    insufficient_credits: {
      code: 'INSUFFICIENT_CREDITS',
      detail: `${PAYMENT_REQUIRED}: the balance is below the cost`,
    },
    deduction_id_reused: { code: 'CONFLICT', detail: 'The deduction was made with another amount' },
    balance_limit_exceeded: { code: 'CONFLICT', detail: 'The balance would exceed what an account may hold' },
    adjustment_below_zero: { code: 'CONFLICT', detail: 'The balance would fall below zero' },
    reference_reused: { code: 'CONFLICT', detail: 'The reference was used before' },
  },
  announcements: {
    'key.cap_reached': {
      summary: 'An API key reached its cap of the day, so that a call was refused',
      example: { key_id: 'HyBJKgiB', credit_cap_per_day: 500, spent: 500, day: '2026-11-26' },
    },
    'billing.low_balance': {
      summary: 'The balance fell to a threshold',
      example: { current_balance: 200, threshold: 200, severity: 'warning' },
    },
  },
  pathIds: { transactions: ['txn_42_9f1c0d7a52e84b6f', 'The id of the transaction'] },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly credits: typeof CREDITS_CONTRACT;
  }
}
