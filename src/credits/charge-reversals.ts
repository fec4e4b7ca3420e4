import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { setTimeout as pause } from 'node:timers/promises';
import { type DeductionEnd, KeyedResponses } from '../kernel/charging.js';
import { type Recorded } from '../kernel/events.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { retryWhileUnavailable } from '../kernel/retry-while-unavailable.js';
import { Unavailable } from '../kernel/unavailable.js';
import { completesWithin } from '../kernel/completes-within.js';
import { type Config } from '../platform/config/config.js';
import { type CommittedEvent } from '../log/append/command-queue.js';
import { describeError, LOGGER, type Logger } from '../observability/logging.js';
import { CONFIG } from '../platform/tokens.js';
import { CreditRepository } from './credit-repository.js';
import { type PendingReversal, PendingReversals } from './credits.port.js';
import { ReverseCharge } from './domain/credits.commands.js';
import { type DeductionSettled, type OperationCharged } from './domain/credits.events.js';
import { isGivenBack } from './domain/giving-back.js';

const NOTE_AGAIN_MS = 250;

/** A reversal in progress. `ended` resolves at its end. `noted` resolves once another process could take it over. */
interface UnderWay {
  readonly ended: Promise<DeductionEnd>;
  readonly noted: Promise<void>;
}

/** Reverses charges that are in the log although their requests got a 5xx. Retries until the reversal is durable. */
@Injectable()
export class ChargeReversals implements OnApplicationShutdown {
  private readonly owed = new Map<string, UnderWay>();

  constructor(
    private readonly commands: CommandBus,
    private readonly ledger: CreditRepository,
    private readonly pending: PendingReversals,
    private readonly answers: KeyedResponses,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  isOwed(chargeId: string): boolean {
    return this.owed.has(chargeId);
  }

  /**
   * Takes over a charge of this process. It notes the charge, so that another instance reverses it if this one dies
   * first. It reverses the charge once `landing` reports it in the log. `ended` resolves when the reversal is
   * durable. Neither promise rejects.
   */
  add(reversal: PendingReversal, committedEvent: Promise<CommittedEvent | undefined>): UnderWay {
    let over = false;
    const noted = this.note(reversal, () => over);
    const ended = this.carryOut(reversal, committedEvent, noted);
    void ended.then(() => (over = true));
    return { ended, noted };
  }

  /** Reverses a charge that is noted already. */
  carryOut(
    reversal: PendingReversal,
    committedEvent: Promise<CommittedEvent | undefined>,
    noted: Promise<void> = Promise.resolve(),
  ): Promise<DeductionEnd> {
    const ended = this.reverse(reversal, committedEvent, noted).finally(() => this.owed.delete(reversal.chargeId));
    this.owed.set(reversal.chargeId, { ended, noted });
    void Promise.all([ended, noted])
      .then(([end]) => (end === 'unknown' ? undefined : this.pending.remove(reversal)))
      // A remaining note is harmless: the next sweep finds nothing left to reverse.
      .catch(() => undefined);
    return ended;
  }

  async onApplicationShutdown(): Promise<void> {
    const safe = [...this.owed.values()].map(({ ended, noted }) => Promise.race([ended, noted]));
    await completesWithin(this.config.timing.settleWithin, Promise.all(safe));
  }

  /**
   * Retries until the note is durable or no longer needed. Until then only this process knows of the reversal.
   * p-retry does not fit, since it gives up at a TypeError.
   */
  private async note(reversal: PendingReversal, over: () => boolean): Promise<void> {
    while (!over()) {
      try {
        await this.pending.note(reversal);
        return;
      } catch (error) {
        if (!(error instanceof Unavailable))
          this.logger.error({ error: describeError(error) }, 'a reversal was not noted');
      }
      await pause(NOTE_AGAIN_MS);
    }
  }

  private async reverse(
    { tenantId, chargeId, keyedRow }: PendingReversal,
    committedEvent: Promise<CommittedEvent | undefined>,
    noted: Promise<void>,
  ): Promise<DeductionEnd> {
    try {
      const committed = await committedEvent;
      if (committed === undefined) return 'refunded';
      // The note comes before the withdrawal of the response. If this process dies in between, another one continues.
      if (keyedRow !== null) await noted;
      // A repeat of the request may have found the charge and replayed its response. Then the caller did receive it,
      // and the charge stays.
      const withdraw =
        keyedRow === null || (await retryWhileUnavailable(() => this.answers.withdraw(keyedRow, chargeId), Infinity));
      if (!withdraw) return 'settled';
      await this.giveBack(tenantId, committed);
      return 'refunded';
    } catch (error) {
      this.logger.error({ tenantId, chargeId, error: describeError(error) }, 'a charge could not be reversed');
      return 'unknown';
    }
  }

  /**
   * Reverses a charge exactly once, however late. If the account may have forgotten an earlier reversal, its stream
   * is searched. The search is repeated if the account is carried forward meanwhile.
   */
  private async giveBack(tenantId: TenantId, { event, revision }: CommittedEvent): Promise<void> {
    const { data: charged, metadata: charging } = event as Recorded<OperationCharged | DeductionSettled>;
    const { operation, amount } = charged;
    const [chargeId, chargedAt] =
      'chargeId' in charged ? [charged.chargeId, charging.time] : [charged.deductionId, charged.deductedAt];
    const capped = 'chargeId' in charged ? charged.capped : undefined;
    const data = {
      chargeId,
      revision: Number(revision),
      chargedAt,
      operation,
      amount,
      chargedBy: charging.actor.id,
      ...(capped && { capped }),
    };
    const metadata = { requestId: newUuid(), actor: { type: 'system', id: 'reversal' } } as const;
    let search: { searchedIn?: string | null } = {};
    for (;;) {
      const command = new ReverseCharge(tenantId, { ...data, ...search }, metadata);
      const { appended, state } = await this.commands.execute(command);
      if (appended || isGivenBack(state, chargeId)) return;
      search = { searchedIn: state.carriedFor };
      const found = await retryWhileUnavailable(() => this.ledger.stateOf(tenantId, chargeId, revision), Infinity);
      if (found === 'refunded' || found === 'returned') return;
    }
  }
}
