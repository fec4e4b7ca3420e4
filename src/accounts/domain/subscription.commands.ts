import { type TenantId } from '../../kernel/ids.js';
import { type SubscriptionTier } from '../../kernel/pricing.js';
import { type AccountMetadata } from './account-metadata.commands.js';

/** The subscription as it stood at the provider, read after the account's `version`. */
export class ObserveSubscription {
  readonly type = 'ObserveSubscription';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly version: number;
      readonly subscriptionId: string;
      readonly status: 'live' | 'past_due' | 'ended';
      readonly tier: SubscriptionTier;
      readonly startedAt: string;
      readonly periodEnd: string;
      readonly cancelsAtPeriodEnd: boolean;
      /** When it was found to be past due, or ended. */
      readonly since: string;
    },
    readonly metadata: AccountMetadata,
  ) {}
}

/** Ends the grace of a subscription where it is over. */
export class LapseSubscription {
  readonly type = 'LapseSubscription';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly subscriptionId: string },
    readonly metadata: AccountMetadata,
  ) {}
}

export class KeepPaymentCustomer {
  readonly type = 'KeepPaymentCustomer';
  constructor(
    readonly tenantId: TenantId,
    /** `paymentMethodId` null: none is known, and one that is kept stays. */
    readonly data: { readonly customerId: string; readonly paymentMethodId: string | null },
    readonly metadata: AccountMetadata,
  ) {}
}

export type SubscriptionCommand = ObserveSubscription | LapseSubscription | KeepPaymentCustomer;
