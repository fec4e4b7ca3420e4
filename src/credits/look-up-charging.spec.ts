import { setTimeout as pause } from 'node:timers/promises';
import {
  callOf,
  checkBooks,
  eventsOf,
  give,
  SHORT_BUDGETS,
  type Instance,
  kinds,
  RecordingKey,
  startInstance,
  timing,
  type World,
  worldWith,
} from '../../test/support/charging-world.js';
import { type Fate, type SimulationOptions } from '../../test/support/simulated-event-store.js';
import { type ChargedCall, type Deadline } from '../kernel/charging.js';
import { newTenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';

const tenant = newTenantId();
let world: World;
let instance: Instance;

const begin = async (options?: SimulationOptions, credits = 5, changes: Partial<typeof timing> = {}): Promise<void> => {
  world = worldWith(options);
  instance = await startInstance(world, changes);
  await give(instance, tenant, credits);
};

const lookUp = (run: ChargedCall<string>['run'] = () => Promise.resolve('yes')): ChargedCall<string> =>
  callOf(world, tenant, run, 'look_up');

const until = async (holds: () => boolean): Promise<void> => {
  for (let n = 0; n < 500 && !holds(); n += 1) await pause(10);
  expect(holds()).toBe(true);
};

describe('a charged look-up', () => {
  afterEach(() => instance.close());

  it('is one event that deducts, settles and records at once, with the balance after it', async () => {
    await begin();
    const call = lookUp();
    const answer = await instance.charging.charge(call);
    expect(answer).toEqual({
      status: 200,
      body: '{"answer":"yes"}',
      receipt: { charged: 1, balance: 4, revision: 1n },
    });
    expect(eventsOf(world, tenant).slice(1)).toMatchObject([
      {
        type: 'OperationCharged.v1',
        data: { operation: 'check_eligibility', amount: 1, balance: 4, action: 'eligibility_check', result: 'found' },
      },
    ]);
    const [, charge] = world.store.streams.get(`credits-${tenant}`) ?? [];
    expect(charge?.data).toMatchObject({ chargeId: charge?.id, requestId: call.access.requestId });
    expect(world.audit.positions.get(tenant)).toBe(charge?.position);
  });

  it('is refused for want of credits before anything is looked up', async () => {
    await begin(undefined, 1);
    await instance.charging.charge(lookUp());
    let lookUps = 0;
    const refused = instance.charging.charge(lookUp(() => ((lookUps += 1), Promise.reject(refuse('not_found')))));
    await expect(refused).rejects.toMatchObject({ code: 'credits_depleted' });
    expect(lookUps).toBe(0);
  });

  it('is refused only by what the log says now, where this process knows an older balance', async () => {
    await begin(undefined, 1);
    await instance.charging.charge(lookUp());
    const other = await startInstance(world);
    await give(other, tenant, 3);
    await other.close();
    expect((await instance.charging.charge(lookUp())).receipt.balance).toBe(2);
  });

  it('discloses nothing where another instance spends the last credit meanwhile', async () => {
    await begin(undefined, 1);
    const other = await startInstance(world);
    const refused = instance.charging.charge(
      lookUp(async () => {
        await other.charging.charge(lookUp());
        return 'yes';
      }),
    );
    await expect(refused).rejects.toMatchObject({ code: 'credits_depleted' });
    checkBooks(world, tenant, 1);
    await other.close();
  });

  it('leaves nothing in the log where the look-up fails, throws or takes too long', async () => {
    await begin(undefined, 5, SHORT_BUDGETS);
    const hangs = ({ signal }: Deadline) =>
      new Promise<string>((_, reject) => signal.addEventListener('abort', reject));
    const throws = (): never => {
      throw new Error('bug');
    };
    await expect(instance.charging.charge(lookUp(() => Promise.reject(new Error('boom'))))).rejects.toThrow('boom');
    await expect(instance.charging.charge(lookUp(throws))).rejects.toThrow('bug');
    await expect(instance.charging.charge({ ...lookUp(), conclude: throws })).rejects.toThrow('bug');
    await expect(instance.charging.charge(lookUp(hangs))).rejects.toMatchObject({ code: 'timeout' });
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased']);
  });

  it('charges, keeps and records a refusal by the look-up as any other answer', async () => {
    await begin();
    const keyed = new RecordingKey();
    const answer = await instance.charging.charge({ ...lookUp(() => Promise.reject(refuse('not_found'))), keyed });
    expect(answer).toMatchObject({ status: 404, receipt: { charged: 1, balance: 4 } });
    expect(eventsOf(world, tenant).at(-1)?.data).toMatchObject({ chargeId: keyed.deductionId, result: 'not_found' });
    expect(keyed.seen).toEqual(['kept 404', 'confirmed']);
  });

  it('stores the answer to replay before the charge', async () => {
    await begin();
    const keyed = new RecordingKey(() => kinds(world, tenant).length);
    await instance.charging.charge({ ...lookUp(), keyed });
    expect(keyed.seen).toEqual(['kept 200 after 1 events', 'confirmed']);
  });

  it('looks up again what is older than a second when its append begins', async () => {
    await begin();
    const slowInstance = await startInstance(world, { storeBudget: 60_000 });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const append = world.store.append.bind(world.store);
    world.store.append = async (...args) => (await held, append(...args));
    const first = slowInstance.charging.charge(lookUp());
    await pause(20);
    let lookUps = 0;
    const second = slowInstance.charging.charge(lookUp(() => Promise.resolve(`look-up ${(lookUps += 1)}`)));
    while (lookUps === 0) await pause(5);
    await pause(20);
    world.clock.advance(1_001);
    release();
    expect((await first).body).toBe('{"answer":"yes"}');
    expect((await second).body).toBe('{"answer":"look-up 2"}');
    expect(checkBooks(world, tenant, 5).charged).toBe(2);
    await slowInstance.close();
  });
});

describe('a look-up whose charge is not acknowledged in time', () => {
  afterEach(() => instance.close());

  it.each<[Fate, readonly string[]]>([
    ['acknowledgement_lost', ['CreditsPurchased', 'OperationCharged', 'ChargeReversed']],
    ['request_lost', ['CreditsPurchased', 'OperationCharged', 'ChargeReversed']],
  ])('is answered 503 and reversed once the store tells that it landed (%s)', async (fate, expected) => {
    let away = false;
    await begin({ fate: () => (away ? fate : 'acknowledged') }, 5, SHORT_BUDGETS);
    away = true;
    await expect(instance.charging.charge(lookUp())).rejects.toBeInstanceOf(Unavailable);
    expect(world.reversals.noted.size).toBe(1);
    away = false;
    await until(() => world.reversals.noted.size === 0);
    // The identical batch is repeated until its outcome is known, so that even a lost one lands in the end.
    expect(kinds(world, tenant)).toEqual(expected);
    expect(checkBooks(world, tenant, 5).charged).toBe(0);
  });

  it('is free where the stream shows that it never landed', async () => {
    await begin(undefined, 5, SHORT_BUDGETS);
    const keyed = new RecordingKey();
    const append = world.store.append.bind(world.store);
    world.store.append = (...args) =>
      args[1][0]?.id === keyed.deductionId ? Promise.reject(new Unavailable('event_store')) : append(...args);
    await expect(instance.charging.charge({ ...lookUp(), keyed })).rejects.toBeInstanceOf(Unavailable);
    const other = await startInstance(world);
    await other.charging.charge(lookUp());
    world.store.append = append;
    await keyed.holding;
    expect(keyed.seen).toEqual(['kept 200', 'held', 'ended refunded']);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'OperationCharged']);
    await other.close();
  });

  it('is noted at last where Postgres is away at first', async () => {
    let away = false;
    await begin({ fate: () => (away ? 'request_lost' : 'acknowledged') }, 5, SHORT_BUDGETS);
    const note = world.reversals.note.bind(world.reversals);
    let failures = 2;
    world.reversals.note = (reversal) =>
      (failures -= 1) >= 0 ? Promise.reject(new Unavailable('postgres')) : note(reversal);
    away = true;
    await expect(instance.charging.charge(lookUp())).rejects.toBeInstanceOf(Unavailable);
    await until(() => world.reversals.noted.size === 1);
    away = false;
    await until(() => world.reversals.noted.size === 0);
    expect(checkBooks(world, tenant, 5).charged).toBe(0);
  });

  it('stays charged where a repeat of the request was given its answer', async () => {
    let away = false;
    await begin({ fate: () => (away ? 'acknowledgement_lost' : 'acknowledged') }, 5, SHORT_BUDGETS);
    const keyed = new RecordingKey();
    world.answers.replayed.add(keyed.rowId);
    away = true;
    await expect(instance.charging.charge({ ...lookUp(), keyed })).rejects.toBeInstanceOf(Unavailable);
    away = false;
    await keyed.holding;
    expect(keyed.seen).toEqual(['kept 200', 'held', 'ended settled']);
    expect(checkBooks(world, tenant, 5).charged).toBe(1);
  });

  it('is reversed, not answered, where its process slept through the answer deadline', async () => {
    await begin();
    const keyed = new RecordingKey();
    const append = world.store.append.bind(world.store);
    world.store.append = async (...args) => {
      const result = await append(...args);
      world.clock.advance(timing.answerDeadline + 1);
      return result;
    };
    const slow = await startInstance(world, { storeBudget: 2 * timing.answerDeadline });
    await expect(slow.charging.charge({ ...lookUp(), keyed })).rejects.toMatchObject({ code: 'timeout' });
    await keyed.holding;
    expect(checkBooks(world, tenant, 5).charged).toBe(0);
    await slow.close();
  });
});

describe('the reversals that a dead process has noted', () => {
  const note = async (chargeId: string): Promise<void> =>
    world.reversals.note({ tenantId: tenant, chargeId, afterRevision: 0n, keyedRow: null });

  /** A process that died between its 503 and the reversal. */
  const aftermath = async (): Promise<string> => {
    await begin();
    await instance.charging.charge(lookUp());
    await instance.close();
    const [, charge] = world.store.streams.get(`credits-${tenant}`) ?? [];
    await note(charge?.id ?? '');
    return charge?.id ?? '';
  };

  it('are carried out by another one after 45 s, once, with two at it', async () => {
    await aftermath();
    const instances = await Promise.all([startInstance(world), startInstance(world)]);
    await Promise.all(instances.map(({ reversalSweeper }) => reversalSweeper.sweep()));
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'OperationCharged']);
    world.clock.advance(timing.foreignDeduction + 1_000);
    await Promise.all(instances.map(({ reversalSweeper }) => reversalSweeper.sweep()));
    await until(() => world.reversals.noted.size === 0);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'OperationCharged', 'ChargeReversed']);
    for (const { close } of instances) await close();
  });

  it('count once, however often they are carried out', async () => {
    const chargeId = await aftermath();
    for (let time = 0; time < 3; time += 1) {
      const other = await startInstance(world);
      world.clock.advance(timing.foreignDeduction + 1_000);
      await other.reversalSweeper.sweep();
      await until(() => world.reversals.noted.size === 0);
      await other.close();
      await note(chargeId);
    }
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'OperationCharged', 'ChargeReversed']);
  });

  it('wait while the charge may still land, and are forgotten once its place is taken', async () => {
    await begin();
    await note('ffffffff-0000-4000-8000-000000000000');
    world.clock.advance(timing.foreignDeduction + 1_000);
    await instance.reversalSweeper.sweep();
    expect(world.reversals.noted.size).toBe(1);
    await give(instance, tenant, 1);
    await instance.reversalSweeper.sweep();
    await until(() => world.reversals.noted.size === 0);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsPurchased']);
    await instance.close();
  });

  it('are carried out for other accounts where one account cannot be read, and that one is reported', async () => {
    const chargeId = await aftermath();
    const stuck = newTenantId();
    await world.reversals.note({ tenantId: stuck, chargeId: `${chargeId}-stuck`, afterRevision: 0n, keyedRow: null });
    const read = world.store.read.bind(world.store);
    world.store.read = (stream, options) =>
      stream.endsWith(stuck) ? Promise.reject(new Unavailable('event_store')) : read(stream, options);
    const other = await startInstance(world);
    world.clock.advance(timing.foreignDeduction + 1_000);
    await expect(other.reversalSweeper.sweep()).rejects.toBeInstanceOf(Unavailable);
    await until(() => kinds(world, tenant).includes('ChargeReversed'));
    expect(checkBooks(world, tenant, 5).charged).toBe(0);
    await other.close();
  });
});
