import { ANNOUNCEMENTS } from '../../src/kernel/contract.js';
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

/** How often the account was asked for its proof at this host in vain. */
const challenges = async (url: string): Promise<number> => {
  const host = world.sender.hostOf({ url, secrets: { present: '' } });
  const [row] = await world.database.query<{ failed: number }>(
    'SELECT failed FROM webhook_challenges WHERE tenant_id = $1 AND host = $2',
    [world.tenantId, host],
  );
  return row?.failed ?? 0;
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
    const url = `http://127.0.0.1:${await ownPort()}/`;
    const { endpointId } = await world.endpoint(url, TYPES);
    const asked = () => challenges(url);
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
    const url = `http://127.0.0.1:${await ownPort()}/`;
    const { endpointId } = await world.endpoint(url, TYPES);
    const failures = async (): Promise<unknown> => {
      const text = 'SELECT rests_until, failing_since FROM webhook_receivers WHERE endpoint_id = $1';
      return [await challenges(url), ...(await world.database.query(text, [endpointId]))];
    };
    await instance.jobs.wake(await world.announce([VERIFIED]));
    await untilStill(() => challenges(url));
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

describe('paths of one host', () => {
  it('are asked as one by an account, ten times in all, until one shows its secret', async () => {
    const paths = Array.from({ length: 6 }, (_, index) => `/path-${index}`);
    for (const path of paths) {
      receiver.unwilling.add(path);
      // It says yes to everything, and gives back what it gets.
      receiver.behaviours.set(path, ({ body }, response) => void response.end(body));
    }
    const ids: string[] = [];
    for (const path of paths) ids.push((await world.endpoint(receiver.url(path), TYPES)).endpointId);
    const asked = () => receiver.received.length;
    await burst(asked);
    expect(asked()).toBe(1);
    for (let looks = 0; looks < 24; looks += 1) {
      world.clock.advance(30 * HOUR);
      await untilStill(asked);
    }
    const active = await Promise.all(ids.map(async (id) => (await world.index.endpoint(id))?.active));
    expect([asked(), active.filter(Boolean).length]).toEqual([expect.any(Number), 0]);
    expect(asked()).toBeLessThanOrEqual(10 + paths.length);
    for (const id of ids) await remove(id);
  }, 180_000);

  it('are proved by one that shows its secret, and nothing else is sent to the others', async () => {
    receiver.unwilling.add('/echo');
    receiver.behaviours.set('/echo', ({ body }, response) => void response.end(body));
    const echo = await world.endpoint(receiver.url('/echo'), TYPES);
    const good = await world.endpoint(receiver.url('/good'), TYPES);
    await instance.jobs.wake(await world.announce([VERIFIED]));
    await eventually('the delivery', async () => {
      world.clock.advance(7_000);
      await instance.jobs.reconcile();
      return receiver.at('/good').length === 1 && receiver.at('/echo').length > 0;
    });
    const sent = receiver.at('/echo').map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(new Set(sent)).toEqual(new Set(['endpoint.verification']));
    for (const { endpointId } of [echo, good]) await remove(endpointId);
  }, 60_000);
});

describe('a test of an endpoint that has not proved itself', () => {
  it('asks for the proof first, and sends nothing to who says yes to everything', async () => {
    receiver.unwilling.add('/yes');
    receiver.behaviours.set('/yes', answering(200));
    const { endpointId } = await world.endpoint(receiver.url('/yes'), TYPES);
    const row = await world.index.endpoint(endpointId);
    if (row === undefined) throw new Error('the endpoint is registered');
    const { sent } = await world.tests.send(row, 'identity.verified');
    expect(sent).toMatchObject({ delivered: false, responseStatus: 200, error: expect.stringContaining('HMAC') });
    await expect(world.tests.send(row, 'identity.verified')).rejects.toMatchObject({
      status: 429,
      detail: 'A host is asked for its proof every 6 s at most',
    });
    expect(await world.record.list({ endpointId, limit: 10 })).toHaveLength(1);
    const types = receiver.at('/yes').map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(types).toEqual(['endpoint.verification']);
    receiver.unwilling.delete('/yes');
    world.clock.advance(6_000);
    expect((await world.tests.send(row, 'identity.verified')).sent.delivered).toBe(true);
    expect(receiver.at('/yes')).toHaveLength(2);
    await remove(endpointId);
  });

  it('leaves the schedule of its events as it is', async () => {
    receiver.unwilling.add('/tested');
    const { endpointId } = await world.endpoint(receiver.url('/tested'), TYPES);
    const row = await world.index.endpoint(endpointId);
    if (row === undefined) throw new Error('the endpoint is registered');
    for (let tests = 0; tests < 3; tests += 1) {
      await world.tests.send(row, 'identity.verified');
      world.clock.advance(6_000);
    }
    expect(await challenges(receiver.url('/tested'))).toBe(0);
    receiver.unwilling.delete('/tested');
    await instance.jobs.wake(await world.announce([VERIFIED]));
    await eventually('the event', async () => {
      await instance.jobs.reconcile();
      return receiver.at('/tested').length === 4;
    });
    await remove(endpointId);
  });
});

it('lets no challenge that fails late rest an endpoint that has proved itself since', async () => {
  const { endpointId } = await world.endpoint(receiver.url('/since'), TYPES);
  const row = await world.index.endpoint(endpointId);
  if (row === undefined) throw new Error('the endpoint is registered');
  expect((await world.tests.send(row, 'identity.verified')).sent.delivered).toBe(true);
  const now = world.clock.now();
  const host = world.sender.hostOf({ url: receiver.url('/since'), secrets: { present: '' } });
  await world.deliveries.unproven(row, host, now, new Date(now.getTime() + DAY));
  await instance.jobs.wake(await world.announce([VERIFIED]));
  await eventually('the event', async () => {
    await instance.jobs.reconcile();
    return receiver.at('/since').length === 2;
  });
  await remove(endpointId);
});

it('asks an owner who switches an endpoint on again several times more before the last', async () => {
  const url = `http://127.0.0.1:${await ownPort()}/`;
  const { endpointId } = await world.endpoint(url, TYPES);
  const row = await world.index.endpoint(endpointId);
  if (row === undefined) throw new Error('the endpoint is registered');
  const host = world.sender.hostOf({ url, secrets: { present: '' } });
  const asked = { tenantId: world.tenantId, host };
  await world.deliveries.askHost(asked, world.clock.now(), world.clock.now());
  for (let failed = 0; failed < 9; failed += 1)
    await world.deliveries.unproven(row, host, world.clock.now(), world.clock.now());
  await world.deliveries.resume(world.tenantId, endpointId, world.clock.now());
  expect(await challenges(url)).toBe(6);
  await remove(endpointId);
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
