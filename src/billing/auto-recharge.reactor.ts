import { Inject, Injectable } from '@nestjs/common';
import { type AutoRechargeRequested, CREDITS_STREAM_PREFIX } from '../credits/domain/credits.events.js';
import { type Clock } from '../kernel/clock.js';
import { type CommandMetadata, type Recorded, type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { type OffSessionOutcome, Payments } from './stripe/payments.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { Customers } from './customers.js';
import { PaymentLedger } from './payment-ledger.js';

/** The provider remembers a payment's key for 24 h, milliseconds. Later it is asked what became of the payment. */
const KEY_HOLDS = 23 * 3_600_000;

type Requested = Recorded<AutoRechargeRequested>;

/** Charges the stored card for a recharge. The credit account allows one at a time. */
@Reactor({
  name: 'auto-recharge',
  version: 1,
  streamPrefixes: [CREDITS_STREAM_PREFIX],
  eventTypes: ['AutoRechargeRequested.v1' satisfies AutoRechargeRequested['type']],
  startsAt: 'beginning',
})
@Injectable()
export class AutoRechargeReactor implements Reaction {
  constructor(
    private readonly ledger: PaymentLedger,
    private readonly payments: Payments,
    private readonly customers: Customers,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async handle(event: StoredEvent): Promise<void> {
    const requested = event as Requested;
    const tenantId = tenantOfStream(event.stream) as TenantId;
    const { purchaseId, package: name } = requested.data;
    const metadata: CommandMetadata = {
      requestId: event.metadata.$correlationId,
      causationId: event.id,
      actor: { type: 'system', id: 'auto-recharge' },
    };
    const opening = { type: 'OpenPayment', purchaseId, origin: 'auto_recharge', package: name } as const;
    const { status, purchase } = await this.ledger.execute(tenantId, opening, metadata);
    if (status !== 'open' || purchase === undefined) return;
    const outcome = await this.pay(tenantId, requested, purchase.amountMinor);
    await this.conclude(tenantId, purchaseId, outcome, metadata);
  }

  /** The price is that of the opening, also where a later release sells for another. */
  private async pay(tenantId: TenantId, { data, created }: Requested, amountMinor: number): Promise<OffSessionOutcome> {
    const { purchaseId, package: name } = data;
    const { customerId, paymentMethodId: kept } = await this.customers.accountOf(tenantId);
    if (customerId === null || kept === null) return { kind: 'failed', reason: 'no_payment_method' };
    if (this.clock.now().getTime() - created.getTime() > KEY_HOLDS) {
      const earlier = await this.payments.findOffSession(customerId, purchaseId, created);
      return earlier ?? { kind: 'failed', reason: 'expired' };
    }
    const paymentMethodId = await this.payments.paymentMethodOf(customerId, kept);
    const payment = { tenantId, purchaseId, customerId, paymentMethodId, amountMinor, package: name };
    return this.payments.payOffSession(payment);
  }

  private async conclude(
    tenantId: TenantId,
    purchaseId: string,
    outcome: OffSessionOutcome,
    metadata: CommandMetadata,
  ): Promise<void> {
    if (outcome.kind === 'failed') {
      await this.ledger.execute(tenantId, { type: 'ReportFailure', purchaseId, reason: outcome.reason }, metadata);
      return;
    }
    // The provider reports later what became of a payment that takes its time.
    if (outcome.kind === 'processing') return;
    const { paid, amountMinor, currency, providerId, paymentIntentId } = outcome.payment;
    const report = {
      paid,
      amountMinor,
      currency,
      providerId,
      paymentIntentId,
      ownMode: this.isOwnMode(outcome.livemode),
    };
    await this.ledger.execute(tenantId, { type: 'ReportPayment', purchaseId, ...report }, metadata);
  }

  private isOwnMode(livemode: boolean): boolean {
    return livemode === (this.config.environment === 'production');
  }
}
