import { Injectable } from '@nestjs/common';
import { type BillingAccount, BillingAccounts, isLive } from '../kernel/billing-accounts.js';
import { type TenantId } from '../kernel/ids.js';
import { PaymentMethods } from '../kernel/payment-methods.js';
import { SUBSCRIPTION_TIERS } from '../kernel/pricing.js';
import { type LiveSubscription, SubscriptionReader } from '../kernel/subscriptions.js';
import { AccountDirectory } from './account-directory.js';
import { AccountRepository } from './account-repository.js';

@Injectable()
export class AccountBilling extends BillingAccounts {
  constructor(private readonly ledger: AccountRepository) {
    super();
  }

  override async read(tenantId: TenantId): Promise<BillingAccount | undefined> {
    const { account } = await this.ledger.read(tenantId);
    return account.status === 'absent' ? undefined : account.billing;
  }
}

@Injectable()
export class StoredPaymentMethods extends PaymentMethods {
  constructor(private readonly accounts: BillingAccounts) {
    super();
  }

  override async hasPaymentMethod(tenantId: TenantId): Promise<boolean> {
    return ((await this.accounts.read(tenantId))?.paymentMethodId ?? null) !== null;
  }
}

@Injectable()
export class AccountSubscriptions extends SubscriptionReader {
  constructor(private readonly directory: AccountDirectory) {
    super();
  }

  override async of(tenantId: TenantId): Promise<LiveSubscription | undefined> {
    const subscription = (await this.directory.find(tenantId))?.account.billing.subscription ?? null;
    if (!isLive(subscription)) return undefined;
    const { tier, startedAt, periodEnd, cancelsAtPeriodEnd } = subscription;
    const renewsAt = cancelsAtPeriodEnd ? undefined : periodEnd;
    return { tier, amountMinor: SUBSCRIPTION_TIERS[tier].amountMinor, startedAt, renewsAt };
  }
}
