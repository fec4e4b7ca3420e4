import { Inject, Injectable } from '@nestjs/common';
import { type Recorded, type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { Mailer } from '../kernel/mail.js';
import { CREDIT_PACKAGES, type CreditPackage } from '../kernel/pricing.js';
import { type Config } from '../platform/config/config.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { CONFIG } from '../platform/tokens.js';
import { Checkouts } from './checkouts.js';
import { type PaymentEvent, type PaymentFailed, PAYMENT_STREAM_PREFIX } from './domain/payment.events.js';
import { PaymentLedger } from './payment-ledger.js';

/** Namespace of the purchases on mailed pages. */
const PAGES_NAMESPACE = 'd1f3a5c7-6f0b-4c59-8d2e-3b7a9e4c1f60';

/** Where a person lands who paid by the link of a mail, where the service has no address of its own. */
const NOWHERE = 'https://example.org';

/**
 * Mails a page to pay on where the bank wants the person for a recharge. Failures that follow quickly lead to one page, as long
 * as no one has paid on it: the page is that purchase of the day that comes after the ones made.
 */
@Reactor({
  name: 'payment-mail',
  version: 1,
  streamPrefixes: [PAYMENT_STREAM_PREFIX],
  eventTypes: ['PaymentFailed.v1' satisfies PaymentEvent['type']],
  startsAt: 'now',
})
@Injectable()
export class PaymentMailReactor implements Reaction {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly ledger: PaymentLedger,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async handle(event: StoredEvent): Promise<void> {
    const { data, metadata } = event as Recorded<PaymentFailed>;
    if (data.origin !== 'auto_recharge' || data.reason !== 'authentication_required') return;
    const tenantId = tenantOfStream(event.stream) as TenantId;
    const home = this.config.publicUrl ?? NOWHERE;
    const purchaseId = await this.unpaidPurchase(tenantId, data.package, metadata.time.slice(0, 10));
    const page = await this.checkouts.credits(
      tenantId,
      purchaseId,
      data.package,
      { successUrl: home, cancelUrl: home },
      { requestId: metadata.$correlationId, causationId: event.id, actor: { type: 'system', id: 'auto-recharge' } },
    );
    const credits = CREDIT_PACKAGES[data.package].credits.toLocaleString('en-US');
    await this.mailer.notify({
      id: `payment-page:${purchaseId}`,
      tenantId,
      subject: 'Your bank asks you to confirm a recharge',
      text: `The automatic purchase of ${credits} credits was not made: your bank asks for your confirmation.\nBuy them here within 24 hours:\n\n${page}\n`,
    });
  }

  /** The first purchase of the day's that no one has made. */
  private async unpaidPurchase(tenantId: TenantId, name: CreditPackage, day: string): Promise<string> {
    for (let number = 1; ; number += 1) {
      const purchaseId = deriveUuid(PAGES_NAMESPACE, [tenantId, name, day, number].join(' '));
      const { status } = await this.ledger.read(tenantId, purchaseId);
      if (status === 'absent' || status === 'open') return purchaseId;
    }
  }
}
