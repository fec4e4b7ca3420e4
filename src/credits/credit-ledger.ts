import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { type Clock } from '../kernel/clock.js';
import { type DeductionState, Deductions } from '../kernel/charging.js';
import { type NewEvent } from '../kernel/events.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { type Decision, type Freshness, type Landing } from '../platform/eventstore/command-queue.js';
import { BATCH_EVENTS, GroupCommit } from '../platform/eventstore/group-commit.js';
import { Snapshots } from '../platform/eventstore/snapshots.js';
import { StreamPool } from '../platform/eventstore/stream-pool.js';
import { CLOCK } from '../platform/tokens.js';
import { DeductionStates } from './deduction-states.js';
import { ConfirmState, type CreditCommand } from './domain/credits.commands.js';
import { type CreditEvent, creditsStream } from './domain/credits.events.js';
import {
  CREDIT_ACCOUNT_VERSION,
  creditAccount,
  type CreditAccount,
  type CreditAccountSnapshot,
  draftOf,
  fromSnapshot,
  toSnapshot,
} from './domain/credits.js';

const EVENT_BYTES = 700;
const SETTLED_ID_BYTES = 40;
const CARRIED_ENTRY_BYTES = 150;
/** Accounts whose streams are read for the first time at the same time: enough to be busy while the store answers. */
const LOADED_AT_ONCE = 8;

interface SoughtCharge {
  readonly chargeId: string;
  readonly afterRevision: bigint;
}

type Writer = GroupCommit<CreditAccount, CreditCommand, CreditEvent>;

/** The credit accounts of all tenants: one group-committing writer for each that this process has touched. */
@Injectable()
export class CreditLedger extends Deductions {
  private readonly writers = new StreamPool((tenantId: TenantId) => this.makeWriter(tenantId));
  private readonly loads = pLimit(LOADED_AT_ONCE);
  private readonly states = new StreamPool((tenantId: TenantId) => this.makeStates(tenantId));

  constructor(
    private readonly store: EventStore,
    private readonly snapshots: Snapshots,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  /** Decides and appends; see GroupCommit.submit for what it rejects with. `budgetMs` may be Infinity. */
  execute(
    command: CreditCommand,
    budgetMs: number,
    freshness?: Freshness<CreditCommand>,
  ): Promise<Decision<CreditAccount>> {
    return this.writers.of(command.tenantId).submit(command, budgetMs, freshness);
  }

  /** The account as this process last knew it, without asking the log; undefined where it has not read it yet. */
  known(tenantId: TenantId): CreditAccount | undefined {
    return this.writers.of(tenantId).known;
  }

  /** The account as it stands in the log now, whoever wrote last. */
  async current(tenantId: TenantId, requestId: string, budgetMs: number): Promise<Decision<CreditAccount>> {
    return this.execute(new ConfirmState(tenantId, { requestId, actor: { type: 'system', id: 'reader' } }), budgetMs);
  }

  stateOf(tenantId: TenantId, deductionId: string, after: bigint): Promise<DeductionState> {
    return this.states.of(tenantId).of(deductionId, after);
  }

  reached(tenantId: TenantId): Promise<bigint> {
    return this.states.of(tenantId).reached();
  }

  /** See DeductionStates. */
  positionBefore(tenantId: TenantId, deductionIds: ReadonlySet<string>): Promise<bigint> {
    return this.states.of(tenantId).positionBefore(deductionIds);
  }

  private makeStates(tenantId: TenantId): DeductionStates {
    return new DeductionStates(
      (limits) => this.store.readPages(creditsStream(tenantId), { ...limits, direction: 'backwards' }),
      () => this.writers.of(tenantId).reached,
    );
  }

  /**
   * Where each of these charges stands in the log, or that it never will; one that may still land is left out. A charge was sent
   * with its batch for the place behind `afterRevision`, so it stands within a batch of it or nowhere. Throws Unavailable.
   */
  async landingsOf(
    tenantId: TenantId,
    charges: readonly SoughtCharge[],
  ): Promise<ReadonlyMap<string, Landing | 'never'>> {
    const landings = new Map<string, Landing | 'never'>();
    for (const after of new Set(charges.map(({ afterRevision }) => afterRevision))) {
      const batch = await this.store.read(creditsStream(tenantId), { from: after + 1n, maxCount: BATCH_EVENTS });
      if (batch.length === 0) continue;
      const written = new Map(batch.map((event) => [event.id, event]));
      for (const { chargeId, afterRevision } of charges) {
        const event = afterRevision === after ? written.get(chargeId) : undefined;
        if (event !== undefined) landings.set(chargeId, { event, revision: event.revision, position: event.position });
        else if (afterRevision === after) landings.set(chargeId, 'never');
      }
    }
    return landings;
  }

  private makeWriter(tenantId: TenantId): Writer {
    return new GroupCommit({
      stream: creditsStream(tenantId),
      store: this.store,
      clock: this.clock,
      decider: creditAccount,
      draft: draftOf,
      toNewEvent: (event, command) => this.toNewEvent(event, command),
      weigh,
      loads: this.loads,
      snapshots: {
        store: this.snapshots,
        version: CREDIT_ACCOUNT_VERSION,
        encode: toSnapshot,
        decode: (snapshot: CreditAccountSnapshot) => fromSnapshot(snapshot),
      },
    });
  }

  private toNewEvent(event: CreditEvent, command: CreditCommand): NewEvent<CreditEvent> {
    return {
      id: ('eventId' in command ? command.eventId : undefined) ?? newUuid(),
      type: event.type,
      data: event.data,
      metadata: {
        $correlationId: command.cause.requestId,
        actor: command.cause.actor,
        time: this.clock.now().toISOString(),
        schemaVersion: 1,
      },
    };
  }
}

const weigh = ({ type, data }: CreditEvent): number => {
  if (type === 'DeductionsSettled.v1') return EVENT_BYTES + data.deductionIds.length * SETTLED_ID_BYTES;
  if (type === 'OperationCharged.v1') return EVENT_BYTES + data.access.ct.length + (data.record?.ct.length ?? 0);
  if (type === 'CreditsAdjusted.v1') return EVENT_BYTES + (data.reason?.ct.length ?? 0);
  if (type !== 'BalanceCarriedForward.v1') return EVENT_BYTES;
  const entries = data.open.length + data.references.length + (data.reversals?.charges.length ?? 0);
  return EVENT_BYTES + entries * CARRIED_ENTRY_BYTES;
};
