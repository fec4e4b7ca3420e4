import { Injectable } from '@nestjs/common';
import { heldPaymentCounts } from '../../projections/payments/payments.queries.js';
import { Metrics } from '../observability/metrics.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { ReadModels } from '../log/project/projection.js';
import { HOLD_REASONS } from './domain/payment.events.js';

/** Milliseconds. */
const POLL_INTERVAL_MS = 10_000;

/** Shows how many payments wait for an operator, so that an alarm lasts until one has decided. */
@Injectable()
export class HeldPaymentsGauge {
  private held: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly readModels: ReadModels,
    metrics: Metrics,
  ) {
    metrics.gauge('payments_held', 'Payments that wait for an operator, by reason', 'reason', () => this.held);
  }

  @Periodic({ every: POLL_INTERVAL_MS, role: 'jobs' })
  async look(): Promise<void> {
    const counts = await heldPaymentCounts(this.readModels);
    this.held = new Map(HOLD_REASONS.map((reason) => [reason, counts.get(reason) ?? 0]));
  }
}
