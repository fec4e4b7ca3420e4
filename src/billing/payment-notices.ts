import { Inject, Injectable } from '@nestjs/common';
import { type CommandMetadata } from '../kernel/events.js';
import { unreachable } from '../kernel/invariant.js';
import { type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { type Marks, type PaymentNotice, Payments, type ReportedPayment } from '../platform/payments/payments.js';
import { CONFIG } from '../platform/tokens.js';
import { Customers } from './customers.js';
import { HeldPayments, placeOfPayment } from './held-payments.js';
import { PaymentLedger } from './payment-ledger.js';
import { Subscriptions } from './subscriptions.js';

type Reversal = Extract<PaymentNotice, { readonly kind: 'refund' | 'dispute' }>;

/** Carries out what the provider tells. Every part may be told again, late, and in any order. */
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

  /** Returns once what follows is durable. Throws Unavailable; then the provider tells it again. */
  async take(notice: PaymentNotice, requestId: string): Promise<void> {
    const metadata: CommandMetadata = { requestId, actor: { type: 'system', id: 'payments' } };
    switch (notice.kind) {
      case 'payment':
        return this.received(notice.payment, this.isOwnMode(notice), metadata);
      case 'payment_failed':
        return this.isOwnMode(notice) ? this.failed(notice.payment, notice.reason, metadata) : undefined;
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
    const intent = await this.payments.paymentIntent(paymentIntentId);
    await this.customers.keep(tenantId, customerId, intent?.paymentMethodId ?? null, requestId);
  }

  private async failed(payment: ReportedPayment, reason: string, metadata: CommandMetadata): Promise<void> {
    const { tenantId, purchaseId } = payment.marks;
    if (tenantId === undefined || purchaseId === undefined) return;
    await this.ledger.execute(tenantId, { type: 'ReportFailure', purchaseId, reason }, metadata);
  }

  private async reversed(notice: Reversal, metadata: CommandMetadata): Promise<void> {
    const { tenantId, purchaseId } = await this.marksOf(notice);
    // Refunds of subscriptions and of what others sell take no credits.
    if (tenantId === undefined || purchaseId === undefined) return;
    if (notice.kind === 'refund') {
      const { refundedMinor } = notice;
      await this.ledger.execute(tenantId, { type: 'ReportRefund', purchaseId, refundedMinor }, metadata);
      return;
    }
    const { disputeId, amountMinor, state } = notice;
    const report = { type: 'ReportDispute', purchaseId, disputeId, amountMinor, state } as const;
    await this.ledger.execute(tenantId, report, metadata);
  }

  /** A dispute names only the payment. */
  private async marksOf(notice: Reversal): Promise<Marks> {
    const unmarked = { tenantId: undefined, purchaseId: undefined, origin: undefined };
    if (notice.kind === 'refund' && notice.marks.purchaseId !== undefined) return notice.marks;
    if (notice.paymentIntentId === null) return unmarked;
    return (await this.payments.paymentIntent(notice.paymentIntentId))?.marks ?? unmarked;
  }
}
