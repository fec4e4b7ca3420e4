import {
  callOf,
  checkBooks,
  give,
  kinds,
  startInstance,
  timing,
  worldWith,
} from '../../test/support/charging-world.js';
import { eventually } from '../../test/support/processes.js';
import { newTenantId, newUuid, type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { CarryBalanceForward } from './domain/credits.commands.js';

/** As many as one sweep looks at. */
const UNDECIDED = 10_000;
/** Before that of every other account. */
const QUIET = 't00000000000000000000000000' as TenantId;

describe('a reversal that can be decided', () => {
  const begin = async () => {
    const world = worldWith();
    const instance = await startInstance(world);
    const tenant = newTenantId();
    await give(instance, QUIET, 1);
    await give(instance, tenant, 5);
    await instance.charging.charge(callOf(world, tenant, () => Promise.resolve('yes'), 'look_up'));
    const [, charge] = world.store.streams.get(`credits-${tenant}`) ?? [];
    const decidable = { tenantId: tenant, chargeId: `${charge?.id}`, afterRevision: 0n, keyedRow: null };
    const undecided = Array.from({ length: UNDECIDED }, () => ({
      tenantId: QUIET,
      chargeId: newUuid(),
      afterRevision: 0n,
      keyedRow: null,
    }));
    await Promise.all([...undecided, decidable].map((reversal) => world.reversals.note(reversal)));
    world.clock.advance(timing.foreignDeduction + 1_000);
    const carriedOut = () => eventually('the reversal', () => !world.reversals.noted.has(decidable.chargeId));
    return { world, instance, tenant, carriedOut };
  };

  it('is carried out in the second sweep, behind as many as one sweep takes that cannot be decided', async () => {
    const { world, instance, tenant, carriedOut } = await begin();
    await instance.reversalSweeper.sweep();
    await instance.reversalSweeper.sweep();
    await carriedOut();
    expect(checkBooks(world, tenant, 5).charged).toBe(0);
    expect(world.reversals.noted.size).toBe(UNDECIDED);
    await instance.close();
  });

  it('is carried out in the second sweep, where the stream of all others cannot be read', async () => {
    const { world, instance, tenant, carriedOut } = await begin();
    const read = world.store.read.bind(world.store);
    world.store.read = (stream, options) =>
      stream.endsWith(QUIET) ? Promise.reject(new Unavailable('event_store')) : read(stream, options);
    await expect(instance.reversalSweeper.sweep()).rejects.toBeInstanceOf(Unavailable);
    await instance.reversalSweeper.sweep();
    await carriedOut();
    expect(checkBooks(world, tenant, 5).charged).toBe(0);
    await instance.close();
  });

  it('leaves the others to the next round, which begins with them again', async () => {
    const { world, instance } = await begin();
    for (let sweep = 0; sweep < 2; sweep += 1) await instance.reversalSweeper.sweep();
    await give(instance, QUIET, 1);
    await instance.reversalSweeper.sweep();
    await eventually('the end of all', () => world.reversals.noted.size === 0);
    await instance.close();
  });
});

describe('a reversal that comes after the account has forgotten those of its time', () => {
  const DAY = 86_400_000;
  const metadata = { requestId: 'r', actor: { type: 'system', id: 'spec' } } as const;

  it('is made once, by however many instances and however often', async () => {
    const world = worldWith();
    const tenant = newTenantId();
    const instances = await Promise.all([startInstance(world), startInstance(world)]);
    const [first] = instances;
    await give(first, tenant, 5);
    await first.charging.charge(callOf(world, tenant, () => Promise.resolve('yes'), 'look_up'));
    const [, charge] = world.store.streams.get(`credits-${tenant}`) ?? [];
    const carry = async (): Promise<void> => {
      world.clock.advance(40 * DAY);
      const time = world.clock.now().toISOString();
      await first.ledger.execute(new CarryBalanceForward(tenant, { period: time.slice(0, 7), time }, metadata), 20_000);
    };
    for (let round = 0; round < 2; round += 1) {
      await world.reversals.note({ tenantId: tenant, chargeId: `${charge?.id}`, afterRevision: 0n, keyedRow: null });
      await carry();
      await Promise.all(instances.map(({ reversalSweeper }) => reversalSweeper.sweep()));
      await eventually('the reversal', () => world.reversals.noted.size === 0);
    }
    const carried = 'BalanceCarriedForward';
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'OperationCharged', carried, 'ChargeReversed', carried]);
    expect(checkBooks(world, tenant, 5).charged).toBe(0);
    for (const { close } of instances) await close();
  });
});
