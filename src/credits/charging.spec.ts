import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { type Fate, SimulatedEventStore, type SimulationOptions } from '../../test/support/simulated-event-store.js';
import { type AuditEntry, AuditTrail } from '../kernel/access.js';
import { type ChargedAnswer, type ChargedCall, Charging, Deductions } from '../kernel/charging.js';
import { newTenantId, newUuid, type TenantId } from '../kernel/ids.js';
import { isRejection, refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { Snapshots } from '../platform/eventstore/snapshots.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { LedgerCharging } from './charging.handler.js';
import { CreditLedger } from './credit-ledger.js';
import { CREDIT_HANDLERS } from './credits.handler.js';
import { type OpenDeductionHint, OpenDeductions, RefundDuties } from './credits.port.js';
import { DeductionSweeper } from './deduction-sweeper.js';
import { PurchaseCredits } from './domain/credits.commands.js';
import { type CreditEvent, creditsStream } from './domain/credits.events.js';
import { creditAccount } from './domain/credits.js';
import { Settlement } from './settlement.js';

class TestClock {
  private ahead = 0;
  now = (): Date => new Date(Date.now() + this.ahead);
  monotonic = (): number => performance.now() + this.ahead;
  advance(milliseconds: number): void {
    this.ahead += milliseconds;
  }
}

/** Entries in memory; `fate` as an append's. */
class MemoryAudit extends AuditTrail {
  readonly entries: AuditEntry[] = [];
  constructor(private readonly fate: () => Fate) {
    super();
  }
  async record(entry: AuditEntry): Promise<void> {
    const fate = this.fate();
    await turn();
    if (fate !== 'request_lost') this.entries.push(entry);
    if (fate !== 'acknowledged') throw new Unavailable('event_store');
  }
  async completedDeductions(tenantId: TenantId, ids: ReadonlySet<string>): Promise<Set<string>> {
    await turn();
    const completed = this.entries
      .filter((entry) => entry.tenantId === tenantId)
      .map(({ deductionId }) => deductionId ?? '');
    return new Set(completed.filter((id) => ids.has(id)));
  }
}

class MemoryDuties extends RefundDuties {
  readonly duties = new Set<string>();
  async note(_tenantId: TenantId, deductionId: string): Promise<void> {
    this.duties.add(deductionId);
    return turn();
  }
  async noted(_tenantId: TenantId, deductionIds: readonly string[]): Promise<Set<string>> {
    await turn();
    return new Set(deductionIds.filter((id) => this.duties.has(id)));
  }
  async discharge(_tenantId: TenantId, deductionIds: readonly string[]): Promise<void> {
    for (const id of deductionIds) this.duties.delete(id);
    return turn();
  }
}

class NoSnapshots extends Snapshots {
  load(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
  save(): Promise<void> {
    return Promise.resolve();
  }
}

/** What the balances projection would show. */
class FoldedHints extends OpenDeductions {
  constructor(private readonly store: SimulatedEventStore) {
    super();
  }
  async find(): Promise<OpenDeductionHint[]> {
    await turn();
    return [...this.store.streams].flatMap(([stream, events]) =>
      [...accountIn(events as unknown as CreditEvent[]).open].map(([deductionId]) => ({
        tenantId: stream.slice('credits-'.length) as TenantId,
        deductionId,
        deductedAt: new Date(),
      })),
    );
  }
}

const accountIn = (events: readonly CreditEvent[]) => events.reduce(creditAccount.evolve, creditAccount.initialState());

const timing = {
  storeBudget: 400,
  operationDeadline: 150,
  answerDeadline: 40_000,
  settleWithin: 50,
  foreignDeduction: 45_000,
  sweepEvery: 5_000,
};

interface World {
  readonly store: SimulatedEventStore;
  readonly audit: MemoryAudit;
  readonly duties: MemoryDuties;
  readonly clock: TestClock;
}

const worldWith = (options: SimulationOptions = {}, auditFate: () => Fate = () => 'acknowledged'): World => ({
  store: new SimulatedEventStore({ delay: () => 1, ...options }),
  audit: new MemoryAudit(auditFate),
  duties: new MemoryDuties(),
  clock: new TestClock(),
});

/** One process of the service, as far as charging goes. */
const startInstance = async ({ store, audit, duties, clock }: World) => {
  @Module({
    imports: [CqrsModule.forRoot()],
    providers: [
      ...CREDIT_HANDLERS,
      CreditLedger,
      Settlement,
      DeductionSweeper,
      { provide: Charging, useClass: LedgerCharging },
      { provide: Deductions, useExisting: CreditLedger },
      { provide: EventStore, useValue: store },
      { provide: Snapshots, useClass: NoSnapshots },
      { provide: AuditTrail, useValue: audit },
      { provide: RefundDuties, useValue: duties },
      { provide: OpenDeductions, useValue: new FoldedHints(store) },
      { provide: CLOCK, useValue: clock },
      { provide: CONFIG, useValue: { timing } },
    ],
  })
  class InstanceModule {}
  const context = await NestFactory.createApplicationContext(InstanceModule, { logger: false });
  return {
    charging: context.get(Charging),
    ledger: context.get(CreditLedger),
    settlement: context.get(Settlement),
    sweeper: context.get(DeductionSweeper),
    close: () => context.close(),
  };
};

type Instance = Awaited<ReturnType<typeof startInstance>>;

const cause = { requestId: 'r', actor: { type: 'system', id: 'spec' } } as const;

const give = (instance: Instance, tenantId: TenantId, credits: number) =>
  instance.ledger.execute(
    new PurchaseCredits(tenantId, { reference: newUuid(), package: 'small', credits, amountMinor: 1 }, cause),
    60_000,
  );

const callOf = (
  world: World,
  tenantId: TenantId,
  run: ChargedCall<string>['run'],
  timingOf: 'beside' | 'after' = 'beside',
): ChargedCall<string> => ({
  tenantId,
  operation: 'check_eligibility',
  access: {
    requestId: newUuid(),
    ipAddress: '192.0.2.1',
    userAgent: 'spec',
    actorId: 'k',
    startedAt: world.clock.monotonic(),
  },
  timing: timingOf,
  run,
  conclude: (answer) => ({ action: 'eligibility_check', result: 'found', status: 200, body: { answer } }),
});

const eventsOf = (world: World, tenantId: TenantId): CreditEvent[] =>
  (world.store.streams.get(creditsStream(tenantId)) ?? []) as unknown as CreditEvent[];

const kinds = (world: World, tenantId: TenantId): string[] =>
  eventsOf(world, tenantId).map(({ type }) => type.split('.')[0] ?? '');

/** Every deduction of the stream ended exactly once, and the balance is what was bought less what was charged. */
const checkBooks = (
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
    if (event.type === 'DeductionsSettled.v1') for (const id of event.data.deductionIds) ends.get(id)?.push('settled');
    if (event.type === 'DeductionRefunded.v1') {
      ends.get(event.data.deductionId)?.push('refunded');
      charged -= event.data.amount;
    }
  }
  for (const end of ends.values()) expect(end).toHaveLength(1);
  expect(accountIn(eventsOf(world, tenantId)).balance).toBe(bought - charged);
  return { charged, settled: new Set([...ends].filter(([, [end]]) => end === 'settled').map(([id]) => id)) };
};

describe('a charged request', () => {
  const tenant = newTenantId();
  let world: World;
  let instance: Instance;
  const begin = async (options?: SimulationOptions, auditFate?: () => Fate): Promise<void> => {
    world = worldWith(options, auditFate);
    instance = await startInstance(world);
    await give(instance, tenant, 5);
  };
  afterEach(() => instance.close());

  it('deducts, answers with what was charged and what is left, records, and settles', async () => {
    await begin();
    const answer = await instance.charging.charge(callOf(world, tenant, () => Promise.resolve('yes')));
    expect(answer).toEqual({
      status: 200,
      body: '{"answer":"yes"}',
      receipt: { charged: 1, balance: 4, revision: 1n },
    });
    expect(world.audit.entries).toHaveLength(1);
    await instance.settlement.settleAll();
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionsSettled']);
  });

  it('discloses nothing and keeps nothing where the balance does not suffice', async () => {
    await begin();
    for (let n = 0; n < 5; n += 1) await instance.charging.charge(callOf(world, tenant, () => Promise.resolve('yes')));
    const refused = instance.charging.charge(callOf(world, tenant, () => Promise.resolve('yes')));
    await expect(refused).rejects.toMatchObject({ code: 'credits_depleted' });
    expect(world.audit.entries).toHaveLength(5);
  });

  it('does not begin an operation with effects before its deduction is durable', async () => {
    await begin();
    let deductedBefore = false;
    const run = (): Promise<string> => {
      deductedBefore = kinds(world, tenant).includes('CreditsDeducted');
      return Promise.resolve('done');
    };
    await instance.charging.charge(callOf(world, tenant, run, 'after'));
    expect(deductedBefore).toBe(true);
  });

  it('refunds in full before it says that the operation failed', async () => {
    await begin();
    const failing = instance.charging.charge(callOf(world, tenant, () => Promise.reject(new Error('boom'))));
    await expect(failing).rejects.toThrow('boom');
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
    expect(world.audit.entries).toHaveLength(0);
  });

  it('refunds what takes longer than its deadline, and aborts it', async () => {
    await begin();
    let aborted = false;
    const run = (signal: AbortSignal): Promise<string> =>
      new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
    await expect(instance.charging.charge(callOf(world, tenant, run))).rejects.toMatchObject({ code: 'timeout' });
    expect(aborted).toBe(true);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
  });

  it('keeps the charge of an operation that refused', async () => {
    await begin();
    const refusing = instance.charging.charge(callOf(world, tenant, () => Promise.reject(refuse('not_found'))));
    await expect(refusing).rejects.toMatchObject({ code: 'not_found' });
    await instance.settlement.settleAll();
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionsSettled']);
  });

  it('sends no success whose audit entry is not known to be durable, and refunds it', async () => {
    await begin({}, () => 'acknowledgement_lost');
    const call = callOf(world, tenant, () => Promise.resolve('yes'));
    await expect(instance.charging.charge(call)).rejects.toBeInstanceOf(Unavailable);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
  });

  it('sends a late success only where another process has settled it', async () => {
    await begin();
    const late = (): Promise<string> => {
      world.clock.advance(timing.answerDeadline + 1);
      return Promise.resolve('late');
    };
    await expect(instance.charging.charge(callOf(world, tenant, late))).rejects.toMatchObject({ code: 'timeout' });
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
  });

  it('lets a late success out where another process has settled it by its audit entry', async () => {
    await begin();
    const other = await startInstance(world);
    const record = world.audit.record.bind(world.audit);
    world.audit.record = async (entry) => {
      await record(entry);
      await other.sweeper.sweep();
      world.clock.advance(timing.foreignDeduction + 1);
      await other.sweeper.sweep();
    };
    const answer = await instance.charging.charge(callOf(world, tenant, () => Promise.resolve('late')));
    expect(answer.status).toBe(200);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionsSettled']);
    await other.close();
  });

  it('says 503 first where the store is away, notes the duty, and refunds when it is back', async () => {
    let away = false;
    await begin({ fate: () => (away ? 'request_lost' : 'acknowledged') });
    const failing = instance.charging.charge(
      callOf(world, tenant, () => ((away = true), Promise.reject(new Unavailable('postgres'))), 'after'),
    );
    await expect(failing).rejects.toBeInstanceOf(Unavailable);
    await pause(50);
    expect(world.duties.duties.size).toBe(1);
    away = false;
    for (let n = 0; n < 100 && world.duties.duties.size > 0; n += 1) await pause(20);
    expect(world.duties.duties.size).toBe(0);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
  });
});

describe('the sweeper', () => {
  const tenant = newTenantId();

  /** A process that died after `entries` of its `charges` had been recorded. */
  const aftermath = async (world: World, charges: number, entries: number): Promise<void> => {
    const dead = await startInstance(world);
    await give(dead, tenant, 10);
    dead.settlement.settleSoon = () => undefined;
    for (let n = 0; n < charges; n += 1)
      await dead.charging.charge(callOf(world, tenant, () => Promise.resolve('yes')));
    world.audit.entries.splice(entries);
    await dead.close();
  };

  it('closes nothing that it has not itself seen open for long enough', async () => {
    const world = worldWith();
    await aftermath(world, 1, 0);
    const instance = await startInstance(world);
    await instance.sweeper.sweep();
    world.clock.advance(timing.foreignDeduction - 1_000);
    await instance.sweeper.sweep();
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted']);
    await instance.close();
  });

  it('settles what the audit stream shows as completed and refunds the rest, once, with two sweepers at it', async () => {
    const world = worldWith();
    await aftermath(world, 5, 2);
    const instances = await Promise.all([startInstance(world), startInstance(world)]);
    await Promise.all(instances.map(({ sweeper }) => sweeper.sweep()));
    world.clock.advance(timing.foreignDeduction + 1_000);
    await Promise.all(instances.map(({ sweeper }) => sweeper.sweep()));
    const { charged, settled } = checkBooks(world, tenant, 10);
    expect(charged).toBe(2);
    expect(settled).toEqual(new Set(world.audit.entries.map(({ deductionId }) => deductionId)));
    await Promise.all(instances.map(({ close }) => close()));
  });

  it('honours a noted duty to refund even where an audit entry landed', async () => {
    const world = worldWith();
    await aftermath(world, 1, 1);
    await world.duties.note(tenant, world.audit.entries[0]?.deductionId ?? '');
    const instance = await startInstance(world);
    await instance.sweeper.sweep();
    world.clock.advance(timing.foreignDeduction + 1_000);
    await instance.sweeper.sweep();
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
    expect(world.duties.duties.size).toBe(0);
    await instance.close();
  });

  it('leaves alone what this process is still working on', async () => {
    const world = worldWith();
    const instance = await startInstance(world);
    await give(instance, tenant, 5);
    let finish: (answer: string) => void = () => undefined;
    const running = instance.charging.charge(callOf(world, tenant, () => new Promise((resolve) => (finish = resolve))));
    await pause(20);
    await instance.sweeper.sweep();
    world.clock.advance(timing.answerDeadline - 1_000);
    await instance.sweeper.sweep();
    finish('yes');
    await expect(running).resolves.toMatchObject({ status: 200 });
    await instance.close();
  });
});

describe('charging under faults', () => {
  const someFate = fc.constantFrom<Fate>(
    'acknowledged',
    'acknowledged',
    'acknowledged',
    'acknowledgement_lost',
    'request_lost',
  );
  const someOperation = fc.constantFrom('answers', 'answers', 'answers', 'fails', 'refuses', 'hangs');

  const operation = (kind: string): ChargedCall<string>['run'] => {
    if (kind === 'answers') return () => Promise.resolve('yes');
    if (kind === 'fails') return () => Promise.reject(new Error('boom'));
    if (kind === 'refuses') return () => Promise.reject(refuse('not_found'));
    return () => new Promise<string>(() => undefined);
  };

  it(
    'charges what it answered and nothing else, to the credit, over two instances',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ kind: someOperation, instance: fc.nat({ max: 1 }) }), { minLength: 1, maxLength: 25 }),
          fc.array(someFate, { maxLength: 15 }),
          fc.array(someFate, { maxLength: 5 }),
          fc.integer({ min: 1, max: 30 }),
          async (requests, fates, auditFates, credits) => {
            const tenant = newTenantId();
            const world = worldWith(
              { fate: () => fates.shift() ?? 'acknowledged' },
              () => auditFates.shift() ?? 'acknowledged',
            );
            const instances = await Promise.all([startInstance(world), startInstance(world)]);
            await give(instances[0], tenant, credits);
            const answers = await Promise.allSettled(
              requests.map(({ kind, instance }) =>
                (instances[instance] as Instance).charging.charge(callOf(world, tenant, operation(kind))),
              ),
            );
            for (const { settlement } of instances) await settlement.settleAll();
            await pause(30);
            for (const { settlement } of instances) await settlement.settleAll();
            const { charged } = checkBooks(world, tenant, credits);
            const answered = answers.filter(
              (a): a is PromiseFulfilledResult<ChargedAnswer> => a.status === 'fulfilled',
            );
            const refusedButCharged = answers.filter(
              (a) => a.status === 'rejected' && isRejection(a.reason, 'not_found'),
            );
            expect(charged).toBe(answered.length + refusedButCharged.length);
            for (const { close } of instances) await close();
          },
        ),
        { numRuns: 40 },
      ),
    60_000,
  );
});
