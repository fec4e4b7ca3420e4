import { Inject, Injectable } from '@nestjs/common';
import { type CommandMetadata } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { unreachable } from '../kernel/invariant.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import {
  type Marks,
  type PaymentNotice,
  Payments,
  type ReportedPayment,
  type ReversedPayment,
  type StandingPayment,
} from './stripe/payments.js';
import { CONFIG } from '../platform/tokens.js';
import { Customers } from './customers.js';
import { HeldPayments, placeOfPayment } from './held-payments.js';
import { PaymentLedger } from './payment-ledger.js';
import { Subscriptions } from './subscriptions.js';

type Reversal = Extract<PaymentNotice, { readonly kind: 'refund' | 'dispute' }>;

/** Changes at the provider that one notice follows before the provider has to repeat itself. */
const REFUND_TURNS = 5;

/** Carries out what the provider reports. Every part may be sent again, late, and in any order. */
@Injectable()
export class PaymentNotices {
  constructor(
    private readonly ledger: PaymentLedger,
    private readonly payments: Payments,
    private readonly customers: Customers,
    private readonly subscriptions: Subscriptions,
    private readonly held: HeldPayments,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns once what follows is durable. Throws Unavailable; then the provider sends it again. */
  async take(notice: PaymentNotice, requestId: string): Promise<void> {
    const metadata: CommandMetadata = { requestId, actor: { type: 'system', id: 'payments' } };
    switch (notice.kind) {
      case 'payment':
        return this.received(notice.payment, this.isOwnMode(notice), metadata);
      case 'payment_failed':
        return this.isOwnMode(notice) ? this.failed(notice.payment, notice.reason, metadata) : undefined;
      case 'checkout_expired':
        return this.isOwnMode(notice) ? this.expired(notice.marks, metadata) : undefined;
      case 'subscription':
        if (this.isOwnMode(notice)) return this.subscriptions.follow(notice, metadata);
        return this.held.hold(
          notice.marks,
          { reason: 'other_mode', amountMinor: null, currency: '', providerId: notice.subscriptionId },
          metadata,
        );
      case 'refund':
      case 'dispute':
        return this.isOwnMode(notice) ? this.reversed(notice, metadata) : undefined;
      default:
        return unreachable(notice);
    }
  }

  private isOwnMode({ livemode }: { readonly livemode: boolean }): boolean {
    return livemode === (this.config.environment === 'production');
  }

  private async received(payment: ReportedPayment, ownMode: boolean, metadata: CommandMetadata): Promise<void> {
    const { tenantId, purchaseId } = placeOfPayment(payment.marks, payment.providerId);
    const { paid, amountMinor, currency, providerId, paymentIntentId } = payment;
    const report = { paid, amountMinor, currency, providerId, paymentIntentId, ownMode };
    const { status } = await this.ledger.execute(tenantId, { type: 'ReportPayment', purchaseId, ...report }, metadata);
    if (status === 'received') await this.keepCard(tenantId, payment, metadata);
  }

  /** The card of a checkout is the one for payments to come. */
  private async keepCard(
    tenantId: TenantId,
    { customerId, paymentIntentId, marks }: ReportedPayment,
    { requestId }: CommandMetadata,
  ): Promise<void> {
    if (customerId === null || paymentIntentId === null || marks.origin !== 'checkout') return;
    const standing = await this.payments.payment({ paymentIntentId });
    await this.customers.keep(tenantId, customerId, standing?.paymentMethodId ?? null, requestId);
  }

  private async failed(payment: ReportedPayment, reason: string, metadata: CommandMetadata): Promise<void> {
    const { tenantId, purchaseId } = payment.marks;
    if (tenantId === undefined || purchaseId === undefined) return;
    await this.ledger.execute(tenantId, { type: 'ReportFailure', purchaseId, reason }, metadata);
  }

  private async expired({ tenantId, purchaseId }: Marks, metadata: CommandMetadata): Promise<void> {
    if (tenantId === undefined || purchaseId === undefined) return;
    await this.ledger.execute(tenantId, { type: 'EndCheckout', purchaseId, how: 'expired' }, metadata);
  }

  private async reversed(notice: Reversal, metadata: CommandMetadata): Promise<void> {
    const standing = await this.payments.payment(notice.reversed);
    const { tenantId, purchaseId } = standing?.marks ?? {};
    // Refunds of subscriptions and of what others sell take no credits.
    if (standing === undefined || tenantId === undefined || purchaseId === undefined) return;
    if (notice.kind === 'refund') return this.refunded(tenantId, purchaseId, standing, notice.reversed, metadata);
    const { disputeId, amountMinor, state } = notice;
    const report = { type: 'ReportDispute', purchaseId, disputeId, amountMinor, state } as const;
    await this.ledger.execute(tenantId, report, metadata);
  }

  /** What was read before another instance wrote may be older than that, so whoever wrote reads again. */
  private async refunded(
    tenantId: TenantId,
    purchaseId: string,
    standing: StandingPayment,
    reversed: ReversedPayment,
    metadata: CommandMetadata,
  ): Promise<void> {
    let latest: StandingPayment | undefined = standing;
    for (let turn = 0; turn < REFUND_TURNS; turn += 1) {
      if (latest === undefined) return;
      const { refundedMinor } = latest;
      const report = { type: 'ReportRefund', purchaseId, refundedMinor } as const;
      const { appended } = await this.ledger.decide(tenantId, report, metadata);
      if (appended.length === 0) return;
      latest = await this.payments.payment(reversed);
    }
    throw new Unavailable('payments');
  }
}
