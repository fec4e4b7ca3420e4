import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type TenantId } from '../kernel/ids.js';
import { inGroups } from '../kernel/in-groups.js';
import { Repeating } from '../kernel/repeating.js';
import { type Config } from '../platform/config/config.js';
import { CONFIG } from '../platform/tokens.js';
import { ChargeReversals } from './charge-reversals.js';
import { CreditLedger } from './credit-ledger.js';
import { type PendingReversal, PendingReversals } from './credits.port.js';
import { groupByTenant } from './group-by-tenant.js';

/** Looked at in one sweep; the rest waits for the next. */
const ROWS_A_SWEEP = 10_000;
const ACCOUNTS_AT_ONCE = 8;
/** Carries out the reversals that a dead process has noted. */
@Injectable()
export class ReversalSweeper implements OnApplicationShutdown {
  private readonly sweeping: Repeating;

  constructor(
    private readonly pending: PendingReversals,
    private readonly reversals: ChargeReversals,
    private readonly ledger: CreditLedger,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.sweeping = new Repeating(() => this.sweep(), config.timing.sweepEvery);
  }

  /** Sweeps at intervals until shutdown; a sweep that fails reports to `onFault` and the next one goes on. */
  start(onFault: (error: unknown) => void): void {
    this.sweeping.start(onFault);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweeping.stop();
  }

  async sweep(): Promise<void> {
    const noted = await this.pending.notedBefore(this.config.timing.foreignDeduction, ROWS_A_SWEEP);
    const foreign = groupByTenant(noted.filter(({ chargeId }) => !this.reversals.isOwed(chargeId)));
    const faults: unknown[] = [];
    for (const group of inGroups([...foreign], ACCOUNTS_AT_ONCE)) {
      // One account that cannot be read must not keep the others waiting.
      await Promise.all(
        group.map(([tenantId, rows]) => this.begin(tenantId, rows).catch((fault: unknown) => faults.push(fault))),
      );
    }
    if (faults.length > 0) throw faults[0];
  }

  /** They go on by themselves: the next sweep leaves alone what is under way. */
  private async begin(tenantId: TenantId, rows: readonly PendingReversal[]): Promise<void> {
    const landings = await this.ledger.landingsOf(tenantId, rows);
    for (const reversal of rows) {
      const landing = landings.get(reversal.chargeId);
      if (landing === undefined) continue;
      void this.reversals.carryOut(reversal, Promise.resolve(landing === 'never' ? undefined : landing));
    }
  }
}
