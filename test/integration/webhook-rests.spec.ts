import { ANNOUNCEMENTS } from '../../src/contract/collected.js';
import { newUuid } from '../../src/kernel/ids.js';
import { answering, TestReceiver } from '../support/receiver.js';
import { ownPort } from '../support/ports.js';
import { eventually } from '../support/stack.js';
import { DeliveringInstance, METADATA, WebhookWorld } from '../support/webhook-world.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const VERIFIED = { type: 'identity.verified', data: ANNOUNCEMENTS['identity.verified'].example } as const;
const TYPES = ['identity.verified'];
/** More than a challenge has tries. */
const BURST = 15;

let world: WebhookWorld;
let receiver: TestReceiver;
let instance: DeliveringInstance;

beforeAll(async () => {
  world = await WebhookWorld.open();
}, 120_000);
afterAll(() => world.close(), 60_000);

beforeEach(async () => {
  receiver = await TestReceiver.start();
  instance = new DeliveringInstance(world);
});
afterEach(async () => {
  await instance.stop();
  await receiver.stop();
  expect(instance.failures).toEqual([]);
});

/** How often the endpoint was asked for its proof in vain. */
const challenges = async (endpointId: string): Promise<number> => {
  const [row] = await world.database.query<{ challenges: number }>(
    'SELECT challenges FROM webhook_receivers WHERE endpoint_id = $1',
    [endpointId],
  );
  return row?.challenges ?? 0;
};

/** Ten looks in a row see the same: no round is under way, and none begins at this time. */
const untilStill = async (look: () => number | Promise<number>): Promise<void> => {
  let [before, looks] = [-1, 0];
  await eventually('an end of what is done at this time', async () => {
    await instance.jobs.reconcile();
    const seen = await look();
    looks = seen === before ? looks + 1 : 0;
    before = seen;
    return looks > 10;
  });
};

/** Events that come one after the other, each with its wake, as a busy account has them. The clock stands still. */
const burst = async (look: () => number | Promise<number>): Promise<void> => {
  for (let count = 0; count < BURST; count += 1) {
    await instance.jobs.wake(await world.announce([VERIFIED]));
    await untilStillBriefly(look);
  }
  await untilStill(look);
};

const untilStillBriefly = async (look: () => number | Promise<number>): Promise<void> => {
  let before = -1;
  await eventually('a moment of rest', async () => {
    const seen = await look();
    const isStill = seen === before;
    before = seen;
    return isStill;
  });
};

const remove = (endpointId: string): Promise<unknown> =>
  world.remove.execute({ data: { tenantId: world.tenantId, endpointId, metadata: METADATA } } as never);

describe('an endpoint whose receiver is not up yet', () => {
  it('is asked once, however many events come meanwhile, and then by the schedule', async () => {
    const { endpointId } = await world.endpoint(`http://127.0.0.1:${await ownPort()}/`, TYPES);
    const asked = () => challenges(endpointId);
    await burst(asked);
    expect(await asked()).toBe(1);
    for (const [pause, times] of [
      [3_900, 1],
      [2_100, 2],
      [3.9 * MINUTE, 2],
      [2.2 * MINUTE, 3],
    ] as const) {
      world.clock.advance(pause);
      await burst(asked);
      expect(await asked()).toBe(times);
    }
    expect((await world.index.endpoint(endpointId))?.active).toBe(true);
    await remove(endpointId);
  }, 120_000);

  it('is not asked sooner since its description changes', async () => {
    const { endpointId } = await world.endpoint(`http://127.0.0.1:${await ownPort()}/`, TYPES);
    const failures = async (): Promise<unknown> =>
      (
        await world.database.query('SELECT challenges, failing_since FROM webhook_receivers WHERE endpoint_id = $1', [
          endpointId,
        ])
      )[0];
    await instance.jobs.wake(await world.announce([VERIFIED]));
    await untilStill(() => challenges(endpointId));
    const before = await failures();
    const change = { tenantId: world.tenantId, endpointId, description: 'of another name', metadata: METADATA };
    await world.change.execute({ data: change } as never);
    const changed = (await world.endpointEvents(endpointId)).at(-1);
    if (changed?.type !== 'WebhookEndpointChanged.v1') throw new Error('a new description is a change');
    const context = { effectId: newUuid(), attempt: 1, signal: new AbortController().signal };
    await world.reactor.handle(changed, context);
    expect(await world.endpointsDue()).not.toContain(endpointId);
    expect(await failures()).toEqual(before);
    await remove(endpointId);
  });

  it('gets everything once it is up', async () => {
    const path = '/late';
    receiver.unwilling.add(path);
    receiver.behaviours.set(path, answering(503));
    const { endpointId } = await world.endpoint(receiver.url(path), TYPES);
    await burst(() => receiver.at(path).length);
    receiver.unwilling.delete(path);
    receiver.behaviours.set(path, answering(200));
    const before = receiver.at(path).length;
    expect(before).toBe(1);
    world.clock.advance(6_000);
    await eventually('every event', async () => {
      await instance.jobs.reconcile();
      return receiver.at(path).length === before + BURST;
    });
    await remove(endpointId);
  }, 60_000);
});

/** The first delivery of an endpoint whose receiver answers so once it has proved itself, and how long until it is tried again. */
const pauseAfter = async (status: number, headers: Readonly<Record<string, string>>): Promise<number> => {
  const path = `/${status}/${encodeURIComponent(JSON.stringify(headers))}`;
  receiver.behaviours.set(path, answering(status, headers));
  const { endpointId } = await world.endpoint(receiver.url(path), TYPES);
  await instance.jobs.wake(await world.announce([VERIFIED]));
  const next = await eventually('the try', async () => {
    await instance.jobs.reconcile();
    const [row] = await world.record.list({ endpointId, limit: 1 });
    return row?.attempts.length === 1 ? row.nextAttemptAt : undefined;
  });
  await remove(endpointId);
  return (next?.getTime() ?? 0) - world.clock.now().getTime();
};

describe('a receiver that says when to come again', () => {
  const inAnHour = (): string =>
    new Date(1_000 * Math.ceil((world.clock.now().getTime() + HOUR) / 1_000)).toUTCString();

  it.each([
    ['429', 'seconds', 429, () => '3600'],
    ['503', 'seconds', 503, () => '3600'],
    ['429', 'a date', 429, inAnHour],
    ['503', 'a date', 503, inAnHour],
  ])('with %s and %s is left alone until then', async (_status, _form, status, value) => {
    const pause = await pauseAfter(status, { 'retry-after': value() });
    expect(pause).toBeGreaterThanOrEqual(HOUR);
    expect(pause).toBeLessThanOrEqual(1.2 * HOUR);
  });

  it.each(['172800', '99999999999999999999'])('in %s s is tried again after a day', async (value) => {
    const pause = await pauseAfter(503, { 'retry-after': value });
    expect(pause).toBeGreaterThanOrEqual(DAY);
    expect(pause).toBeLessThanOrEqual(1.2 * DAY);
  });

  it.each([
    [503, '0'],
    [503, '-3600'],
    [503, '3600, 7200'],
    [503, 'soon'],
    [503, '0x1000'],
    [503, 'Sun, 01 Mar 2026 11:00:00 GMT'],
    [500, '3600'],
  ])('by %i and %s, which says nothing, is tried again by the schedule', async (status, value) => {
    expect(await pauseAfter(status, { 'retry-after': value })).toBeLessThanOrEqual(6_000);
  });

  it('in place of a proof is asked for it again then', async () => {
    const path = '/busy';
    receiver.unwilling.add(path);
    receiver.behaviours.set(path, answering(503, { 'retry-after': '3600' }));
    const { endpointId } = await world.endpoint(receiver.url(path), TYPES);
    const asked = () => receiver.at(path).length;
    await instance.jobs.wake(await world.announce([VERIFIED]));
    await untilStill(asked);
    world.clock.advance(0.99 * HOUR);
    await untilStill(asked);
    expect(asked()).toBe(1);
    world.clock.advance(0.22 * HOUR);
    await untilStill(asked);
    expect(asked()).toBe(2);
    await remove(endpointId);
  });
});

it('ends the rest that a receiver asked for where the endpoint gets another address', async () => {
  receiver.behaviours.set('/resting', answering(429, { 'retry-after': '3600' }));
  const { endpointId } = await world.endpoint(receiver.url('/resting'), TYPES);
  await instance.jobs.wake(await world.announce([VERIFIED]));
  await eventually('the rest', async () => {
    await instance.jobs.reconcile();
    return receiver.at('/resting').length === 1;
  });
  await world.quiet(instance, endpointId);
  const change = { tenantId: world.tenantId, endpointId, url: receiver.url('/other'), metadata: METADATA };
  await world.change.execute({ data: change } as never);
  const changed = (await world.endpointEvents(endpointId)).at(-1);
  if (changed === undefined) throw new Error('a new address is a change');
  await world.reactor.handle(changed, { effectId: newUuid(), attempt: 1, signal: new AbortController().signal });
  await instance.jobs.wake(await world.announce([VERIFIED]));
  await eventually('the new event', async () => {
    await instance.jobs.reconcile();
    return receiver.at('/other').length === 1;
  });
  await remove(endpointId);
});
