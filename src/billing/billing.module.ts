import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { payments } from '../../projections/payments/payments.projection.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { MonitoringModule } from '../observability/monitoring.module.js';
import { SignedSenders } from '../http/signed-senders.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { PaymentsModule } from './stripe/payments.module.js';
import { ProjectionsModule } from '../log/project/projections.module.js';
import { paymentAnnouncer, subscriptionAnnouncer } from './announcements.process.js';
import { AutoRechargeReactor } from './auto-recharge.reactor.js';
import { CancelLinks } from './cancel-links.js';
import { Checkouts } from './checkouts.js';
import { Customers } from './customers.js';
import { HeldPayments } from './held-payments.js';
import { HeldPaymentsGauge } from './held-payments-gauge.js';
import { CheckoutController } from './http/checkout.controller.js';
import { HeldPaymentsController } from './http/held-payments.controller.js';
import { PurchasesController } from './http/purchases.controller.js';
import { PaymentWebhookController } from './http/payment-webhook.controller.js';
import { PaymentLedger } from './payment-ledger.js';
import { PaymentMailReactor } from './payment-mail.reactor.js';
import { PaymentNotices } from './payment-notices.js';
import { PaymentSignatures } from './payment-signatures.js';
import { PaymentsPurge } from './payments-purge.js';
import { PaymentsReactor } from './payments.reactor.js';
import { Purchases } from './purchases.js';
import { SubscriptionGrace } from './subscription-grace.js';
import { Subscriptions } from './subscriptions.js';

/** Payments: checkouts, the provider's events, subscriptions, auto-recharge, and what is held for operators. */
@Module({
  imports: [
    CqrsModule,
    MonitoringModule,
    MailModule,
    PaymentsModule,
    AccountsModule,
    CreditsModule,
    ProjectionsModule.forFeature({ projections: [payments] }),
    AnnouncementsModule.forFeature(paymentAnnouncer, subscriptionAnnouncer),
  ],
  controllers: [CheckoutController, PaymentWebhookController, HeldPaymentsController, PurchasesController],
  providers: [
    PaymentLedger,
    PaymentNotices,
    Customers,
    Checkouts,
    CancelLinks,
    Purchases,
    Subscriptions,
    HeldPayments,
    HeldPaymentsGauge,
    PaymentsReactor,
    PaymentsPurge,
    PaymentMailReactor,
    AutoRechargeReactor,
    SubscriptionGrace,
    { provide: SignedSenders, useClass: PaymentSignatures },
  ],
})
export class BillingModule {}
