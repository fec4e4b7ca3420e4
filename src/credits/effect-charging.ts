import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { OPERATIONS } from '../kernel/contract.js';
import { AuditTrail } from '../kernel/access.js';
import { type ChargedResponse, type ChargedCall, type DeductionEnd } from '../kernel/charging.js';
import { completesWithin } from '../kernel/completes-within.js';
import { tenantMetadata } from '../kernel/events.js';
import { newUuid } from '../kernel/ids.js';
import { isRejection, refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { type Decision, OutcomeUnknown } from '../log/append/command-queue.js';
import { CONFIG } from '../platform/tokens.js';
import { ChargeReversals } from './charge-reversals.js';
import { DeductCredits, SettleDeduction } from './domain/credits.commands.js';
import { creditsStream, type RefundReason, settlementIdOf } from './domain/credits.events.js';
import { type CreditAccount } from './domain/credit-account.js';
import { type Performed, performWithin } from './perform.js';
import { refusalOf } from './refusal.js';
import { Refunds } from './refunds.js';

/** Share of the store's budget that an error waits where the store has missed its budget already: 0.3 s of 1.5 s. */
const OUTAGE_WAIT_SHARE = 0.2;

/** One charged request, from its deduction to the settlement or refund that this process owes. */
interface Attempt {
  readonly call: ChargedCall<unknown>;
  readonly deductionId: string;
  readonly amount: number;
}

/** What was deducted, and when by the appender's clock. */
interface Deducted {
  readonly decision: Decision<CreditAccount>;
  readonly deductedAt: string;
}

/**
 * Deducts, runs, settles and responds (docs/architecture.md, A charged request). For operations that append or start something. The
 * settlement is the audit entry too, so neither exists without the other. A refund undoes the effect: its slice follows
 * the log.
 */
@Injectable()
export class EffectCharging {
  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly audit: AuditTrail,
    private readonly refunds: Refunds,
    private readonly reversals: ChargeReversals,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async charge(call: ChargedCall<unknown>): Promise<ChargedResponse> {
    if (!this.store.healthy) throw new Unavailable('event_store');
    const amount = OPERATIONS[call.operation].credits;
    const attempt = { call, deductionId: call.keyed?.deductionId ?? newUuid(), amount };
    const deducted = await this.deduct(attempt);
    const performed = await this.perform(attempt);
    await this.settle(attempt, performed, deducted);
    call.keyed?.confirm();
    const { state, revision } = deducted.decision;
    const receipt = { charged: amount, balance: state.balance, revision };
    return { status: performed.conclusion.status, body: performed.body, receipt };
  }

  private async deduct({ call, deductionId, amount }: Attempt): Promise<Deducted> {
    const { tenantId, operation, access, keyed, caps } = call;
    const data = { deductionId, operation, amount, requestId: access.requestId, caps };
    this.refunds.add(deductionId);
    try {
      const decision = await this.commands.execute(new DeductCredits(tenantId, data, tenantMetadata(call.access)));
      return { decision, deductedAt: decision.committedEvent?.event.metadata.time ?? '' };
    } catch (error) {
      if (error instanceof OutcomeUnknown) {
        const ended = this.refunds.refund(tenantId, deductionId, 'outcome_unknown');
        keyed?.hold(ended);
      } else {
        this.refunds.release(deductionId);
      }
      throw error;
    }
  }

  /** A refusal by the operation is a response and stays charged. Other errors are refunded before they are thrown. */
  private async perform(attempt: Attempt): Promise<Performed> {
    const { call, deductionId } = attempt;
    const outcome = await performWithin(this.config.timing.operationDeadline, { call, deductionId });
    try {
      const performed = 'performed' in outcome ? outcome.performed : this.refusal(call, outcome.error);
      const { conclusion, body } = performed;
      await call.keyed?.keepAnswer(conclusion.status, body, conclusion.owner ?? { kind: 'tenant' });
      return performed;
    } catch (error) {
      await this.refund(attempt, isRejection(error, 'timeout') ? 'deadline' : 'operation_failed', error);
      throw error;
    }
  }

  /** Throws the error if it is no refusal. */
  private refusal({ operation, access }: ChargedCall<unknown>, error: unknown): Performed {
    const refusal = refusalOf(error, operation, access.requestId, this.config);
    if (refusal === undefined) throw error;
    return refusal;
  }

  /** Throws where another process has refunded the deduction, or where its end is not known in time. */
  private async settle(attempt: Attempt, { conclusion }: Performed, { deductedAt }: Deducted): Promise<void> {
    const { call, deductionId, amount } = attempt;
    const { tenantId, operation, access, identityHash } = call;
    const { action, result } = conclusion;
    try {
      const place = { tenantId, stream: creditsStream(tenantId), eventId: settlementIdOf(deductionId) };
      const sealed = await this.audit.seal({
        ...place,
        access,
        ...(identityHash === undefined ? {} : { identityHash }),
      });
      const { requestId } = access;
      const data = { deductionId, operation, amount, deductedAt, requestId, action, result, ...sealed };
      const { committedEvent } = await this.commands.execute(
        new SettleDeduction(tenantId, data, tenantMetadata(call.access)),
      );
      this.refunds.release(deductionId);
      if (committedEvent === undefined) throw refuse('timeout');
      this.audit.recordedAt(tenantId, committedEvent.position);
    } catch (error) {
      if (error instanceof OutcomeUnknown) await this.takeBack(attempt, error);
      else if (this.refunds.isOwed(deductionId)) await this.refund(attempt, 'operation_failed', error);
      throw error;
    }
  }

  /** The caller gets a failure. So a settlement that is in the log after all is reversed, and else the deduction is refunded. */
  private async takeBack({ call, deductionId }: Attempt, unknown: OutcomeUnknown): Promise<void> {
    const { tenantId, keyed } = call;
    const committedEvent = unknown.committedEvent.then(async (committed) => {
      if (committed === undefined) await this.refunds.refund(tenantId, deductionId, 'outcome_unknown');
      return committed;
    });
    const reversal = { tenantId, chargeId: deductionId, afterRevision: unknown.after, keyedRow: keyed?.rowId ?? null };
    const { ended, noted } = this.reversals.add(reversal, committedEvent);
    void ended.then(() => this.refunds.release(deductionId));
    keyed?.hold(ended);
    await completesWithin(this.config.timing.storeBudget * OUTAGE_WAIT_SHARE, noted);
  }

  /** `error` is the cause of the refund. It goes out though the refund is still under way, if that takes long. */
  private async refund({ call, deductionId }: Attempt, reason: RefundReason, error: unknown): Promise<void> {
    const ended: Promise<DeductionEnd> = this.refunds.refund(call.tenantId, deductionId, reason);
    const { storeBudget } = this.config.timing;
    const isStoreDown = error instanceof Unavailable && error.part === 'event_store';
    const waitBudget = isStoreDown ? storeBudget * OUTAGE_WAIT_SHARE : storeBudget;
    if (!(await completesWithin(waitBudget, ended))) call.keyed?.hold(ended);
  }
}
