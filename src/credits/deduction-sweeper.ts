import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Clock } from '../kernel/clock.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { type OpenDeductionHint, OpenDeductions } from './credits.port.js';
import { RefundDeduction } from './domain/credits.commands.js';
import { Refunds } from './refunds.js';
import { forEachAccount, ROWS_A_SWEEP } from './sweeper.js';

/**
 * Refunds deductions that a dead process left open. It acts only on deductions that it has itself seen open for long
 * enough, and the credit stream decides. So a process that is merely slow comes to no harm.
 */
@Injectable()
export class DeductionSweeper {
  /** When each hinted deduction was first seen open, on the monotonic clock. */
  private firstSeen = new Map<string, number>();

  constructor(
    private readonly hints: OpenDeductions,
    private readonly refunds: Refunds,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Periodic({ every: ({ timing }) => timing.sweepEvery, role: 'api' })
  async sweep(): Promise<void> {
    const hints = await this.hints.find(ROWS_A_SWEEP);
    await forEachAccount(this.seenLongEnough(hints), (tenantId, due) => this.refund(tenantId, due));
  }

  private seenLongEnough(hints: readonly OpenDeductionHint[]): OpenDeductionHint[] {
    const now = this.clock.monotonic();
    const foreign = hints.filter(({ deductionId }) => !this.refunds.isOwed(deductionId));
    this.firstSeen = new Map(foreign.map(({ deductionId }) => [deductionId, this.firstSeen.get(deductionId) ?? now]));
    return foreign.filter(
      ({ deductionId }) => now - (this.firstSeen.get(deductionId) ?? now) >= this.config.timing.foreignDeduction,
    );
  }

  /** All run at once and share appends. One after another, many would exceed the time that a deduction may stay open. */
  private async refund(tenantId: TenantId, hints: readonly OpenDeductionHint[]): Promise<void> {
    const metadata = { requestId: newUuid(), actor: { type: 'system', id: 'sweeper' } } as const;
    await Promise.all(
      hints.map(({ deductionId }) =>
        this.commands.execute(new RefundDeduction(tenantId, { deductionId, reason: 'abandoned' }, metadata)),
      ),
    );
  }
}
