import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AuditTrail } from '../kernel/access.js';
import { type ChargedResponse, type ChargedCall, type Conclusion, type Receipt } from '../kernel/charging.js';
import { type Clock } from '../kernel/clock.js';
import { deriveUuid, newUuid } from '../kernel/ids.js';
import { OPERATIONS } from '../kernel/operations.js';
import { isRejection, refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { OutcomeUnknown } from '../platform/eventstore/command-queue.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { DeductCredits } from './domain/credits.commands.js';
import { type RefundReason } from './domain/credits.events.js';
import { type Performed, performWithin } from './perform.js';
import { refusalOf } from './refusal.js';
import { type Refund, Settlement } from './settlement.js';

/** Namespace of audit entry ids, which are derived from deduction ids. */
const AUDIT_ENTRY_NAMESPACE = 'f0b1a3a2-7d0c-4f4e-9d53-3f1d7c2f6f10';

const auditEntryIdOf = (deductionId: string): string => deriveUuid(AUDIT_ENTRY_NAMESPACE, deductionId);

/** Share of the store's budget that a refund waits after the store has missed its budget: 0.3 s of 1.5 s. */
const PATIENCE_WITH_SILENCE = 0.2;

/** One charged request, from its deduction to the settlement or refund that this process owes. */
interface Attempt<Result> {
  readonly call: ChargedCall<Result>;
  readonly deductionId: string;
}

/** Deducts, runs, records and responds (architecture.md section 4). For operations that append or start something. */
@Injectable()
export class EffectCharging {
  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly audit: AuditTrail,
    private readonly settlement: Settlement,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async charge<Result>(call: ChargedCall<Result>): Promise<ChargedResponse> {
    if (!this.store.healthy) throw new Unavailable('event_store');
    const attempt = { call, deductionId: call.keyed?.deductionId ?? newUuid() };
    const receipt = await this.deduct(attempt);
    const outcome = await performWithin(this.config.timing.operationDeadline, attempt);
    return 'performed' in outcome
      ? this.conclude(attempt, outcome.performed, receipt)
      : this.failed(attempt, outcome.error, receipt);
  }

  private async deduct({ call, deductionId }: Attempt<unknown>): Promise<Receipt> {
    const amount = OPERATIONS[call.operation].credits;
    const { requestId, actorId } = call.access;
    this.settlement.add(deductionId);
    try {
      const decision = await this.commands.execute(
        new DeductCredits(
          call.tenantId,
          { deductionId, operation: call.operation, amount, requestId },
          { requestId, actor: { type: 'tenant', id: actorId } },
        ),
      );
      return { charged: amount, balance: decision.state.balance, revision: decision.revision };
    } catch (error) {
      if (error instanceof OutcomeUnknown) {
        const ended = this.settlement.refundInTheEnd(call.tenantId, deductionId, 'outcome_unknown', error.after);
        call.keyed?.hold(ended);
      } else {
        this.settlement.release(deductionId);
      }
      throw error;
    }
  }

  private async conclude(
    attempt: Attempt<unknown>,
    { conclusion, body }: Performed,
    receipt: Receipt,
  ): Promise<ChargedResponse> {
    const { call, deductionId } = attempt;
    try {
      await call.keyed?.keepAnswer(conclusion.status, body, conclusion.owner ?? { kind: 'tenant' });
      await this.audit.record(entryOf(attempt, conclusion), this.config.timing.storeBudget);
    } catch (error) {
      // The audit entry may or may not be in the log. The refund decides, unless another process settled because of
      // that entry.
      if ((await this.refund(attempt, receipt, 'outcome_unknown', error)) !== 'settled') throw error;
      return this.answer(attempt, conclusion.status, body, receipt);
    }
    if (this.clock.monotonic() - call.access.startedAt > this.config.timing.answerDeadline) {
      // Another process may already have closed the deduction as abandoned. The response depends on how it ended.
      if ((await this.refund(attempt, receipt, 'deadline')) !== 'settled') throw refuse('timeout');
      return this.answer(attempt, conclusion.status, body, receipt);
    }
    this.settlement.settleSoon(call.tenantId, deductionId);
    return this.answer(attempt, conclusion.status, body, receipt);
  }

  private answer({ call }: Attempt<unknown>, status: number, body: string, receipt: Receipt): ChargedResponse {
    call.keyed?.confirm();
    return { status, body, receipt };
  }

  /** A refusal by the operation is a response and stays charged. Other errors are refunded before they are thrown. */
  private async failed(attempt: Attempt<unknown>, error: unknown, receipt: Receipt): Promise<ChargedResponse> {
    const { operation, access } = attempt.call;
    const refusal = refusalOf(error, operation, access.requestId, this.config);
    if (refusal !== undefined) return this.conclude(attempt, refusal, receipt);
    await this.refund(attempt, receipt, isRejection(error, 'timeout') ? 'deadline' : 'operation_failed', error);
    throw error;
  }

  /** `error` is the cause of the refund, if something failed. */
  private async refund(
    { call, deductionId }: Attempt<unknown>,
    { revision }: Receipt,
    reason: RefundReason,
    error?: unknown,
  ): Promise<Refund['state']> {
    const patience = this.patience(call, error);
    const refund = await this.settlement.refund(call.tenantId, deductionId, reason, revision - 1n, patience);
    if (refund.state === 'pending') call.keyed?.hold(refund.ended);
    return refund.state;
  }

  /**
   * How long an error waits for its refund, milliseconds. Before the deadline no other process may close the
   * deduction. So the error may go out with a pending refund. After a long stall another process may have settled the
   * deduction by the audit entry. The response then waits for the ledger. A store that has just used up its budget
   * gets little more, so that its 503 is on time.
   */
  private patience({ access }: ChargedCall<unknown>, error: unknown): number {
    const { storeBudget, answerDeadline } = this.config.timing;
    const left = answerDeadline - (this.clock.monotonic() - access.startedAt);
    if (left < 0) return answerDeadline;
    const silent = error instanceof Unavailable && error.part === 'event_store';
    return Math.min(silent ? storeBudget * PATIENCE_WITH_SILENCE : storeBudget, left);
  }
}

const entryOf = ({ call, deductionId }: Attempt<unknown>, conclusion: Conclusion) => ({
  entryId: auditEntryIdOf(deductionId),
  tenantId: call.tenantId,
  action: conclusion.action,
  result: conclusion.result,
  ...(call.identityHash === undefined ? {} : { identityHash: call.identityHash }),
  deductionId,
  access: call.access,
});
