import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { isRejection, refuse } from '../kernel/rejection.js';
import { type Config } from '../platform/config/config.js';
import { type Decision } from '../log/append/command-queue.js';
import { handlersOf } from '../log/append/handlers-of.js';
import { CONFIG } from '../platform/tokens.js';
import { ChargeLookUp } from './charge-look-up.command.js';
import { CreditRepository } from './credit-repository.js';
import { ForgottenReferences } from './forgotten-references.js';
import {
  AdjustCredits,
  AnnounceKeyCap,
  CarryBalanceForward,
  type ChargeOperation,
  ConfigureAutoRecharge,
  ConfirmFunds,
  type CreditCommand,
  DeductCredits,
  FailAutoRecharge,
  FollowSuspension,
  PurchaseCredits,
  type ReferencedCommand,
  RefundDeduction,
  RestoreCredits,
  ReturnCredits,
  ReverseCharge,
  ReverseCredits,
  ReviewAutoRecharge,
  SetAlertThresholds,
  SettleDeduction,
} from './domain/credits.commands.js';
import { type CreditAccount } from './domain/credit-account.js';
import { returnReferenceOf } from './domain/credits.events.js';

/** Of what no caller waits for. */
const BACKGROUND_MS = 30_000;

/** Handles commands that a caller waits for. The outcome is known within the store's budget, or the caller gets a 503. */
@Injectable()
class PromptHandler {
  constructor(
    protected readonly ledger: CreditRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  execute(command: CreditCommand): Promise<Decision<CreditAccount>> {
    return this.ledger.execute(command, this.config.timing.storeBudget);
  }
}

/** Announces a cap that refused a command. Where that fails, the next refused call announces it. */
const announceCap = (
  ledger: CreditRepository,
  { tenantId, data: { amount, caps }, metadata }: ConfirmFunds | DeductCredits | ChargeOperation,
  error: unknown,
): void => {
  if (!isRejection(error, 'key_cap_reached') || !ledger.capAnnouncementIsDue(tenantId, amount, caps)) return;
  const announcement = new AnnounceKeyCap(tenantId, { amount, caps }, metadata);
  void ledger.execute(announcement, BACKGROUND_MS).catch(() => undefined);
};

/**
 * Handles commands that need funds. A recharge may be due where they are refused: the day's limit of yesterday is over,
 * and without funds no deduction asks for one.
 */
@Injectable()
export class SpendingHandler extends PromptHandler {
  override async execute(command: ConfirmFunds | DeductCredits): Promise<Decision<CreditAccount>> {
    try {
      return await super.execute(command);
    } catch (error) {
      if (isRejection(error, 'credits_depleted') || isRejection(error, 'insufficient_credits'))
        void this.review(command).catch(() => undefined);
      announceCap(this.ledger, command, error);
      throw error;
    }
  }

  private async review({ tenantId, metadata }: CreditCommand): Promise<void> {
    if (this.ledger.rechargeIsDue(tenantId))
      await this.ledger.execute(new ReviewAutoRecharge(tenantId, metadata), BACKGROUND_MS);
  }
}

/** Handles commands that give credits back. They are owed to the tenant, so they are retried until they are durable. */
@Injectable()
class OwedHandler {
  constructor(private readonly ledger: CreditRepository) {}

  execute(command: CreditCommand): Promise<Decision<CreditAccount>> {
    return this.ledger.execute(command, Infinity);
  }
}

/** Handles commands that count once by a reference, which the account may have forgotten. */
@Injectable()
class ReferenceHandler {
  constructor(
    protected readonly ledger: CreditRepository,
    private readonly searched: ForgottenReferences,
    @Inject(CONFIG) protected readonly config: Config,
  ) {}

  async execute(command: ReferencedCommand): Promise<Decision<CreditAccount>> {
    const budget = this.config.timing.storeBudget;
    const { state } = await this.ledger.current(command.tenantId, command.metadata.requestId, budget);
    const references = referencesOf(command).filter((reference) => !state.references.has(reference));
    if (!state.referencesForgotten || references.length === 0) return this.ledger.execute(command, budget);
    const searchedIn = state.carriedFor;
    const found = await this.searched.find(command.tenantId, searchedIn, references);
    return this.ledger.execute(Object.assign({}, command, { older: { searchedIn, found } }), budget);
  }
}

const referencesOf = ({ type, data }: ReferencedCommand): readonly string[] => {
  if (type === 'ReverseCredits') return [data.reference, data.purchaseReference];
  if (type === 'RestoreCredits') return [data.reference, data.reversalReference];
  return [type === 'ReturnCredits' ? returnReferenceOf(data.deductionId) : data.reference];
};

@CommandHandler(ReturnCredits)
export class ReturnCreditsHandler extends ReferenceHandler {
  /** A request that failed was refunded already, although the work that it started went on and failed too. */
  override async execute(command: ReturnCredits): Promise<Decision<CreditAccount>> {
    const { tenantId, data, metadata } = command;
    const present = await this.ledger.current(tenantId, metadata.requestId, this.config.timing.storeBudget);
    switch (await this.ledger.stateOf(tenantId, data.deductionId, -1n)) {
      case 'unknown':
        throw refuse('not_found');
      case 'refunded':
      case 'returned':
        return present;
      case 'settled':
        return super.execute(
          new ReturnCredits(tenantId, { ...data, settledIn: present.state.carriedFor }, metadata, command.older),
        );
      case 'open':
        return super.execute(command);
    }
  }
}

@CommandHandler(ChargeLookUp)
export class ChargeLookUpHandler {
  constructor(private readonly ledger: CreditRepository) {}

  async execute({ charge, budgetMs, freshness }: ChargeLookUp): Promise<Decision<CreditAccount>> {
    try {
      return await this.ledger.execute(charge, budgetMs, freshness);
    } catch (error) {
      announceCap(this.ledger, charge, error);
      throw error;
    }
  }
}

export const CREDIT_HANDLERS = [
  ReturnCreditsHandler,
  ChargeLookUpHandler,
  ...handlersOf(ReferenceHandler, [PurchaseCredits, ReverseCredits, RestoreCredits, AdjustCredits]),
  ...handlersOf(SpendingHandler, [ConfirmFunds, DeductCredits]),
  ...handlersOf(OwedHandler, [ReverseCharge, RefundDeduction]),
  ...handlersOf(PromptHandler, [
    ConfigureAutoRecharge,
    FailAutoRecharge,
    ReviewAutoRecharge,
    SetAlertThresholds,
    FollowSuspension,
    SettleDeduction,
    CarryBalanceForward,
  ]),
];
