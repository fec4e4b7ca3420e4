import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type Caps, type DeductionState, Deductions } from '../kernel/charging.js';
import { type TenantId } from '../kernel/ids.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Decision, type CommittedEvent, type Freshness } from '../log/append/command-queue.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { BATCH_EVENTS } from '../log/append/group-commit.js';
import { type QueuedAggregates } from '../log/append/queued-aggregates.js';
import { StreamPool } from '../log/append/stream-pool.js';
import { WritePositions } from '../log/append/write-positions.js';
import { CLOCK } from '../platform/tokens.js';
import { DeductionStates } from './deduction-states.js';
import { dueRecharge } from './domain/auto-recharge.js';
import { creditsCategory } from './domain/credits.category.js';
import { ConfirmState, type CreditCommand, type DatedCommand } from './domain/credits.commands.js';
import { type CreditEvent, creditsStream, settlementIdOf } from './domain/credits.events.js';
import { announceCap, exceededCap } from './domain/key-caps.js';
import { type CreditAccount } from './domain/credit-account.js';

interface SoughtCharge {
  readonly chargeId: string;
  readonly afterRevision: bigint;
}

/**
 * Holds the credit accounts of all tenants, with one group-committing writer for each account that this process has
 * used.
 */
@Injectable()
export class CreditRepository extends Deductions {
  private readonly accounts: QueuedAggregates<CreditAccount, DatedCommand, CreditEvent, TenantId>;
  private readonly positions = new WritePositions();
  private readonly states = new StreamPool((tenantId: TenantId) => this.makeStates(tenantId));

  constructor(
    private readonly store: EventStore,
    aggregates: AggregateStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
    this.accounts = aggregates.queued(creditsCategory);
  }

  /** Decides and appends. Rejects as GroupCommit.submit does. `budgetMs` may be Infinity. */
  async execute(command: CreditCommand, budgetMs: number, freshness?: Freshness): Promise<Decision<CreditAccount>> {
    const decision = await this.accounts.of(command.tenantId).submit(this.dated(command), budgetMs, freshness);
    if (decision.committedEvent !== undefined)
      this.positions.written(command.tenantId, decision.committedEvent.position);
    return decision;
  }

  /** Commit position of the last event that this process appended to the account. Undefined if none is remembered. */
  lastPosition(tenantId: TenantId): bigint | undefined {
    return this.positions.lastPosition(tenantId);
  }

  /** Whether the account, as this process knows it, asks for a recharge that was not requested. */
  rechargeIsDue(tenantId: TenantId): boolean {
    const known = this.known(tenantId);
    if (known === undefined) return false;
    return dueRecharge(known.recharge, { tenantId, balance: known.balance, today: this.today() }) !== undefined;
  }

  /** Whether the account, as this process knows it, covers such a call, and no cap refuses it. */
  mayAfford(tenantId: TenantId, amount: number, caps: Caps): boolean {
    const known = this.known(tenantId);
    if (known === undefined || known.balance < amount) return false;
    return exceededCap(known.spending, caps, amount, this.today()) === undefined;
  }

  /** Whether the cap that refuses such a call is not announced, as this process knows the account. */
  capAnnouncementIsDue(tenantId: TenantId, amount: number, caps: Caps): boolean {
    const known = this.known(tenantId);
    return known !== undefined && announceCap(known.spending, caps, amount, this.today()).length > 0;
  }

  private dated(command: CreditCommand): DatedCommand {
    return Object.assign({}, command, { today: this.today() });
  }

  private today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }

  /** The account as this process last read it, without a query to the log. Undefined if it was never read. */
  known(tenantId: TenantId): CreditAccount | undefined {
    return this.accounts.of(tenantId).known;
  }

  /** The account's present state in the log, including writes of other processes. */
  async current(tenantId: TenantId, requestId: string, budgetMs: number): Promise<Decision<CreditAccount>> {
    return this.execute(new ConfirmState(tenantId, { requestId, actor: { type: 'system', id: 'reader' } }), budgetMs);
  }

  stateOf(tenantId: TenantId, deductionId: string, after: bigint): Promise<DeductionState> {
    return this.states.of(tenantId).of(deductionId, after);
  }

  reached(tenantId: TenantId): Promise<bigint> {
    return this.states.of(tenantId).reached();
  }

  private makeStates(tenantId: TenantId): DeductionStates {
    return new DeductionStates(
      (limits) => this.store.readPages(creditsStream(tenantId), { ...limits, direction: 'backwards' }),
      () => this.accounts.of(tenantId).reached,
    );
  }

  /**
   * Finds each charge's place in the log, or `never` if it cannot appear any more. A charge that may still appear is
   * left out. A charge's batch was sent for the place after `afterRevision`. So the charge is within one batch of
   * that place, or nowhere. Throws Unavailable.
   */
  async findChargeEvents(
    tenantId: TenantId,
    charges: readonly SoughtCharge[],
  ): Promise<ReadonlyMap<string, CommittedEvent | 'never'>> {
    const committedEvents = new Map<string, CommittedEvent | 'never'>();
    for (const after of new Set(charges.map(({ afterRevision }) => afterRevision))) {
      const batch = await this.store.read(creditsStream(tenantId), { from: after + 1n, maxCount: BATCH_EVENTS });
      if (batch.length === 0) continue;
      const written = new Map(batch.map((event) => [event.id, event]));
      for (const { chargeId, afterRevision } of charges) {
        const found = written.get(chargeId) ?? written.get(settlementIdOf(chargeId));
        const event = afterRevision === after ? found : undefined;
        if (event !== undefined)
          committedEvents.set(chargeId, { event, revision: event.revision, position: event.position });
        else if (afterRevision === after) committedEvents.set(chargeId, 'never');
      }
    }
    return committedEvents;
  }
}
