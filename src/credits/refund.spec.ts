import {
  callOf,
  checkBooks,
  give,
  SHORT_BUDGETS,
  kinds,
  RecordingKey,
  startInstance,
  type World,
  worldWith,
} from '../../test/support/charging-world.js';
import { eventually } from '../../test/support/processes.js';
import { type ChargedCall } from '../kernel/charging.js';
import { newTenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';

describe('a refund', () => {
  const tenant = newTenantId();

  const failing = (world: World, keyed: RecordingKey, fail: () => void = () => undefined): ChargedCall<string> => ({
    ...callOf(world, tenant, () => (fail(), Promise.reject(new Unavailable('postgres')))),
    keyed,
  });

  it('holds the key of its request for as long as it is pending', async () => {
    let away = false;
    const world = worldWith({ fate: () => (away ? 'request_lost' : 'acknowledged') });
    const instance = await startInstance(world, SHORT_BUDGETS);
    await give(instance, tenant, 5);
    const keyed = new RecordingKey();
    const call = failing(world, keyed, () => (away = true));
    await expect(instance.charging.charge(call)).rejects.toBeInstanceOf(Unavailable);
    expect(keyed.seen).toEqual(['held']);
    away = false;
    await keyed.holding;
    expect(keyed.seen).toEqual(['held', 'ended refunded']);
    await instance.close();
  });

  it('holds the key of a request whose deduction is in doubt, until it is refunded', async () => {
    let away = false;
    const world = worldWith({ fate: () => (away ? 'acknowledgement_lost' : 'acknowledged') });
    const instance = await startInstance(world, SHORT_BUDGETS);
    await give(instance, tenant, 5);
    const keyed = new RecordingKey();
    away = true;
    const charging = instance.charging.charge({ ...callOf(world, tenant, () => Promise.resolve('yes')), keyed });
    await expect(charging).rejects.toBeInstanceOf(Unavailable);
    expect(keyed.seen).toEqual(['held']);
    away = false;
    await keyed.holding;
    expect(keyed.seen).toEqual(['held', 'ended refunded']);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
    await instance.close();
  });

  it('is owed for a deduction in doubt without a key, too', async () => {
    let away = false;
    const world = worldWith({ fate: () => (away ? 'acknowledgement_lost' : 'acknowledged') });
    const instance = await startInstance(world, SHORT_BUDGETS);
    await give(instance, tenant, 5);
    away = true;
    const charging = instance.charging.charge(callOf(world, tenant, () => Promise.resolve('yes')));
    await expect(charging).rejects.toBeInstanceOf(Unavailable);
    away = false;
    await eventually('the refund', () => kinds(world, tenant).includes('DeductionRefunded'));
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
    await instance.close();
  });

  it('is waited for by the end of the process', async () => {
    let away = false;
    const world = worldWith({ fate: () => (away ? 'request_lost' : 'acknowledged') });
    const instance = await startInstance(world, { ...SHORT_BUDGETS, settleWithin: 5_000 });
    await give(instance, tenant, 5);
    const call = failing(world, new RecordingKey(), () => (away = true));
    await expect(instance.charging.charge(call)).rejects.toBeInstanceOf(Unavailable);
    setTimeout(() => (away = false), 100);
    await instance.close();
    expect(kinds(world, tenant).at(-1)).toBe('DeductionRefunded');
    checkBooks(world, tenant, 5);
  });
});
