import { AT, LATER, UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

const PAYMENT = { purchase_id: UUID, package: 'small', amount: 120, currency: 'USD', origin: 'checkout' };

export const BILLING_CONTRACT = {
  rejections: {
    subscription_exists: { code: 'CONFLICT', detail: 'The account has a subscription: change it in the portal' },
    payment_not_grantable: { code: 'CONFLICT', detail: 'The payment has no package to grant' },
  },
  announcements: {
    'billing.payment_succeeded': { summary: 'A payment succeeded', example: { ...PAYMENT, credits: 1_000 } },
    'billing.payment_failed': {
      summary: 'A payment failed: of a purchase, or of a subscription',
      example: { ...PAYMENT, subscription_id: 'sub_1', reason: 'card_declined' },
      optional: [...Object.keys(PAYMENT), 'subscription_id'],
    },
    'billing.auto_recharge_failed': {
      summary:
        'An automatic recharge failed; purchase_id and failures are null where it was switched off (enabled: false)',
      example: { purchase_id: UUID, reason: 'declined', failures: 1, enabled: true },
      nullable: ['purchase_id', 'failures'],
    },
    'subscription.updated': {
      summary: 'The subscription started, changed, was renewed, fell past due or ended',
      example: {
        subscription_id: 'sub_1',
        status: 'active',
        tier: 'growth',
        renews_at: LATER,
        cancels_at_period_end: false,
        grace_ends_at: LATER,
        ended_at: AT,
      },
      optional: ['status', 'tier', 'renews_at', 'cancels_at_period_end', 'grace_ends_at', 'ended_at'],
    },
  },
  pathIds: {
    held: [UUID, 'The `purchase_id`'],
    purchases: [UUID, 'The `purchase_id` of the checkout'],
  },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly billing: typeof BILLING_CONTRACT;
  }
}
