import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type BillingAccount, BillingAccounts, isLive } from '../kernel/billing-accounts.js';
import { type Clock } from '../kernel/clock.js';
import { type CommandMetadata } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type SubscriptionTier } from '../kernel/pricing.js';
import { isRejection } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { type Marks, Payments, type ReportedSubscription } from './stripe/payments.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { observeSubscription } from './account-commands.process.js';
import { Customers } from './customers.js';
import { type HoldReason } from './domain/payment.events.js';
import { HeldPayments } from './held-payments.js';
import { tierPaidBy } from './prices.js';

/** Tries to write what the provider says before something else changes the account. */
const MAX_TRIES = 10;

export interface SubscriptionNews {
  readonly subscriptionId: string;
  readonly marks: Marks;
  readonly occurredAt: string;
  readonly paymentFailed: boolean;
}

/**
 * Follows the subscriptions. Events come twice, late and out of order, so each only says which subscription to look at.
 * The provider is asked after the account was read, and its answer is refused if the account changed since. So the
 * last change of an account is never older than the one before.
 */
@Injectable()
export class Subscriptions {
  constructor(
    private readonly payments: Payments,
    private readonly accounts: BillingAccounts,
    private readonly customers: Customers,
    private readonly held: HeldPayments,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async follow(news: SubscriptionNews, metadata: CommandMetadata): Promise<void> {
    const { subscriptionId } = news;
    const tenantId = news.marks.tenantId ?? (await this.payments.subscription(subscriptionId))?.marks.tenantId;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const account = tenantId && (await this.accounts.read(tenantId));
      const subscription = await this.payments.subscription(subscriptionId);
      if (subscription === undefined || account === undefined || tenantId === undefined) {
        await this.hold(news.marks, subscriptionId, 'unknown_purchase', subscription, metadata);
        return;
      }
      if (await this.observed(tenantId, account, subscription, news, metadata)) return;
    }
    throw new Unavailable('event_store');
  }

  /** Returns whether nothing came in between. */
  private async observed(
    tenantId: TenantId,
    account: BillingAccount,
    subscription: ReportedSubscription,
    news: SubscriptionNews,
    metadata: CommandMetadata,
  ): Promise<boolean> {
    const { status, subscriptionId, startedAt, periodEnd, cancelsAtPeriodEnd } = subscription;
    if (status === 'pending') return true;
    const tier = status === 'ended' ? 'starter' : this.tierOf(subscription, account);
    if (typeof tier !== 'string') {
      await this.hold(subscription.marks, subscriptionId, tier.fault, subscription, metadata);
      return true;
    }
    const since = subscription.endedAt ?? this.dueSince(news);
    const seen = { version: account.version, subscriptionId, status, tier, startedAt, periodEnd, cancelsAtPeriodEnd };
    try {
      await this.commands.execute(
        observeSubscription(tenantId, { ...seen, since }, metadata.requestId, this.clock.now()),
      );
    } catch (error) {
      if (isRejection(error, 'account_state_conflict')) return false;
      throw error;
    }
    if (status === 'live') {
      const { customerId, paymentMethodId } = subscription;
      await this.customers.keep(tenantId, customerId, paymentMethodId, metadata.requestId);
    }
    return true;
  }

  /** Since when a payment is due. Other events come late and say only that one is, so that none of the grace is over. */
  private dueSince({ paymentFailed, occurredAt }: SubscriptionNews): string {
    return paymentFailed ? occurredAt : this.clock.now().toISOString();
  }

  private tierOf(
    subscription: ReportedSubscription,
    { subscription: known }: BillingAccount,
  ): SubscriptionTier | { readonly fault: HoldReason } {
    if (subscription.livemode !== (this.config.environment === 'production')) return { fault: 'other_mode' };
    if (isLive(known) && known.subscriptionId !== subscription.subscriptionId) return { fault: 'second_subscription' };
    return tierPaidBy(subscription) ?? { fault: 'other_price' };
  }

  private hold(
    marks: Marks,
    providerId: string,
    reason: HoldReason,
    subscription: ReportedSubscription | undefined,
    metadata: CommandMetadata,
  ): Promise<void> {
    const { amountMinor = null, currency = '' } = subscription ?? {};
    return this.held.hold(marks, { reason, amountMinor, currency, providerId }, metadata);
  }
}
