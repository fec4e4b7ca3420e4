import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type DeductionState, Deductions } from '../kernel/charging.js';
import { type NewEvent } from '../kernel/events.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { Turnstile } from '../kernel/turnstile.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { type Decision, GroupCommit } from '../platform/eventstore/group-commit.js';
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

type Writer = GroupCommit<CreditAccount, CreditCommand, CreditEvent>;

/** The credit accounts of all tenants: one group-committing writer for each that this process has touched. */
@Injectable()
export class CreditLedger extends Deductions {
  private readonly writers = new StreamPool((tenantId: TenantId) => this.makeWriter(tenantId));
  private readonly loads = new Turnstile(LOADED_AT_ONCE);
  private readonly states = new StreamPool(
    (tenantId: TenantId) =>
      new DeductionStates(() => this.store.readPages(creditsStream(tenantId), { direction: 'backwards' }), this.clock),
  );

  constructor(
    private readonly store: EventStore,
    private readonly snapshots: Snapshots,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  /** Decides and appends; see GroupCommit.submit for what it rejects with. `budgetMs` may be Infinity. */
  execute(command: CreditCommand, budgetMs: number): Promise<Decision<CreditAccount>> {
    return this.writers.of(command.tenantId).submit(command, budgetMs);
  }

  /** The account as it stands in the log now, whoever wrote last. */
  async current(tenantId: TenantId, requestId: string, budgetMs: number): Promise<Decision<CreditAccount>> {
    return this.execute(new ConfirmState(tenantId, { requestId, actor: { type: 'system', id: 'reader' } }), budgetMs);
  }

  stateOf(tenantId: TenantId, deductionId: string, since: Date): Promise<DeductionState> {
    return this.states.of(tenantId).of(deductionId, since);
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
  if (type === 'CreditsAdjusted.v1') return EVENT_BYTES + (data.reason?.ct.length ?? 0);
  if (type !== 'BalanceCarriedForward.v1') return EVENT_BYTES;
  return EVENT_BYTES + (data.open.length + data.references.length) * CARRIED_ENTRY_BYTES;
};
