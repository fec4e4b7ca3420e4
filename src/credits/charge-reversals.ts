import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { setTimeout as pause } from 'node:timers/promises';
import { type DeductionEnd, KeyedResponses } from '../kernel/charging.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { retryWhileUnavailable } from '../kernel/retry-while-unavailable.js';
import { Unavailable } from '../kernel/unavailable.js';
import { completesWithin } from '../kernel/completes-within.js';
import { type Config } from '../platform/config/config.js';
import { type Decision, type Landing } from '../platform/eventstore/command-queue.js';
import { describeError, LOGGER, type Logger } from '../platform/http/logging.js';
import { CONFIG } from '../platform/tokens.js';
import { CreditRepository } from './credit-repository.js';
import { type PendingReversal, PendingReversals } from './credits.port.js';
import { ReverseCharge } from './domain/credits.commands.js';
import { type OperationCharged } from './domain/credits.events.js';
import { type CreditAccount, isReversed } from './domain/credits.js';

const NOTE_AGAIN_MS = 250;

/** A reversal: over once it has ended, and safe with another process once it is noted. */
interface UnderWay {
  readonly ended: Promise<DeductionEnd>;
  readonly noted: Promise<void>;
}

/** Undoes charges that landed although their requests were answered 5xx, retrying until durable. */
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
   * Takes a charge of this process on: it is noted, so that another instance reverses it should this one die first, and reversed
   * once `landing` tells that it stands in the log: `ended` resolves when that is durable. Neither promise rejects.
   */
  add(reversal: PendingReversal, landing: Promise<Landing | undefined>): UnderWay {
    let over = false;
    const noted = this.note(reversal, () => over);
    const ended = this.carryOut(reversal, landing, noted);
    void ended.then(() => (over = true));
    return { ended, noted };
  }

  /** The same for a charge that is noted already. */
  carryOut(
    reversal: PendingReversal,
    landing: Promise<Landing | undefined>,
    noted: Promise<void> = Promise.resolve(),
  ): Promise<DeductionEnd> {
    const ended = this.reverse(reversal, landing, noted).finally(() => this.owed.delete(reversal.chargeId));
    this.owed.set(reversal.chargeId, { ended, noted });
    void Promise.all([ended, noted])
      .then(([end]) => (end === 'unknown' ? undefined : this.pending.remove(reversal)))
      // A note that stays is looked at again and comes to nothing.
      .catch(() => undefined);
    return ended;
  }

  async onApplicationShutdown(): Promise<void> {
    const safe = [...this.owed.values()].map(({ ended, noted }) => Promise.race([ended, noted]));
    await completesWithin(this.config.timing.settleWithin, Promise.all(safe));
  }

  /**
   * Until it stands or is not needed any more: while Postgres is away, this process alone knows. Own: p-retry gives up at a
   * TypeError.
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
    landing: Promise<Landing | undefined>,
    noted: Promise<void>,
  ): Promise<DeductionEnd> {
    try {
      const landed = await landing;
      if (landed === undefined) return 'refunded';
      // Who withdraws an answer has noted the reversal: if this process dies in between, another one goes on.
      if (keyedRow !== null) await noted;
      // A repeat of the request may have found the charge and replayed its answer: then it was delivered after all.
      const withdraw =
        keyedRow === null || (await retryWhileUnavailable(() => this.answers.withdraw(keyedRow, chargeId), Infinity));
      if (!withdraw) return 'settled';
      await this.giveBack(tenantId, landed);
      return 'refunded';
    } catch (error) {
      this.logger.error({ tenantId, chargeId, error: describeError(error) }, 'a charge could not be reversed');
      return 'unknown';
    }
  }

  /** Once, however late: where the account may have forgotten a reversal, its stream is searched, until nothing came in between. */
  private async giveBack(tenantId: TenantId, { event, revision }: Landing): Promise<void> {
    const { chargeId, operation, amount } = event.data as OperationCharged['data'];
    const data = { chargeId, revision: Number(revision), chargedAt: event.metadata.time, operation, amount };
    const cause = { requestId: newUuid(), actor: { type: 'system', id: 'reversal' } } as const;
    let search: { searchedIn?: string | null } = {};
    for (;;) {
      const command = new ReverseCharge(tenantId, { ...data, ...search }, cause);
      const { appended, state } = await this.commands.execute<ReverseCharge, Decision<CreditAccount>>(command);
      if (appended || isReversed(state, chargeId)) return;
      search = { searchedIn: state.carriedFor };
      const found = await retryWhileUnavailable(() => this.ledger.stateOf(tenantId, chargeId, revision), Infinity);
      if (found === 'refunded') return;
    }
  }
}
