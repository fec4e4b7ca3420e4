import { Injectable } from '@nestjs/common';
import { type PaymentRow, paymentsBefore } from '../../projections/payments/payments.queries.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ReadModels } from '../log/project/projection.js';
import { PurgeStep, type PurgeRound, type Purges } from '../contract/purging/purge-step.js';
import { purgeEach } from '../contract/purging/streams.js';
import { PAYMENT_STREAM_PREFIX, paymentStream } from './domain/payment.events.js';

/** Purges the payments to which nothing has happened since their limit. Their effect on credits has its own records. */
@Injectable()
@PurgeStep({ name: 'payments', categories: ['payment'] })
export class PaymentsPurge implements Purges {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
  ) {}

  purge(round: PurgeRound): Promise<void> {
    const before = round.keptSince(PAYMENT_STREAM_PREFIX);
    return purgeEach<PaymentRow>(this.store, round, before, {
      find: (last, limit) => paymentsBefore(this.readModels, before, last, limit),
      streamOf: ({ tenantId, purchaseId }) => paymentStream(tenantId, purchaseId),
    });
  }
}
