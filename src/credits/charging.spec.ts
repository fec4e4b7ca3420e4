import fc from 'fast-check';
import { metadata } from '../../test/support/credit-account.js';
import {
  callOf,
  checkBooks,
  eventsOf,
  give,
  SHORT_BUDGETS,
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
import { type StoredEvent } from '../kernel/events.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { DeductCredits } from './domain/credits.commands.js';
import { settlementIdOf } from './domain/credits.events.js';

describe('a charged request', () => {
  const tenant = newTenantId();
  let world: World;
  let instance: Instance;
  const begin = async (options?: SimulationOptions, changes?: Partial<typeof timing>): Promise<void> => {
    world = worldWith(options);
    instance = await startInstance(world, changes);
    await give(instance, tenant, 5);
  };
  afterEach(() => instance.close());

  it('deducts, settles and records in one event, and answers with what was charged and what is left', async () => {
    await begin();
    const call = callOf(world, tenant, () => Promise.resolve('yes'));
    expect(await instance.charging.charge(call)).toEqual({
      status: 200,
      body: '{"answer":"yes"}',
      receipt: { charged: 1, balance: 4, revision: 1n },
    });
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionSettled']);
    const [, deducted, settled] = eventsOf(world, tenant) as unknown as readonly StoredEvent[];
    expect(settled).toMatchObject({
      data: {
        ...(deducted?.data as object),
        deductedAt: deducted?.metadata.time,
        action: 'eligibility_check',
        result: 'found',
        access: { ct: settled?.id },
      },
    });
    expect(world.audit.positions.get(tenant)).toBe(settled?.position);
  });

  it('tells the operation its id, which is that of its deduction', async () => {
    await begin();
    const ids: string[] = [];
    const run: ChargedCall<string>['run'] = (_deadline, id) => Promise.resolve(String(ids.push(id)));
    await instance.charging.charge(callOf(world, tenant, run));
    expect(eventsOf(world, tenant)[1]?.data).toMatchObject({ deductionId: ids[0] });
  });

  it('discloses nothing and keeps nothing where the balance does not suffice', async () => {
    await begin();
    let runs = 0;
    const call = (): ChargedCall<string> => callOf(world, tenant, () => Promise.resolve(String((runs += 1))));
    for (let n = 0; n < 5; n += 1) await instance.charging.charge(call());
    await expect(instance.charging.charge(call())).rejects.toMatchObject({ code: 'credits_depleted' });
    expect(runs).toBe(5);
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

  it('refunds where its answer cannot be kept, or what it discloses cannot be sealed', async () => {
    await begin();
    const call = callOf(world, tenant, () => Promise.resolve('yes'));
    const keyed = new RecordingKey();
    keyed.keepAnswer = () => Promise.reject(new Unavailable('postgres'));
    await expect(instance.charging.charge({ ...call, keyed })).rejects.toMatchObject({ part: 'postgres' });
    world.audit.seal = () => Promise.reject(new Unavailable('postgres'));
    await expect(instance.charging.charge(call)).rejects.toMatchObject({ part: 'postgres' });
    expect(kinds(world, tenant).filter((kind) => kind === 'DeductionRefunded')).toHaveLength(2);
  });

  it('refunds what takes longer than its deadline, and aborts it', async () => {
    await begin({}, { operationDeadline: 150 });
    let aborted = false;
    const run = ({ signal }: Deadline): Promise<string> =>
      new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
    await expect(instance.charging.charge(callOf(world, tenant, run))).rejects.toMatchObject({ code: 'timeout' });
    expect(aborted).toBe(true);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
  });

  it('charges, keeps and records a refusal by the operation as it does any other answer', async () => {
    await begin();
    const keyed = new RecordingKey();
    const refused = callOf(world, tenant, () => Promise.reject(refuse('not_found')));
    const call = { ...refused, keyed, identityHash: 'hash-of-somebody' };
    const answer = await instance.charging.charge(call);
    expect(answer).toMatchObject({ status: 404, receipt: { charged: 1, balance: 4, revision: 1n } });
    expect(JSON.parse(answer.body)).toMatchObject({ error_code: 'NOT_FOUND', request_id: call.access.requestId });
    expect(keyed.seen).toEqual(['kept 404', 'confirmed']);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionSettled']);
    expect(eventsOf(world, tenant)[2]?.data).toMatchObject({ deductionId: keyed.deductionId, result: 'not_found' });
  });

  /** The store is away from the moment at which the operation has run. */
  const settling = async (fate: Fate, operation: () => Promise<string>) => {
    let away = false;
    await begin({ fate: () => (away ? fate : 'acknowledged') }, SHORT_BUDGETS);
    const keyed = new RecordingKey();
    const call = callOf(world, tenant, () => ((away = true), operation()));
    const failing = instance.charging.charge({ ...call, keyed });
    await expect(failing).rejects.toBeInstanceOf(Unavailable);
    expect(keyed.seen.slice(1)).toEqual(['held']);
    away = false;
    await keyed.holding;
    expect(keyed.seen.at(-1)).toBe('ended refunded');
    return kinds(world, tenant).slice(2);
  };
  const answers = () => Promise.resolve('yes');
  const refuses = () => Promise.reject(refuse('not_found'));

  it.each<Fate>(['acknowledgement_lost', 'request_lost'])(
    'sends no answer whose settlement is not known to be durable, and reverses it once it is (%s)',
    async (fate) => {
      expect(await settling(fate, answers)).toEqual(['DeductionSettled', 'ChargeReversed']);
      checkBooks(world, tenant, 5);
    },
  );

  it('refunds the deduction whose settlement never lands', async () => {
    await begin({}, SHORT_BUDGETS);
    const keyed = new RecordingKey();
    const append = world.store.append.bind(world.store);
    world.store.append = (...args) =>
      args[1][0]?.id === settlementIdOf(keyed.deductionId)
        ? Promise.reject(new Unavailable('event_store'))
        : append(...args);
    const failing = instance.charging.charge({ ...callOf(world, tenant, answers), keyed });
    await expect(failing).rejects.toBeInstanceOf(Unavailable);
    const other = await startInstance(world);
    await other.charging.charge(callOf(world, tenant, answers, 'look_up'));
    world.store.append = append;
    await keyed.holding;
    expect(keyed.seen.at(-1)).toBe('ended refunded');
    expect(kinds(world, tenant).slice(2)).toEqual(['OperationCharged', 'DeductionRefunded']);
    await other.close();
  });

  it('the same of a refusal', async () => {
    expect(await settling('acknowledgement_lost', refuses)).toEqual(['DeductionSettled', 'ChargeReversed']);
  });

  it('reverses nothing whose answer a repeat of the request has got', async () => {
    let away = false;
    await begin({ fate: () => (away ? 'acknowledgement_lost' : 'acknowledged') }, SHORT_BUDGETS);
    const keyed = new RecordingKey();
    world.answers.replayed.add(keyed.rowId);
    const call = { ...callOf(world, tenant, () => ((away = true), Promise.resolve('yes'))), keyed };
    await expect(instance.charging.charge(call)).rejects.toBeInstanceOf(Unavailable);
    away = false;
    await keyed.holding;
    expect(kinds(world, tenant).at(-1)).toBe('DeductionSettled');
  });

  it('lets no success out that another process has refunded already', async () => {
    await begin();
    const other = await startInstance(world);
    const run: ChargedCall<string>['run'] = async (_deadline, id) => {
      await other.refunds.refund(tenant, id, 'abandoned');
      return 'late';
    };
    await expect(instance.charging.charge(callOf(world, tenant, run))).rejects.toMatchObject({ code: 'timeout' });
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
    await other.close();
  });

  it('waits little for the refund where the store has just missed its budget, so that 503 is said in time', async () => {
    let away = false;
    await begin({ fate: () => (away ? 'request_lost' : 'acknowledged') }, { ...SHORT_BUDGETS, storeBudget: 2_000 });
    const ended: string[] = [];
    const fail = async (part: 'event_store' | 'postgres'): Promise<void> => {
      const run = async (): Promise<never> => {
        await eventually('both deductions', () => openDeductions(world, tenant) === 2);
        away = true;
        throw new Unavailable(part);
      };
      await expect(instance.charging.charge(callOf(world, tenant, run))).rejects.toMatchObject({ part });
      ended.push(part);
    };
    await Promise.all([fail('postgres'), fail('event_store')]);
    expect(ended).toEqual(['event_store', 'postgres']);
    away = false;
  });
});

describe('the sweeper', () => {
  const tenant = newTenantId();

  /** A process that died before the operations of its charges came to an end. */
  const aftermath = async (world: World, charges: number, of = tenant): Promise<void> => {
    const dead = await startInstance(world);
    await give(dead, of, 10);
    for (let n = 0; n < charges; n += 1) {
      const deduction = { deductionId: newUuid(), operation: 'check_eligibility', amount: 1, requestId: 'r' } as const;
      await dead.ledger.execute(new DeductCredits(of, deduction, metadata), 60_000);
    }
    await dead.close();
  };

  it('closes nothing that it has not itself seen open for long enough', async () => {
    const world = worldWith();
    await aftermath(world, 1);
    const instance = await startInstance(world);
    await instance.sweeper.sweep();
    world.clock.advance(timing.foreignDeduction - 1_000);
    await instance.sweeper.sweep();
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted']);
    await instance.close();
  });

  it('refunds what a dead process left open, once, with two sweepers at it', async () => {
    const world = worldWith();
    await aftermath(world, 5);
    const instances = await Promise.all([startInstance(world), startInstance(world)]);
    await Promise.all(instances.map(({ sweeper }) => sweeper.sweep()));
    world.clock.advance(timing.foreignDeduction + 1_000);
    await Promise.all(instances.map(({ sweeper }) => sweeper.sweep()));
    expect(checkBooks(world, tenant, 10).charged).toBe(0);
    await Promise.all(instances.map(({ close }) => close()));
  });

  it('closes the deductions of other accounts where one account cannot be closed, and reports that one', async () => {
    const world = worldWith();
    const stuck = newTenantId();
    await aftermath(world, 1, stuck);
    await aftermath(world, 2);
    const instance = await startInstance(world);
    await instance.sweeper.sweep();
    world.clock.advance(timing.foreignDeduction + 1_000);
    const execute = instance.ledger.execute.bind(instance.ledger);
    instance.ledger.execute = (command, ...how) =>
      command.tenantId === stuck ? Promise.reject(new Unavailable('event_store')) : execute(command, ...how);
    await expect(instance.sweeper.sweep()).rejects.toBeInstanceOf(Unavailable);
    checkBooks(world, tenant, 10);
    expect(kinds(world, stuck)).toEqual(['CreditsPurchased', 'CreditsDeducted']);
    await instance.close();
  });

  it('leaves alone what this process is still working on, however long', async () => {
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
    expect((await running).status).toBe(200);
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
          fc.integer({ min: 1, max: 30 }),
          async (requests, fates, credits) => {
            const tenant = newTenantId();
            const world = worldWith({ fate: () => fates.shift() ?? 'acknowledged' });
            const instances = await Promise.all([
              startInstance(world, SHORT_BUDGETS),
              startInstance(world, SHORT_BUDGETS),
            ]);
            await give(instances[0], tenant, credits);
            const answers = await Promise.allSettled(
              requests.map(({ kind, of, instance }) =>
                (instances[instance] as Instance).charging.charge(callOf(world, tenant, operation(kind), of)),
              ),
            );
            await eventually('the end of every deduction', () => openDeductions(world, tenant) === 0);
            await eventually('the end of every reversal', () => world.reversals.noted.size === 0);
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
