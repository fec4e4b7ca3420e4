import { Injectable } from '@nestjs/common';
import { type Recorded, type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { PAYMENT_STREAM_PREFIX, type PaymentEvent } from './domain/payment.events.js';
import { PaymentLedger } from './payment-ledger.js';

/** Sees to it that the credits follow from a payment, also where the process that noted it died right after. */
@Reactor({
  name: 'payments',
  version: 1,
  streamPrefixes: [PAYMENT_STREAM_PREFIX],
  eventTypes: [
    'PaymentReceived.v1',
    'PaymentFailed.v1',
    'PaymentRefunded.v1',
    'RefundFailed.v1',
    'PaymentDisputed.v1',
    'DisputeWon.v1',
    'HeldPaymentRefused.v1',
  ] satisfies readonly PaymentEvent['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class PaymentsReactor implements Reaction {
  constructor(private readonly ledger: PaymentLedger) {}

  handle(event: StoredEvent): Promise<void> {
    return this.ledger.follow(tenantOfStream(event.stream) as TenantId, event as Recorded<PaymentEvent>);
  }
}
