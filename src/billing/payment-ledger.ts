import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type CommandMetadata, type Recorded } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { isRejection } from '../kernel/rejection.js';
import { type Config } from '../platform/config/config.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates, type Decided, type Loaded } from '../log/append/aggregates.js';
import { LOGGER, type Logger } from '../observability/logging.js';
import { Metrics } from '../observability/metrics.js';
import { CONFIG } from '../platform/tokens.js';
import { creditEffectOf } from './credit-effects.process.js';
import { paymentCategory } from './domain/payment.category.js';
import { type PaymentCommand } from './domain/payment.commands.js';
import { type PaymentEvent, paymentStream } from './domain/payment.events.js';
import { type Payment } from './domain/payment-state.js';

export type LoadedPayment = Loaded<Payment, PaymentEvent>;

/**
 * Writes the payments. A payment's own event comes first and decides whether credits are owed. The credits follow at
 * once, and again by the reactor if this process dies in between; their reference makes them count once.
 */
@Injectable()
export class PaymentLedger {
  private readonly payments: Aggregates<Payment, PaymentCommand, PaymentEvent>;
  private readonly countHeld: (reason: string) => void;
  private appendedTo: bigint | undefined;

  constructor(
    aggregates: AggregateStore,
    private readonly commands: CommandBus,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.payments = aggregates.of(paymentCategory);
    this.countHeld = metrics.counter('payments_held_total', 'Payments held for an operator, by reason', 'reason');
  }

  /** Log position of this instance's last append to a payment. */
  get lastAppended(): bigint | undefined {
    return this.appendedTo;
  }

  /** Returns the payment after the command. Throws Rejection, or Unavailable with an unknown outcome: send it again. */
  async execute(
    tenantId: TenantId,
    command: PaymentCommand,
    metadata: CommandMetadata,
    firstEventId?: string,
  ): Promise<Payment> {
    return (await this.decide(tenantId, command, metadata, firstEventId)).state;
  }

  /** The same, and says which events it appended. */
  async decide(
    tenantId: TenantId,
    command: PaymentCommand,
    metadata: CommandMetadata,
    firstEventId?: string,
  ): Promise<Decided<Payment, PaymentEvent>> {
    const stream = paymentStream(tenantId, command.purchaseId);
    const budgetMs = this.config.timing.storeBudget;
    const named = firstEventId === undefined ? {} : { firstEventId };
    const decided = await this.payments.execute(stream, command, { metadata, inTurn: true, budgetMs, ...named });
    for (const event of decided.appended) {
      this.appendedTo = event.position;
      this.alarm(event);
      await this.follow(tenantId, event).catch((error: unknown) => this.leaveToReactor(event, error));
    }
    return decided;
  }

  /** The payment as its stream is now. Throws Unavailable. */
  async read(tenantId: TenantId, purchaseId: string): Promise<Payment> {
    return (await this.load(tenantId, purchaseId)).state;
  }

  /** The same, with its events. Throws Unavailable. */
  load(tenantId: TenantId, purchaseId: string): Promise<LoadedPayment> {
    return this.payments.load(paymentStream(tenantId, purchaseId), this.config.timing.storeBudget);
  }

  /** Carries out what an event means for the tenant's credits, once however often it is called. */
  async follow(tenantId: TenantId, event: Recorded<PaymentEvent>): Promise<void> {
    const effect = creditEffectOf(tenantId, event);
    if (effect !== undefined) await this.commands.execute(effect);
  }

  /** The purchase that a reversal names may be under way on another instance. The reactor keeps the order. */
  private leaveToReactor({ id }: Recorded<PaymentEvent>, error: unknown): void {
    if (!isRejection(error)) throw error;
    this.logger.warn({ event: id, reason: error.code }, 'what follows from a payment is left to its reactor');
  }

  private alarm(event: Recorded<PaymentEvent>): void {
    if (event.type !== 'PaymentHeld.v1') return;
    const { purchaseId, reason } = event.data;
    this.countHeld(reason);
    this.logger.warn({ purchase_id: purchaseId, reason }, 'a payment is held for an operator');
  }
}
