import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { OPERATIONS } from '../kernel/contract.js';
import { AuditTrail } from '../kernel/access.js';
import { type ChargedResponse, type ChargedCall, type Conclusion, type Receipt } from '../kernel/charging.js';
import { type Clock } from '../kernel/clock.js';
import { tenantMetadata } from '../kernel/events.js';
import { newUuid } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { completesWithin } from '../kernel/completes-within.js';
import { type Config } from '../platform/config/config.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { type Decision, type CommittedEvent, InputsTooOld, OutcomeUnknown } from '../log/append/command-queue.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { ChargeReversals } from './charge-reversals.js';
import { ChargeLookUp } from './charge-look-up.command.js';
import { CreditRepository } from './credit-repository.js';
import { ChargeOperation, ConfirmFunds } from './domain/credits.commands.js';
import { creditsStream } from './domain/credits.events.js';
import { type CreditAccount } from './domain/credit-account.js';
import { type Performed, performWithin } from './perform.js';
import { refusalOf } from './refusal.js';

/** Greatest age of a look-up's outcome when the append of its charge begins, milliseconds. */
const FRESH_MS = 1_000;
/** Share of the store's budget that a failure waits for its note: 0.3 s of 1.5 s, so that a 503 is on time. */
const WAIT_WITH_NOTE = 0.2;
/** Largest record of a charge, as JSON. */
const MAX_RECORD_BYTES = 8_192;

/** A call under way. Times are on Clock.monotonic. */
interface Attempt {
  readonly call: ChargedCall<unknown>;
  readonly chargeId: string;
  readonly lookUpsEnd: number;
}

/**
 * Checks the balance, looks up without disclosure, charges by one event and responds (docs/architecture.md, A charged request). The
 * charge is deduction and audit entry in one, so a failed look-up owes nothing.
 */
@Injectable()
export class LookUpCharging {
  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly ledger: CreditRepository,
    private readonly audit: AuditTrail,
    private readonly reversals: ChargeReversals,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async charge(call: ChargedCall<unknown>): Promise<ChargedResponse> {
    if (!this.store.healthy) throw new Unavailable('event_store');
    const credits = OPERATIONS[call.operation].credits;
    await this.confirmFunds(call, credits);
    const lookUpsEnd = this.clock.monotonic() + this.config.timing.operationDeadline;
    const attempt = { call, chargeId: call.keyed?.deductionId ?? call.chargeId ?? newUuid(), lookUpsEnd };
    const { looked, decision } = await this.lookUpAndAppend(attempt, credits);
    invariant(decision.committedEvent !== undefined, 'a charge appends');
    this.audit.recordedAt(call.tenantId, decision.committedEvent.position);
    if (this.clock.monotonic() - call.access.startedAt > this.config.timing.answerDeadline) {
      // After such a long stall the key may belong to a new attempt.
      await this.reverse(attempt, decision.revision - 1n, Promise.resolve(decision.committedEvent));
      throw refuse('timeout');
    }
    call.keyed?.confirm();
    const receipt: Receipt = { charged: credits, balance: decision.state.balance, revision: decision.revision };
    return { status: looked.conclusion.status, body: looked.body, receipt };
  }

  /** Refuses a shortfall only by the log's present state, before any look-up. */
  private async confirmFunds(call: ChargedCall<unknown>, amount: number): Promise<void> {
    const { tenantId, caps } = call;
    if (this.ledger.mayAfford(tenantId, amount, caps)) return;
    await this.commands.execute(new ConfirmFunds(tenantId, { amount, caps }, tenantMetadata(call.access)));
  }

  /** Looks up again as long as a look-up is too old when its append begins. */
  private async lookUpAndAppend(
    attempt: Attempt,
    credits: number,
  ): Promise<{ looked: Performed; decision: Decision<CreditAccount> }> {
    let appendsEnd: number | undefined;
    for (;;) {
      const looked = await this.lookUp(attempt);
      const until = this.clock.monotonic() + FRESH_MS;
      const { conclusion, body } = looked;
      // The response is replayed only once the charge is durable.
      await attempt.call.keyed?.keepAnswer(conclusion.status, body, conclusion.owner ?? { kind: 'tenant' });
      const charge = await this.toCommand(attempt, conclusion, credits);
      const isNext = appendsEnd !== undefined;
      appendsEnd ??= this.clock.monotonic() + this.config.timing.storeBudget;
      const budgetMs = appendsEnd - this.clock.monotonic();
      try {
        const decision = await this.commands.execute(new ChargeLookUp(charge, budgetMs, { until, isNext }));
        return { looked, decision };
      } catch (error) {
        if (error instanceof OutcomeUnknown) await this.reverse(attempt, error.after, error.committedEvent);
        if (!(error instanceof InputsTooOld)) throw error;
      }
    }
  }

  /** A refusal by the operation is a response like any other. Other errors are thrown, and nothing is charged. */
  private async lookUp({ call, chargeId: deductionId, lookUpsEnd }: Attempt): Promise<Performed> {
    const outcome = await performWithin(lookUpsEnd - this.clock.monotonic(), { call, deductionId });
    if ('performed' in outcome) return outcome.performed;
    const refusal = refusalOf(outcome.error, call.operation, call.access.requestId, this.config);
    if (refusal === undefined) throw outcome.error;
    return refusal;
  }

  private async toCommand(
    { call, chargeId }: Attempt,
    conclusion: Conclusion,
    amount: number,
  ): Promise<ChargeOperation> {
    const { tenantId, operation, access, nameHash, caps } = call;
    const { action, result, answered, record, identityHash = call.identityHash } = conclusion;
    invariant(record === undefined || JSON.stringify(record).length <= MAX_RECORD_BYTES, 'a record is small');
    const sealed = await this.audit.seal({
      tenantId,
      stream: creditsStream(tenantId),
      eventId: chargeId,
      access,
      ...(identityHash === undefined ? {} : { identityHash }),
      ...(nameHash === undefined ? {} : { nameHash }),
      ...(answered === undefined ? {} : { answered }),
      ...(record === undefined ? {} : { record }),
    });
    const data = { chargeId, operation, amount, requestId: access.requestId, action, result, caps, ...sealed };
    return new ChargeOperation(tenantId, data, tenantMetadata(call.access));
  }

  /**
   * Reverses a charge that may be in the log, since the caller gets a failure. The failure waits shortly for the
   * note, so that another process can reverse the charge if this one dies.
   */
  private async reverse(
    { call, chargeId }: Attempt,
    afterRevision: bigint,
    committedEvent: Promise<CommittedEvent | undefined>,
  ): Promise<void> {
    const { tenantId, keyed } = call;
    const reversal = { tenantId, chargeId, afterRevision, keyedRow: keyed?.rowId ?? null };
    const { ended, noted } = this.reversals.add(reversal, committedEvent);
    keyed?.hold(ended);
    await completesWithin(this.config.timing.storeBudget * WAIT_WITH_NOTE, noted);
  }
}
