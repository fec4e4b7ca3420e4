import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type DeductionEnd } from '../kernel/charging.js';
import { completesWithin } from '../kernel/completes-within.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { describeError, LOGGER, type Logger } from '../observability/logging.js';
import { CONFIG } from '../platform/tokens.js';
import { RefundDeduction } from './domain/credits.commands.js';
import { type RefundReason } from './domain/credits.events.js';

/** Refunds the deductions of this process that it does not settle. Retries until the refund is durable. */
@Injectable()
export class Refunds implements OnApplicationShutdown {
  /** Deductions that this process must settle or refund. */
  private readonly owed = new Set<string>();
  private readonly underWay = new Set<Promise<DeductionEnd>>();

  constructor(
    private readonly commands: CommandBus,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  isOwed(deductionId: string): boolean {
    return this.owed.has(deductionId);
  }

  add(deductionId: string): void {
    this.owed.add(deductionId);
  }

  /** Forgets a deduction that has ended, or was never made. */
  release(deductionId: string): void {
    this.owed.delete(deductionId);
  }

  /** Refunds a deduction that is not settled. Resolves once it has ended, and never rejects. */
  refund(tenantId: TenantId, deductionId: string, reason: RefundReason): Promise<DeductionEnd> {
    const ended = this.refundUntilDurable(tenantId, deductionId, reason);
    this.underWay.add(ended);
    void ended.then(() => this.underWay.delete(ended));
    return ended;
  }

  /** Any instance's sweeper refunds the remaining deductions later. */
  async onApplicationShutdown(): Promise<void> {
    await completesWithin(this.config.timing.settleWithin, Promise.all(this.underWay));
  }

  private async refundUntilDurable(
    tenantId: TenantId,
    deductionId: string,
    reason: RefundReason,
  ): Promise<DeductionEnd> {
    try {
      const cause = { requestId: newUuid(), actor: { type: 'system', id: 'refunds' } } as const;
      await this.commands.execute(new RefundDeduction(tenantId, { deductionId, reason }, cause));
      // Whatever is not open now was never deducted, or another process has refunded it.
      return 'refunded';
    } catch (error) {
      this.logger.error({ tenantId, deductionId, error: describeError(error) }, 'a deduction could not be refunded');
      return 'unknown';
    } finally {
      this.release(deductionId);
    }
  }
}
