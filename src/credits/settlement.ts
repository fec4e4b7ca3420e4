import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type DeductionEnd, type DeductionState } from '../kernel/charging.js';
import { type CommandMetadata } from '../kernel/events.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { retryWhileUnavailable } from '../kernel/retry-while-unavailable.js';
import { type Config } from '../platform/config/config.js';
import { describeError, LOGGER, type Logger } from '../platform/http/logging.js';
import { CONFIG } from '../platform/tokens.js';
import { CreditRepository } from './credit-repository.js';
import { PendingRefunds } from './credits.port.js';
import { RefundDeduction, SettleDeductions } from './domain/credits.commands.js';
import { type RefundReason } from './domain/credits.events.js';

/** Most deductions in one settlement event. */
export const SETTLED_AT_ONCE = 1_000;
/** Share of `settleWithin` during which answered deductions are collected for one append. */
const GATHERING = 0.4;

/**
 * The result of a refund. `pending` means that the store does not respond now and the refund is still owed. `ended`
 * never rejects.
 */
export type Refund =
  { readonly state: 'refunded' | 'settled' } | { readonly state: 'pending'; readonly ended: Promise<DeductionEnd> };

const systemCause = (): CommandMetadata => ({ requestId: newUuid(), actor: { type: 'system', id: 'settlement' } });

/**
 * Ends the deductions of this process. It settles answered ones in groups and refunds all others, with retries until
 * durable.
 */
@Injectable()
export class Settlement implements OnApplicationShutdown {
  /** Deductions that this process must settle or refund. */
  private readonly owed = new Set<string>();
  private readonly answered = new Map<TenantId, string[]>();
  private readonly settling = new Set<Promise<void>>();
  private readonly refunding = new Set<Promise<DeductionEnd>>();
  private readonly stopping = new AbortController();
  /** Runs while deductions are collected. It belongs to the request path, so it is no periodic job. */
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly commands: CommandBus,
    private readonly ledger: CreditRepository,
    private readonly pendingRefunds: PendingRefunds,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  isOwed(deductionId: string): boolean {
    return this.owed.has(deductionId);
  }

  add(deductionId: string): void {
    this.owed.add(deductionId);
  }

  /** Forgets an id under which nothing was deducted. */
  release(deductionId: string): void {
    this.owed.delete(deductionId);
  }

  settleSoon(tenantId: TenantId, deductionId: string): void {
    const waiting = this.answered.get(tenantId);
    this.timer ??= setTimeout(() => this.flush(), this.config.timing.settleWithin * GATHERING).unref();
    if (waiting === undefined) this.answered.set(tenantId, [deductionId]);
    else if (waiting.push(deductionId) >= SETTLED_AT_ONCE) this.flushTenant(tenantId, waiting);
  }

  /**
   * Refunds the deduction, or tells how another process closed it. The deduction is after the revision `after` of its
   * stream. Resolves within `patienceMs` and never rejects.
   */
  async refund(
    tenantId: TenantId,
    deductionId: string,
    reason: RefundReason,
    after: bigint,
    patienceMs: number = this.config.timing.storeBudget,
  ): Promise<Refund> {
    const ended = this.refundUntilDurable(tenantId, deductionId, reason, after);
    this.refunding.add(ended);
    void ended.then(() => this.refunding.delete(ended));
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<'unknown'>((resolve) => {
      timer = setTimeout(() => resolve('unknown'), patienceMs);
    });
    const state = await Promise.race([ended, patience]);
    clearTimeout(timer);
    if (state !== 'unknown') return { state };
    void this.noteDuty(tenantId, deductionId, ended);
    return { state: 'pending', ended };
  }

  /** Refunds without a waiting caller. Resolves once the deduction has ended, and never rejects. */
  async refundInTheEnd(
    tenantId: TenantId,
    deductionId: string,
    reason: RefundReason,
    after: bigint,
  ): Promise<DeductionEnd> {
    const refund = await this.refund(tenantId, deductionId, reason, after);
    return refund.state === 'pending' ? refund.ended : refund.state;
  }

  /** Appends the collected settlements. Resolves when they are durable. */
  async settleAll(): Promise<void> {
    this.flush();
    await Promise.all(this.settling);
  }

  async onApplicationShutdown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    // Any instance's sweeper closes the remaining deductions later.
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, this.config.timing.settleWithin)));
    await Promise.race([Promise.all([this.settleAll(), ...this.refunding]), patience]);
    clearTimeout(timer);
    this.stopping.abort();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [tenantId, waiting] of this.answered) this.flushTenant(tenantId, waiting);
  }

  private flushTenant(tenantId: TenantId, deductionIds: readonly string[]): void {
    this.answered.delete(tenantId);
    const command = new SettleDeductions(tenantId, { deductionIds }, systemCause());
    const settling = this.commands
      .execute(command)
      .then(() => deductionIds.forEach((id) => this.owed.delete(id)))
      // Only a fault that no retry fixes arrives here. The sweeper then ends these deductions by the audit stream.
      .catch((error: unknown) => {
        deductionIds.forEach((id) => this.owed.delete(id));
        this.logger.error({ tenantId, error: describeError(error) }, 'deductions could not be settled');
      })
      .finally(() => this.settling.delete(settling));
    this.settling.add(settling);
  }

  private async refundUntilDurable(
    tenantId: TenantId,
    deductionId: string,
    reason: RefundReason,
    after: bigint,
  ): Promise<DeductionEnd> {
    try {
      const command = new RefundDeduction(tenantId, { deductionId, reason }, systemCause());
      const decision = await this.commands.execute(command);
      return decision.appended ? 'refunded' : await this.endElsewhere(tenantId, deductionId, after);
    } catch (error) {
      this.logger.error({ tenantId, deductionId, error: describeError(error) }, 'a deduction could not be refunded');
      return 'unknown';
    } finally {
      this.owed.delete(deductionId);
    }
  }

  /**
   * Another process closed the deduction, or it was never appended. Only the stream knows which, so it is read until
   * it responds.
   */
  private async endElsewhere(tenantId: TenantId, deductionId: string, after: bigint): Promise<'refunded' | 'settled'> {
    const ask = (): Promise<DeductionState> => this.ledger.stateOf(tenantId, deductionId, after);
    const state = await retryWhileUnavailable(ask, Infinity, this.stopping.signal);
    return state === 'settled' ? 'settled' : 'refunded';
  }

  /** Notes the pending refund, so that another instance refunds if this process dies before the store is back. */
  private async noteDuty(tenantId: TenantId, deductionId: string, ended: Promise<DeductionEnd>): Promise<void> {
    try {
      await this.pendingRefunds.note({ tenantId, deductionId });
      if ((await ended) !== 'unknown') await this.pendingRefunds.complete({ tenantId, deductionId });
    } catch {
      // Postgres is down too. Without a note the audit stream decides: correctly, but later.
    }
  }
}
