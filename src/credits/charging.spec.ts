import fc from 'fast-check';
import {
  callOf,
  checkBooks,
  give,
  IMPATIENT,
  type Instance,
  kinds,
  openDeductions,
  RecordingKey,
  startInstance,
  timing,
  type World,
  worldWith,
} from '../../test/support/charging-world.js';
import { eventually } from '../../test/support/processes.js';
import { type Fate, type SimulationOptions } from '../../test/support/simulated-event-store.js';
import { type ChargedResponse, type ChargedCall, type Deadline } from '../kernel/charging.js';
import { newTenantId, newUuid, type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { DeductCredits } from './domain/credits.commands.js';

describe('a charged request', () => {
  const tenant = newTenantId();
  let world: World;
  let instance: Instance;
  const begin = async (
    options?: SimulationOptions,
    auditFate?: () => Fate,
    changes?: Partial<typeof timing>,
  ): Promise<void> => {
    world = worldWith(options, auditFate);
    instance = await startInstance(world, changes);
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
    await instance.charging.charge(callOf(world, tenant, run));
    expect(deductedBefore).toBe(true);
  });

  it('refunds in full before it says that the operation failed', async () => {
    await begin();
    const failing = instance.charging.charge(callOf(world, tenant, () => Promise.reject(new Error('boom'))));
    await expect(failing).rejects.toThrow('boom');
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
    expect(world.audit.entries).toHaveLength(0);
  });

  it('refunds where the operation throws at once, or its conclusion does', async () => {
    await begin();
    const throws = (): never => {
      throw new Error('bug');
    };
    const call = callOf(world, tenant, () => Promise.resolve('yes'));
    for (const broken of [
      { ...call, run: throws },
      { ...call, conclude: throws },
    ])
      await expect(instance.charging.charge(broken)).rejects.toThrow('bug');
    expect(kinds(world, tenant).filter((kind) => kind === 'DeductionRefunded')).toHaveLength(2);
    checkBooks(world, tenant, 5);
  });

  it('refunds what takes longer than its deadline, and aborts it', async () => {
    await begin({}, undefined, { operationDeadline: 150 });
    let aborted = false;
    const run = ({ signal }: Deadline): Promise<string> =>
      new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
    await expect(instance.charging.charge(callOf(world, tenant, run))).rejects.toMatchObject({ code: 'timeout' });
    expect(aborted).toBe(true);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
  });

  it('charges, keeps and records a refusal by the operation as it does any other answer', async () => {
    await begin();
    const keyed = new RecordingKey(() => world.audit.entries.length);
    const refused = callOf(world, tenant, () => Promise.reject(refuse('not_found')));
    const call = { ...refused, keyed, identityHash: 'hash-of-somebody' };
    const answer = await instance.charging.charge(call);
    expect(answer).toMatchObject({ status: 404, receipt: { charged: 1, balance: 4, revision: 1n } });
    expect(JSON.parse(answer.body)).toMatchObject({ error_code: 'NOT_FOUND', request_id: call.access.requestId });
    expect(world.audit.entries).toMatchObject([
      {
        action: 'eligibility_check',
        result: 'not_found',
        identityHash: 'hash-of-somebody',
        deductionId: keyed.deductionId,
      },
    ]);
    expect(keyed.seen).toEqual(['kept 404 before 0 entries', 'confirmed']);
    await instance.settlement.settleAll();
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionsSettled']);
  });

  it('refunds a refusal whose audit entry is not known to be durable', async () => {
    await begin({}, () => 'acknowledgement_lost');
    const refusing = instance.charging.charge(callOf(world, tenant, () => Promise.reject(refuse('not_found'))));
    await expect(refusing).rejects.toBeInstanceOf(Unavailable);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
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
    await begin({ fate: () => (away ? 'request_lost' : 'acknowledged') }, undefined, IMPATIENT);
    const failing = instance.charging.charge(
      callOf(world, tenant, () => ((away = true), Promise.reject(new Unavailable('postgres')))),
    );
    await expect(failing).rejects.toBeInstanceOf(Unavailable);
    await eventually('the duty', () => world.pendingRefunds.refunds.size === 1);
    away = false;
    await eventually('the refund', () => world.pendingRefunds.refunds.size === 0);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
  });

  it('waits little for the refund where the store has just missed its budget, so that 503 is said in time', async () => {
    await begin({}, () => 'request_lost', IMPATIENT);
    const patiences: (number | undefined)[] = [];
    const refund = instance.settlement.refund.bind(instance.settlement);
    instance.settlement.refund = (...args) => (patiences.push(args[4]), refund(...args));
    const answered = instance.charging.charge(callOf(world, tenant, () => Promise.resolve('yes')));
    await expect(answered).rejects.toMatchObject({ part: 'event_store' });
    const failed = instance.charging.charge(callOf(world, tenant, () => Promise.reject(new Unavailable('postgres'))));
    await expect(failed).rejects.toMatchObject({ part: 'postgres' });
    expect(patiences).toEqual([IMPATIENT.storeBudget / 5, IMPATIENT.storeBudget]);
  });
});

describe('the sweeper', () => {
  const tenant = newTenantId();

  /** A process that died after `entries` of its `charges` had been recorded. */
  const aftermath = async (world: World, charges: number, entries: number, of = tenant): Promise<void> => {
    const dead = await startInstance(world);
    await give(dead, of, 10);
    dead.settlement.settleSoon = () => undefined;
    for (let n = 0; n < charges; n += 1) await dead.charging.charge(callOf(world, of, () => Promise.resolve('yes')));
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
    await world.pendingRefunds.note({ tenantId: tenant, deductionId: world.audit.entries[0]?.deductionId ?? '' });
    const instance = await startInstance(world);
    await instance.sweeper.sweep();
    world.clock.advance(timing.foreignDeduction + 1_000);
    await instance.sweeper.sweep();
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
    expect(world.pendingRefunds.refunds.size).toBe(0);
    await instance.close();
  });

  it('forgets what a dead process noted once it is old, unless its deduction is open still', async () => {
    const world = worldWith();
    const instance = await startInstance(world);
    await give(instance, tenant, 5);
    const open = newUuid();
    const metadata = { requestId: 'r', actor: { type: 'system', id: 'spec' } } as const;
    const deduction = { deductionId: open, operation: 'check_eligibility', amount: 1, requestId: 'r' } as const;
    await instance.ledger.execute(new DeductCredits(tenant, deduction, metadata), 60_000);
    instance.settlement.add(open);
    for (const deductionId of [open, 'never landed'])
      await world.pendingRefunds.note({ tenantId: tenant, deductionId });
    await instance.sweeper.sweep();
    expect(world.pendingRefunds.refunds.size).toBe(2);
    world.clock.advance(2 * 3_600_000);
    await instance.sweeper.sweep();
    expect([...world.pendingRefunds.refunds.keys()]).toEqual([open]);
    await instance.close();
  });

  it('forgets what was noted for other accounts where one account cannot be read, and reports that one', async () => {
    const world = worldWith();
    const unreadable = 't00000000000000000000000000' as TenantId;
    for (const tenantId of [unreadable, tenant])
      await world.pendingRefunds.note({ tenantId, deductionId: `of ${tenantId}` });
    const readPages = world.store.readPages.bind(world.store);
    world.store.readPages = (stream, options) => {
      if (stream.endsWith(unreadable)) throw new Unavailable('event_store');
      return readPages(stream, options);
    };
    const instance = await startInstance(world, { storeBudget: 500 });
    world.clock.advance(2 * 3_600_000);
    await expect(instance.sweeper.sweep()).rejects.toBeInstanceOf(Unavailable);
    expect([...world.pendingRefunds.refunds.keys()]).toEqual([`of ${unreadable}`]);
    await instance.close();
  });

  it('closes the deductions of other accounts where one account cannot be closed, and reports that one', async () => {
    const world = worldWith();
    const stuck = newTenantId();
    await aftermath(world, 1, 1, stuck);
    await aftermath(world, 2, 1);
    const instance = await startInstance(world);
    await instance.sweeper.sweep();
    world.clock.advance(timing.foreignDeduction + 1_000);
    const completed = world.audit.completedDeductions.bind(world.audit);
    world.audit.completedDeductions = (of, ids) =>
      of === stuck ? Promise.reject(new Unavailable('event_store')) : completed(of, ids);
    await expect(instance.sweeper.sweep()).rejects.toBeInstanceOf(Unavailable);
    checkBooks(world, tenant, 10);
    expect(kinds(world, stuck)).toEqual(['CreditsPurchased', 'CreditsDeducted']);
    await instance.close();
  });

  it('leaves alone what this process is still working on, however long, and the late success is refunded by its owner', async () => {
    const world = worldWith();
    const instance = await startInstance(world);
    await give(instance, tenant, 5);
    let finish: (answer: string) => void = () => undefined;
    const running = instance.charging.charge(callOf(world, tenant, () => new Promise((resolve) => (finish = resolve))));
    await eventually('the deduction', () => kinds(world, tenant).includes('CreditsDeducted'));
    await instance.sweeper.sweep();
    world.clock.advance(timing.foreignDeduction + 1_000);
    await instance.sweeper.sweep();
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted']);
    finish('yes');
    await expect(running).rejects.toMatchObject({ code: 'timeout' });
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
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
          fc.array(
            fc.record({
              kind: someOperation,
              of: fc.constantFrom<ChargedCall<string>['kind']>('look_up', 'effect'),
              instance: fc.nat({ max: 1 }),
            }),
            { minLength: 1, maxLength: 25 },
          ),
          fc.array(someFate, { maxLength: 15 }),
          fc.array(someFate, { maxLength: 5 }),
          fc.integer({ min: 1, max: 30 }),
          async (requests, fates, auditFates, credits) => {
            const tenant = newTenantId();
            const world = worldWith(
              { fate: () => fates.shift() ?? 'acknowledged' },
              () => auditFates.shift() ?? 'acknowledged',
            );
            const instances = await Promise.all([startInstance(world, IMPATIENT), startInstance(world, IMPATIENT)]);
            await give(instances[0], tenant, credits);
            const answers = await Promise.allSettled(
              requests.map(({ kind, of, instance }) =>
                (instances[instance] as Instance).charging.charge(callOf(world, tenant, operation(kind), of)),
              ),
            );
            await eventually('the end of every deduction', async () => {
              for (const { settlement } of instances) await settlement.settleAll();
              return openDeductions(world, tenant) === 0;
            });
            const { charged } = checkBooks(world, tenant, credits);
            const answered = answers.filter(
              (a): a is PromiseFulfilledResult<ChargedResponse> => a.status === 'fulfilled',
            );
            expect(charged).toBe(answered.length);
            for (const { close } of instances) await close();
          },
        ),
        { numRuns: 40 },
      ),
    60_000,
  );
});
