import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AuditTrail } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { type CommandMetadata } from '../kernel/events.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { chunk } from '../kernel/chunk.js';
import { type Config } from '../platform/config/config.js';
import { type Decision } from '../platform/eventstore/command-queue.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { CreditRepository } from './credit-repository.js';
import { type OpenDeductionHint, OpenDeductions, type PendingRefund, PendingRefunds } from './credits.port.js';
import { RefundDeduction, SettleDeductions } from './domain/credits.commands.js';
import { type CreditAccount } from './domain/credits.js';
import { SETTLED_AT_ONCE, Settlement } from './settlement.js';
import { forEachAccount, Rotation, ROWS_A_SWEEP } from './sweeper.js';

/** Age after which a pending refund's process has completed it or is dead, milliseconds. */
const NOTES_LAST = 3_600_000;

/**
 * Closes deductions that a dead process left open. It acts only on deductions that it has itself seen open for long
 * enough. The audit stream tells how each one ends, and the credit stream decides. So a process that is merely slow
 * comes to no harm.
 */
@Injectable()
export class DeductionSweeper {
  /** When each hinted deduction was first seen open, on the monotonic clock. */
  private firstSeen = new Map<string, number>();
  private readonly oldRefunds: Rotation<PendingRefund>;

  constructor(
    private readonly hints: OpenDeductions,
    private readonly pendingRefunds: PendingRefunds,
    private readonly ledger: CreditRepository,
    private readonly audit: AuditTrail,
    private readonly settlement: Settlement,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.oldRefunds = new Rotation((limit, after) => pendingRefunds.notedBefore(NOTES_LAST, limit, after));
  }

  @Periodic({ every: ({ timing }) => timing.sweepEvery, role: 'api' })
  async sweep(): Promise<void> {
    const hints = await this.hints.find(ROWS_A_SWEEP);
    try {
      await forEachAccount(this.seenLongEnough(hints), (tenantId, due) => this.close(tenantId, due));
    } finally {
      await forEachAccount(await this.oldRefunds.next(), (tenantId, refunds) => this.forget(tenantId, refunds));
    }
  }

  /**
   * Completes pending refunds left by a process that died or lost Postgres. A deduction that is not open has ended or
   * never existed.
   */
  private async forget(tenantId: TenantId, refunds: readonly PendingRefund[]): Promise<void> {
    const { state } = await this.current(tenantId);
    const ended = refunds.filter(({ deductionId }) => !state.open.has(deductionId));
    await Promise.all(ended.map((refund) => this.pendingRefunds.complete(refund)));
  }

  private current(tenantId: TenantId, metadata = systemMetadata()): Promise<Decision<CreditAccount>> {
    return this.ledger.current(tenantId, metadata.requestId, this.config.timing.storeBudget);
  }

  private seenLongEnough(hints: readonly OpenDeductionHint[]): OpenDeductionHint[] {
    const now = this.clock.monotonic();
    const foreign = hints.filter(({ deductionId }) => !this.settlement.isOwed(deductionId));
    this.firstSeen = new Map(foreign.map(({ deductionId }) => [deductionId, this.firstSeen.get(deductionId) ?? now]));
    return foreign.filter(
      ({ deductionId }) => now - (this.firstSeen.get(deductionId) ?? now) >= this.config.timing.foreignDeduction,
    );
  }

  private async close(tenantId: TenantId, hints: readonly OpenDeductionHint[]): Promise<void> {
    const metadata = systemMetadata();
    const { state } = await this.current(tenantId, metadata);
    const open = hints.filter(({ deductionId }) => state.open.has(deductionId));
    if (open.length === 0) return;
    const ids = open.map(({ deductionId }) => deductionId);
    const noted = await this.pendingRefunds.noted(tenantId, ids);
    const completed = await this.completedAmong(tenantId, new Set(ids));
    const settled = ids.filter((id) => completed.has(id) && !noted.has(id));
    const refunded = ids.filter((id) => !completed.has(id) || noted.has(id));
    // All run at once and share appends. One after another, many would exceed the time that a deduction may stay
    // open.
    await Promise.all([
      ...chunk(settled, SETTLED_AT_ONCE).map((deductionIds) =>
        this.commands.execute(new SettleDeductions(tenantId, { deductionIds }, metadata)),
      ),
      ...refunded.map((deductionId) =>
        this.commands.execute(new RefundDeduction(tenantId, { deductionId, reason: 'abandoned' }, metadata)),
      ),
    ]);
    await Promise.all([...noted].map((deductionId) => this.pendingRefunds.complete({ tenantId, deductionId })));
  }

  /** The deductions with an audit entry. The entry is after its deduction in the log. */
  private async completedAmong(tenantId: TenantId, ids: ReadonlySet<string>): Promise<Set<string>> {
    return this.audit.completedDeductions(tenantId, ids, await this.ledger.positionBefore(tenantId, ids));
  }
}

const systemMetadata = (): CommandMetadata => ({ requestId: newUuid(), actor: { type: 'system', id: 'sweeper' } });
