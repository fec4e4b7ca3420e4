import {
  callOf,
  give,
  IMPATIENT,
  kinds,
  RecordingKey,
  startInstance,
  timing,
  type World,
  worldWith,
} from '../../test/support/charging-world.js';
import { inFakedTime } from '../../test/support/faked-time.js';
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

  it(
    'that is pending is noted as a duty by the answer deadline, before another process may settle',
    inFakedTime(async () => {
      let away = false;
      const world = worldWith({ fate: () => (away ? 'request_lost' : 'acknowledged') });
      const patient = await startInstance(world);
      await give(patient, tenant, 5);
      const fail = (): Promise<string> => {
        away = true;
        world.clock.advance(timing.answerDeadline - 10);
        return Promise.reject(new Unavailable('postgres'));
      };
      const refused = patient.charging.charge(callOf(world, tenant, fail)).catch((error: unknown) => error);
      const noted = (): boolean => world.pendingRefunds.refunds.size > 0;
      // The store's own budget would let twenty seconds pass before.
      await eventually('the duty', noted, timing.storeBudget / 2);
      expect(await refused).toBeInstanceOf(Unavailable);
      away = false;
      await eventually('the refund', () => !noted());
      expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
      await patient.close();
    }),
    20_000,
  );

  it('holds the key of its request for as long as it is pending', async () => {
    let away = false;
    const world = worldWith({ fate: () => (away ? 'request_lost' : 'acknowledged') });
    const instance = await startInstance(world, IMPATIENT);
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
    const instance = await startInstance(world, IMPATIENT);
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

  it('lets no success out that another process has refunded already', async () => {
    const world = worldWith({}, () => 'acknowledgement_lost');
    const [instance, other] = await Promise.all([startInstance(world), startInstance(world)]);
    await give(instance, tenant, 5);
    const record = world.audit.record.bind(world.audit);
    world.audit.record = async (entry) => {
      await other.settlement.refund(tenant, entry.deductionId ?? '', 'abandoned', -1n);
      await record(entry);
    };
    const answer = instance.charging.charge(callOf(world, tenant, () => Promise.resolve('yes')));
    await expect(answer).rejects.toBeInstanceOf(Unavailable);
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionRefunded']);
    await Promise.all([instance.close(), other.close()]);
  });

  it('asks how a deduction ended elsewhere until the stream tells', async () => {
    const world = worldWith({}, () => 'acknowledgement_lost');
    const [instance, other] = await Promise.all([startInstance(world), startInstance(world)]);
    await give(instance, tenant, 5);
    const record = world.audit.record.bind(world.audit);
    let failures = 1;
    const stateOf = instance.ledger.stateOf.bind(instance.ledger);
    instance.ledger.stateOf = (...of) =>
      (failures -= 1) >= 0 ? Promise.reject(new Unavailable('event_store')) : stateOf(...of);
    world.audit.record = async (entry) => {
      await other.settlement.settleAll();
      other.settlement.settleSoon(tenant, entry.deductionId ?? '');
      await other.settlement.settleAll();
      await record(entry);
    };
    const answer = await instance.charging.charge(callOf(world, tenant, () => Promise.resolve('yes')));
    expect(answer.status).toBe(200);
    expect(kinds(world, tenant).at(-1)).toBe('DeductionsSettled');
    await Promise.all([instance.close(), other.close()]);
  });

  it('is waited for by the end of the process', async () => {
    let away = false;
    const world = worldWith({ fate: () => (away ? 'request_lost' : 'acknowledged') });
    const instance = await startInstance(world, { ...IMPATIENT, settleWithin: 5_000 });
    await give(instance, tenant, 5);
    const call = failing(world, new RecordingKey(), () => (away = true));
    await expect(instance.charging.charge(call)).rejects.toBeInstanceOf(Unavailable);
    setTimeout(() => (away = false), 100);
    await instance.close();
    expect(kinds(world, tenant).at(-1)).toBe('DeductionRefunded');
  });
});
