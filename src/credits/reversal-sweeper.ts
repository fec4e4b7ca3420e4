import { Inject, Injectable } from '@nestjs/common';
import { type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { CONFIG } from '../platform/tokens.js';
import { ChargeReversals } from './charge-reversals.js';
import { CreditRepository } from './credit-repository.js';
import { type PendingReversal, PendingReversals } from './credits.port.js';
import { forEachAccount, Rotation } from './sweeper.js';

/** Carries out the reversals that a dead process noted. */
@Injectable()
export class ReversalSweeper {
  private readonly noted: Rotation<PendingReversal>;

  constructor(
    pending: PendingReversals,
    private readonly reversals: ChargeReversals,
    private readonly ledger: CreditRepository,
    @Inject(CONFIG) { timing }: Config,
  ) {
    this.noted = new Rotation((limit, after) => pending.notedBefore(timing.foreignDeduction, limit, after));
  }

  @Periodic({ every: ({ timing }) => timing.sweepEvery, role: 'api' })
  async sweep(): Promise<void> {
    const noted = await this.noted.next();
    const foreign = noted.filter(({ chargeId }) => !this.reversals.isOwed(chargeId));
    await forEachAccount(foreign, (tenantId, rows) => this.begin(tenantId, rows));
  }

  /** The reversals run on after the sweep. The next sweep skips those still in progress. */
  private async begin(tenantId: TenantId, rows: readonly PendingReversal[]): Promise<void> {
    const committedEvents = await this.ledger.findChargeEvents(tenantId, rows);
    for (const reversal of rows) {
      const committedEvent = committedEvents.get(reversal.chargeId);
      if (committedEvent === undefined) continue;
      void this.reversals.carryOut(reversal, Promise.resolve(committedEvent === 'never' ? undefined : committedEvent));
    }
  }
}
