import { Inject, Injectable } from '@nestjs/common';
import { isLive } from '../kernel/billing-accounts.js';
import { type CommandMetadata } from '../kernel/events.js';
import { type Envelope } from '../kernel/envelope.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { CREDIT_PACKAGES, type CreditPackage, SUBSCRIPTION_TIERS, type SubscriptionTier } from '../kernel/pricing.js';
import { refuse } from '../kernel/rejection.js';
import { type Config } from '../platform/config/config.js';
import { Vault } from '../platform/crypto/vault.js';
import { LABELS_FIELD, paymentStream } from './domain/payment.events.js';
import { Payments } from './stripe/payments.js';
import { CONFIG } from '../platform/tokens.js';
import { Customers } from './customers.js';
import { PaymentLedger } from './payment-ledger.js';
import { priceKeyOf, productOf } from './prices.js';

/** Where the hosted page leads back to. */
export interface ReturnPages {
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** Opens the provider's hosted pages. What is bought is an event before it can be paid. */
@Injectable()
export class Checkouts {
  constructor(
    private readonly ledger: PaymentLedger,
    private readonly customers: Customers,
    private readonly payments: Payments,
    private readonly vault: Vault,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The payer left the page without paying. */
  async cancel(tenantId: TenantId, purchaseId: string, requestId: string): Promise<void> {
    const metadata = { requestId, actor: { type: 'system', id: 'payments' } } as const;
    await this.ledger.execute(tenantId, { type: 'EndCheckout', purchaseId, how: 'cancelled' }, metadata);
  }

  /** Returns the address of the page. For the same purchase it is the same page. */
  async credits(
    tenantId: TenantId,
    purchaseId: string,
    name: CreditPackage,
    pages: ReturnPages,
    metadata: CommandMetadata,
    labels?: Readonly<Record<string, string>>,
  ): Promise<string> {
    const account = await this.customers.accountOf(tenantId);
    const customerId = await this.customers.customerOf(tenantId, account, metadata.requestId);
    const eventId = newUuid();
    const sealed = labels && (await this.seal(tenantId, purchaseId, eventId, labels));
    const opening = { type: 'OpenPayment', purchaseId, origin: 'checkout', package: name } as const;
    await this.ledger.execute(tenantId, { ...opening, ...(sealed && { labels: sealed }) }, metadata, eventId);
    const { credits, amountMinor } = CREDIT_PACKAGES[name];
    const product = `${credits.toLocaleString('en-US')} credits`;
    return this.payments.openCreditsCheckout({
      ...pages,
      tenantId,
      purchaseId,
      customerId,
      product,
      amountMinor,
      package: name,
    });
  }

  async subscription(
    tenantId: TenantId,
    purchaseId: string,
    tier: SubscriptionTier,
    pages: ReturnPages,
    metadata: CommandMetadata,
  ): Promise<string> {
    const { amountMinor } = SUBSCRIPTION_TIERS[tier];
    if (amountMinor === 'custom') {
      const detail = `The price of ${tier} is agreed with sales: ${this.config.payments.salesContact}`;
      throw refuse('invalid_field', { field: 'tier', detail });
    }
    const account = await this.customers.accountOf(tenantId);
    if (isLive(account.subscription)) throw refuse('subscription_exists');
    const customerId = await this.customers.customerOf(tenantId, account, metadata.requestId);
    const opening = { type: 'OpenSubscriptionCheckout', purchaseId, tier, amountMinor } as const;
    await this.ledger.execute(tenantId, opening, metadata);
    const price = { priceKey: priceKeyOf(tier), product: productOf(tier), amountMinor };
    return this.payments.openSubscriptionCheckout({ ...pages, ...price, tenantId, purchaseId, customerId });
  }

  private async seal(tenantId: TenantId, purchaseId: string, eventId: string, labels: object): Promise<Envelope> {
    const place = { tenantId, stream: paymentStream(tenantId, purchaseId), eventId, field: LABELS_FIELD };
    return this.vault.seal(await this.vault.tenantKey(tenantId, 'texts'), place, labels);
  }

  async portal(tenantId: TenantId, returnUrl: string, requestId: string): Promise<string> {
    const account = await this.customers.accountOf(tenantId);
    return this.payments.openPortal(await this.customers.customerOf(tenantId, account, requestId), returnUrl);
  }
}
