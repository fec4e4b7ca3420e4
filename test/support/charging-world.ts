import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { setImmediate as turn } from 'node:timers/promises';
import { ChargeReversals } from '../../src/credits/charge-reversals.js';
import { ForgottenReferences } from '../../src/credits/forgotten-references.js';
import { LedgerCharging } from '../../src/credits/ledger-charging.js';
import { CreditRepository } from '../../src/credits/credit-repository.js';
import { CREDIT_HANDLERS } from '../../src/credits/credits.handler.js';
import {
  type OpenDeductionHint,
  OpenDeductions,
  type PendingReversal,
  PendingReversals,
} from '../../src/credits/credits.port.js';
import { DeductionSweeper } from '../../src/credits/deduction-sweeper.js';
import { PurchaseCredits } from '../../src/credits/domain/credits.commands.js';
import { type CreditEvent, CREDITS_STREAM_PREFIX, creditsStream } from '../../src/credits/domain/credits.events.js';
import { creditAccount } from '../../src/credits/domain/credits.js';
import { EffectCharging } from '../../src/credits/effect-charging.js';
import { LookUpCharging } from '../../src/credits/look-up-charging.js';
import { ReversalSweeper } from '../../src/credits/reversal-sweeper.js';
import { Refunds } from '../../src/credits/refunds.js';
import { AuditTrail, type SealedEntry, type SealedFields } from '../../src/kernel/access.js';
import {
  type ChargedCall,
  Charging,
  type DeductionEnd,
  Deductions,
  KeyedResponses,
  type KeyedOpening,
  type KeyedRequest,
} from '../../src/kernel/charging.js';
import { newUuid, type TenantId } from '../../src/kernel/ids.js';
import { AggregateStore } from '../../src/log/append/aggregate-store.js';
import { EventStore } from '../../src/platform/eventstore/event-store.js';
import { Snapshots } from '../../src/log/append/snapshots.js';
import { createLogger, LOGGER } from '../../src/observability/logging.js';
import { CLOCK, CONFIG } from '../../src/platform/tokens.js';
import { aggregatesOf } from './aggregates.js';
import { SimulatedEventStore, type SimulationOptions } from './simulated-event-store.js';

class TestClock {
  private ahead = 0;
  now = (): Date => new Date(Date.now() + this.ahead);
  monotonic = (): number => performance.now() + this.ahead;
  advance(milliseconds: number): void {
    this.ahead += milliseconds;
  }
}

/** Seals what charges and settlements hold. */
class MemoryAudit extends AuditTrail {
  readonly positions = new Map<TenantId, bigint>();
  record(): never {
    throw new Error('a charge is its own entry');
  }
  recordBatch(): never {
    throw new Error('a charge is its own entry');
  }
  seal({ eventId }: SealedEntry): Promise<SealedFields> {
    return Promise.resolve({ access: { v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: eventId } });
  }
  recordedAt(tenantId: TenantId, position: bigint): void {
    this.positions.set(tenantId, position);
  }
}

/** Sorted by key, starting behind `after`. */
const pageOf = <Row, Shown extends Row>(
  rows: readonly Shown[],
  keyOf: (row: Row) => string,
  limit: number,
  after?: Row,
): readonly Shown[] => {
  const begin = after === undefined ? '' : keyOf(after);
  const sorted = rows.map((row) => ({ key: keyOf(row), row })).sort((one, other) => (one.key < other.key ? -1 : 1));
  return sorted
    .filter(({ key }) => key > begin)
    .slice(0, limit)
    .map(({ row }) => row);
};

class MemoryReversals extends PendingReversals {
  readonly noted = new Map<string, PendingReversal & { readonly notedAt: number }>();
  constructor(private readonly clock: TestClock) {
    super();
  }
  note(reversal: PendingReversal): Promise<void> {
    this.noted.set(reversal.chargeId, { ...reversal, notedAt: this.clock.monotonic() });
    return turn();
  }
  async notedBefore(ageMs: number, limit: number, after?: PendingReversal): Promise<readonly PendingReversal[]> {
    await turn();
    const before = this.clock.monotonic() - ageMs;
    const old = [...this.noted.values()].filter(({ notedAt }) => notedAt <= before);
    return pageOf(old, ({ tenantId, chargeId }) => `${tenantId} ${chargeId}`, limit, after);
  }
  count(): Promise<number> {
    return Promise.resolve(this.noted.size);
  }
  remove({ chargeId }: PendingReversal): Promise<void> {
    this.noted.delete(chargeId);
    return turn();
  }
}

/** Rows whose response was replayed to a caller. */
class MemoryAnswers extends KeyedResponses {
  readonly replayed = new Set<string>();
  async withdraw(row: string): Promise<boolean> {
    await turn();
    return !this.replayed.has(row);
  }
}

class NoSnapshots extends Snapshots {
  load(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
  save(): Promise<void> {
    return Promise.resolve();
  }
  discard(): Promise<void> {
    return Promise.resolve();
  }
}

/** The open deductions, as the ledger projection would show them. */
class FoldedHints extends OpenDeductions {
  constructor(private readonly store: SimulatedEventStore) {
    super();
  }
  async find(): Promise<OpenDeductionHint[]> {
    await turn();
    const accounts = [...this.store.streams].filter(([stream]) => stream.startsWith(CREDITS_STREAM_PREFIX));
    return accounts.flatMap(([stream, events]) =>
      [...accountIn(events as unknown as CreditEvent[]).open].map(([deductionId]) => ({
        tenantId: stream.slice(CREDITS_STREAM_PREFIX.length) as TenantId,
        deductionId,
      })),
    );
  }
}

const accountIn = (events: readonly CreditEvent[]) => events.reduce(creditAccount.evolve, creditAccount.initialState());

/** Long budgets and deadlines, so that a busy machine has enough time. A test sets a short one to reach its end. */
export const timing = {
  storeBudget: 20_000,
  operationDeadline: 20_000,
  answerDeadline: 40_000,
  settleWithin: 50,
  foreignDeduction: 45_000,
  sweepEvery: 5_000,
  offerLasts: 900_000,
};

/** For tests that wait for the end of a budget or deadline. */
export const SHORT_BUDGETS = { storeBudget: 400, operationDeadline: 150 };

export interface World {
  readonly store: SimulatedEventStore;
  readonly audit: MemoryAudit;
  readonly reversals: MemoryReversals;
  readonly answers: MemoryAnswers;
  readonly clock: TestClock;
}

export const worldWith = (options: SimulationOptions = {}, clock = new TestClock()): World => ({
  store: new SimulatedEventStore({ delay: () => 1, ...options }),
  audit: new MemoryAudit(),
  reversals: new MemoryReversals(clock),
  answers: new MemoryAnswers(),
  clock,
});

/** Records the calls of charging to a keyed request, in order. */
export class RecordingKey implements KeyedRequest {
  readonly deductionId = newUuid();
  readonly repeated = false;
  readonly rowId = newUuid();
  readonly seen: string[] = [];
  holding: Promise<void> = Promise.resolve();

  constructor(private readonly events?: () => number) {}

  effectId(): string {
    return newUuid();
  }

  keepAnswer(status: number): Promise<void> {
    this.seen.push(`kept ${status}${this.events === undefined ? '' : ` after ${this.events()} events`}`);
    return Promise.resolve();
  }

  part(): Promise<KeyedOpening> {
    throw new Error('charging opens no parts');
  }

  leaveOpen(): void {
    this.seen.push('left open');
  }

  abandon(): Promise<void> {
    this.seen.push('abandoned');
    return Promise.resolve();
  }

  confirm(): void {
    this.seen.push('confirmed');
  }

  hold(ended: Promise<DeductionEnd>): void {
    this.seen.push('held');
    this.holding = ended.then((end) => void this.seen.push(`ended ${end}`));
  }
}

/** Starts the charging parts of one process of the service. */
export const startInstance = async (
  { store, audit, reversals, answers, clock }: World,
  changes: Partial<typeof timing> = {},
) => {
  @Module({
    imports: [CqrsModule.forRoot()],
    providers: [
      ...CREDIT_HANDLERS,
      CreditRepository,
      Refunds,
      DeductionSweeper,
      EffectCharging,
      LookUpCharging,
      ChargeReversals,
      ReversalSweeper,
      { provide: ForgottenReferences, useValue: { find: () => Promise.resolve(new Map()) } },
      { provide: PendingReversals, useValue: reversals },
      { provide: KeyedResponses, useValue: answers },
      { provide: Charging, useClass: LedgerCharging },
      { provide: Deductions, useExisting: CreditRepository },
      { provide: EventStore, useValue: store },
      { provide: AggregateStore, useValue: aggregatesOf(store, clock, new NoSnapshots()) },
      { provide: AuditTrail, useValue: audit },
      { provide: OpenDeductions, useValue: new FoldedHints(store) },
      { provide: CLOCK, useValue: clock },
      { provide: CONFIG, useValue: { timing: { ...timing, ...changes } } },
      { provide: LOGGER, useValue: createLogger('silent') },
    ],
  })
  class InstanceModule {}
  const context = await NestFactory.createApplicationContext(InstanceModule, { logger: false });
  return {
    charging: context.get(Charging),
    ledger: context.get(CreditRepository),
    refunds: context.get(Refunds),
    sweeper: context.get(DeductionSweeper),
    reversalSweeper: context.get(ReversalSweeper),
    close: () => context.close(),
  };
};

export type Instance = Awaited<ReturnType<typeof startInstance>>;

const metadata = { requestId: 'r', actor: { type: 'system', id: 'spec' } } as const;

export const give = (instance: Instance, tenantId: TenantId, credits: number) =>
  instance.ledger.execute(
    new PurchaseCredits(
      tenantId,
      { reference: newUuid(), package: 'small', credits, amountMinor: 1, origin: 'checkout' },
      metadata,
    ),
    60_000,
  );

export const callOf = (
  world: World,
  tenantId: TenantId,
  run: ChargedCall<string>['run'],
  kind: ChargedCall<string>['kind'] = 'effect',
): ChargedCall<string> => ({
  caps: undefined,
  tenantId,
  operation: 'check_eligibility',
  access: {
    requestId: newUuid(),
    ipAddress: '192.0.2.1',
    userAgent: 'spec',
    actorId: 'k',
    startedAt: world.clock.monotonic(),
  },
  kind,
  run,
  conclude: (answer) => ({ action: 'eligibility_check', result: 'found', status: 200, body: { answer } }),
});

export const eventsOf = (world: World, tenantId: TenantId): CreditEvent[] =>
  (world.store.streams.get(creditsStream(tenantId)) ?? []) as unknown as CreditEvent[];

export const kinds = (world: World, tenantId: TenantId): string[] =>
  eventsOf(world, tenantId).map(({ type }) => type.split('.')[0] ?? '');

export const openDeductions = (world: World, tenantId: TenantId): number =>
  [...accountIn(eventsOf(world, tenantId)).open].length;

/**
 * Checks that every deduction of the stream ended exactly once. The balance must be the bought credits less the charged ones.
 */
export const checkBooks = (
  world: World,
  tenantId: TenantId,
  bought: number,
): { readonly charged: number; readonly settled: Set<string> } => {
  const ends = new Map<string, string[]>();
  let charged = 0;
  for (const event of eventsOf(world, tenantId)) {
    if (event.type === 'CreditsDeducted.v1') {
      expect(ends.has(event.data.deductionId)).toBe(false);
      ends.set(event.data.deductionId, []);
      charged += event.data.amount;
    }
    if (event.type === 'OperationCharged.v1') {
      expect(ends.has(event.data.chargeId)).toBe(false);
      ends.set(event.data.chargeId, ['settled']);
      charged += event.data.amount;
    }
    if (event.type === 'ChargeReversed.v1') {
      expect(ends.get(event.data.chargeId)).toEqual(['settled']);
      ends.set(event.data.chargeId, ['refunded']);
      charged -= event.data.amount;
    }
    if (event.type === 'DeductionSettled.v1') ends.get(event.data.deductionId)?.push('settled');
    if (event.type === 'DeductionRefunded.v1') {
      ends.get(event.data.deductionId)?.push('refunded');
      charged -= event.data.amount;
    }
  }
  for (const end of ends.values()) expect(end).toHaveLength(1);
  expect(accountIn(eventsOf(world, tenantId)).balance).toBe(bought - charged);
  return { charged, settled: new Set([...ends].filter(([, [end]]) => end === 'settled').map(([id]) => id)) };
};
