import { Inject, Injectable } from '@nestjs/common';
import { openDeductionSummary } from '../../projections/ledger/ledger.queries.js';
import { type Clock } from '../kernel/clock.js';
import { Metrics } from '../observability/metrics.js';
import { ReadModels } from '../log/project/projection.js';
import { CLOCK } from '../platform/tokens.js';
import { PendingReversals } from './credits.port.js';

/** Shows what accounts are still owed: deductions that have no end yet, and reversals that wait for the log. */
@Injectable()
export class OpenWorkGauges {
  constructor(readModels: ReadModels, reversals: PendingReversals, @Inject(CLOCK) clock: Clock, metrics: Metrics) {
    metrics.storedGauge('open_deductions', 'Deductions that are neither settled nor refunded', async () => {
      return (await openDeductionSummary(readModels)).count;
    });
    metrics.storedGauge('open_deductions_oldest_seconds', 'Age of the oldest of them; 0 if none is open', async () => {
      const { oldest } = await openDeductionSummary(readModels);
      return oldest === undefined ? 0 : Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1_000);
    });
    metrics.storedGauge('pending_reversals', 'Charges to reverse should they appear in the log', () =>
      reversals.count(),
    );
  }
}
