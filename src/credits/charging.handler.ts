import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AuditTrail } from '../kernel/access.js';
import { type ChargedAnswer, type ChargedCall, Charging, type Conclusion, type Receipt } from '../kernel/charging.js';
import { type Clock } from '../kernel/clock.js';
import { deriveUuid, newUuid } from '../kernel/ids.js';
import { OPERATION_COSTS } from '../kernel/operations.js';
import { isRejection, refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { type Decision, OutcomeUnknown } from '../platform/eventstore/group-commit.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { DeductCredits } from './domain/credits.commands.js';
import { type RefundReason } from './domain/credits.events.js';
import { type CreditAccount } from './domain/credits.js';
import { refusalOf } from './refusal.js';
import { type Refund, Settlement } from './settlement.js';

/** Namespace of audit entry ids, which are derived from deduction ids. */
const AUDIT_ENTRY_NAMESPACE = 'f0b1a3a2-7d0c-4f4e-9d53-3f1d7c2f6f10';

const auditEntryIdOf = (deductionId: string): string => deriveUuid(AUDIT_ENTRY_NAMESPACE, deductionId);

/** Share of a store's budget that a refund waits for a store that has missed its budget: 0.3 s of 1.5 s. */
const PATIENCE_WITH_SILENCE = 0.2;

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

const outcomeOf = async <Result>(work: Promise<Result>): Promise<Outcome<Result>> => {
  try {
    return { result: await work };
  } catch (error) {
    return { error };
  }
};

interface Performed {
  readonly conclusion: Conclusion;
  /** Its body as JSON text. */
  readonly body: string;
}

/** All of the caller's code, so that whatever it throws is an outcome that ends the deduction. */
const perform = async <Result>(call: ChargedCall<Result>, signal: AbortSignal): Promise<Performed> => {
  const conclusion = call.conclude(await call.run(signal));
  return { conclusion, body: JSON.stringify(conclusion.body) };
};

/** One charged request, from its deduction to the end that this process owes it. */
interface Attempt<Result> {
  readonly call: ChargedCall<Result>;
  readonly deductionId: string;
  /** Not later than the deduction, by this process's clock. */
  readonly since: Date;
}

/** Deduct, run, record, answer (architecture.md section 4). Nothing is disclosed before the deduction is durable. */
@Injectable()
export class LedgerCharging extends Charging {
  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly audit: AuditTrail,
    private readonly settlement: Settlement,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super();
  }

  async charge<Result>(call: ChargedCall<Result>): Promise<ChargedAnswer> {
    if (!this.store.healthy) throw new Unavailable('event_store');
    const attempt = { call, deductionId: call.keyed?.deductionId ?? newUuid(), since: this.clock.now() };
    const abort = new AbortController();
    // An early failure is kept as an outcome and judged once the deduction's own is known.
    const early = call.timing === 'beside' ? outcomeOf(perform(call, abort.signal)) : undefined;
    const receipt = await this.deduct(attempt).catch((error: unknown) => {
      abort.abort();
      throw error;
    });
    const outcome = await this.withDeadline(early ?? outcomeOf(perform(call, abort.signal)), abort);
    return 'result' in outcome
      ? this.conclude(attempt, outcome.result, receipt)
      : this.failed(attempt, outcome.error, receipt);
  }

  private async deduct({ call, deductionId, since }: Attempt<unknown>): Promise<Receipt> {
    const amount = OPERATION_COSTS[call.operation];
    const { requestId, actorId } = call.access;
    this.settlement.owe(deductionId);
    try {
      const decision = await this.commands.execute<DeductCredits, Decision<CreditAccount>>(
        new DeductCredits(
          call.tenantId,
          { deductionId, operation: call.operation, amount, requestId },
          { requestId, actor: { type: 'tenant', id: actorId } },
        ),
      );
      return { charged: amount, balance: decision.state.balance, revision: decision.revision };
    } catch (error) {
      if (error instanceof OutcomeUnknown) {
        const ended = this.settlement.refundInTheEnd(call.tenantId, deductionId, 'outcome_unknown', since);
        call.keyed?.hold(ended);
      } else {
        this.settlement.release(deductionId);
      }
      throw error;
    }
  }

  private async withDeadline<Result>(work: Promise<Outcome<Result>>, abort: AbortController): Promise<Outcome<Result>> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<Outcome<Result>>((resolve) => {
      timer = setTimeout(() => {
        abort.abort();
        resolve({ error: refuse('timeout') });
      }, this.config.timing.operationDeadline);
    });
    const outcome = await Promise.race([work, deadline]);
    clearTimeout(timer);
    return outcome;
  }

  private async conclude(
    attempt: Attempt<unknown>,
    { conclusion, body }: Performed,
    receipt: Receipt,
  ): Promise<ChargedAnswer> {
    const { call, deductionId } = attempt;
    try {
      await call.keyed?.keepAnswer(conclusion.status, body, conclusion.owner ?? { kind: 'tenant' });
      await this.audit.record(entryOf(attempt, conclusion), this.config.timing.storeBudget);
    } catch (error) {
      // Whether the entry landed is not known; the refund decides, unless another process settled by that entry.
      if ((await this.refund(attempt, 'outcome_unknown', error)) !== 'settled') throw error;
      return this.answer(attempt, conclusion.status, body, receipt);
    }
    if (this.clock.monotonic() - call.access.startedAt > this.config.timing.answerDeadline) {
      // Another process may have judged the deduction abandoned by now: only its end tells what to answer.
      if ((await this.refund(attempt, 'deadline')) !== 'settled') throw refuse('timeout');
      return this.answer(attempt, conclusion.status, body, receipt);
    }
    this.settlement.settleSoon(call.tenantId, deductionId);
    return this.answer(attempt, conclusion.status, body, receipt);
  }

  private answer({ call }: Attempt<unknown>, status: number, body: string, receipt: Receipt): ChargedAnswer {
    call.keyed?.confirm();
    return { status, body, receipt };
  }

  /** A refusal by the operation is an answer and stays charged; everything else is refunded before it is said. */
  private async failed(attempt: Attempt<unknown>, error: unknown, receipt: Receipt): Promise<ChargedAnswer> {
    const { operation, access } = attempt.call;
    const refusal = refusalOf(error, operation, access.requestId);
    if (refusal !== undefined) return this.conclude(attempt, refusal, receipt);
    await this.refund(attempt, isRejection(error, 'timeout') ? 'deadline' : 'operation_failed', error);
    throw error;
  }

  /** `error` is what it is refunded for, where something failed. */
  private async refund(
    { call, deductionId, since }: Attempt<unknown>,
    reason: RefundReason,
    error?: unknown,
  ): Promise<Refund['state']> {
    const patience = this.patience(call, error);
    const refund = await this.settlement.refund(call.tenantId, deductionId, reason, since, patience);
    if (refund.state === 'pending') call.keyed?.hold(refund.ended);
    return refund.state;
  }

  /**
   * How long an error waits for its refund, milliseconds. Until the deadline it goes out, and its duty is noted, before another
   * process may close the deduction. After a long stop one may have settled it by the audit entry: what is said then waits for
   * the ledger. A store that has just used up its budget gets little more, so that its 503 is no later than promised.
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
  ...(conclusion.identityHash === undefined ? {} : { identityHash: conclusion.identityHash }),
  deductionId,
  access: call.access,
});
