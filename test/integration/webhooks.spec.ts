import { jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { ANNOUNCEMENT_TYPES, ANNOUNCEMENTS } from '../../src/kernel/contract.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { refuse } from '../../src/kernel/rejection.js';
import { answering, judging, TestReceiver } from '../support/receiver.js';
import { eventually } from '../support/stack.js';
import { DeliveringInstance, METADATA, WebhookWorld } from '../support/webhook-world.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const VERIFIED = { type: 'identity.verified', data: ANNOUNCEMENTS['identity.verified'].example } as const;

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

/** Of several, none is sent before all are stored. */
const announceAndWake = async (count = 1, stream?: string): Promise<void> => {
  const events = Array.from({ length: count }, () => world.event(stream));
  const woken = await Promise.all(events.map((event) => world.announce([VERIFIED], event)));
  for (const endpoints of woken) await instance.jobs.wake(endpoints);
};

const deliveriesOf = (endpointId: string) =>
  world.record.list({
    endpointId,
    limit: 100,
  });

const quiet = (endpointId: string): Promise<unknown> => world.quiet(instance, endpointId);

/** One that gets what is announced at once, though its host has other endpoints that have not proved themselves. */
const provenEndpoint = async (path: string): Promise<{ readonly endpointId: string }> => {
  const endpoint = await world.endpoint(receiver.url(path), ['identity.verified']);
  await announceAndWake();
  await eventually('its proof', () => receiver.received.splice(0).length === 1);
  return endpoint;
};

describe('a delivery', () => {
  it('of every event type passes a receiver by our rules for receivers, and one of Standard Webhooks', async () => {
    const { secret } = await world.endpoint(receiver.url('/all'));
    receiver.behaviours.set(
      '/all',
      judging(
        () => secret,
        () => world.clock.now(),
      ),
    );
    for (const type of ANNOUNCEMENT_TYPES)
      await instance.jobs.wake(await world.announce([{ type, data: ANNOUNCEMENTS[type].example }]));
    await eventually('every delivery', () => receiver.at('/all').length === ANNOUNCEMENT_TYPES.length);
    const types = receiver.at('/all').map(({ body, headers }) => {
      // The library reads the real clock alone.
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      expect(at).toEqual(new Date(Math.floor(world.clock.now().getTime() / 1_000) * 1_000));
      const verified = new Webhook(secret).sign(String(headers['webhook-id']), at, body);
      expect(headers['webhook-signature']).toBe(verified);
      const envelope = JSON.parse(body) as Record<string, unknown>;
      expect(envelope['id']).toBe(headers['webhook-id']);
      expect([envelope['type'], envelope['data'], envelope['timestamp']]).toEqual([
        envelope['event_type'],
        envelope['event_data'],
        envelope['created_at'],
      ]);
      expect(headers['x-service-attempt']).toBe('1');
      return envelope['type'];
    });
    expect(types.sort()).toEqual([...ANNOUNCEMENT_TYPES].sort());
  });

  it('goes to the subscribed, active endpoints of its tenant alone, and only to those registered before', async () => {
    const subscribed = await world.endpoint(receiver.url('/subscribed'), ['identity.verified']);
    await world.endpoint(receiver.url('/other'), ['identity.created']);
    await world.endpoint(receiver.url('/stranger'), ['identity.verified'], newTenantId());
    const late = world.event();
    await announceAndWake();
    await world.announce([VERIFIED], { ...late, position: 0n });
    await quiet(subscribed.endpointId);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/subscribed']);
  });

  it('of what concerns everybody goes once to each subscribed endpoint, of whatever account', async () => {
    const stranger = newTenantId();
    const own = await world.endpoint(receiver.url('/wide'), ['transparency.checkpoint']);
    const other = await world.endpoint(receiver.url('/wide-stranger'), ['transparency.checkpoint'], stranger);
    await world.endpoint(receiver.url('/wide-other'), ['identity.created'], newTenantId());
    const { example } = ANNOUNCEMENTS['transparency.checkpoint'];
    const published = { type: 'transparency.checkpoint', audience: 'subscribers', data: example } as const;
    const event = world.event('transparency-checkpoints');
    const before = new Map([[world.tenantId, (await world.feed.list(world.tenantId, undefined, 1_000))?.at(-1)?.id]]);
    await instance.jobs.wake(await world.announce([published], event));
    await instance.jobs.wake(await world.announce([published], event));
    await Promise.all([own, other].map(({ endpointId }) => quiet(endpointId)));
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/wide', '/wide-stranger']);
    for (const tenantId of [world.tenantId, stranger]) {
      const feed = (await world.feed.list(tenantId, before.get(tenantId), 1_000)) ?? [];
      expect(feed.map(({ type }) => type)).toEqual(['transparency.checkpoint']);
    }
  });

  it('is made once, however often its event is announced', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/once'));
    const event = world.event();
    const announced = await Promise.all([world.announce([VERIFIED], event), world.announce([VERIFIED], event)]);
    expect(announced.flat()).toEqual(expect.arrayContaining([endpointId]));
    expect(await world.announce([VERIFIED], event)).toEqual([]);
    await quiet(endpointId);
    expect(receiver.at('/once')).toHaveLength(1);
  });

  it('comes in the order of its stream, one at a time, while other streams go on beside it', async () => {
    // A host takes a hundred requests at once.
    world.clock.advance(1_000);
    const { endpointId } = await world.endpoint(receiver.url('/order'));
    const streamOf = new Map<string, string>();
    const open: string[] = [];
    const together = new Set<string>();
    receiver.behaviours.set('/order', ({ body }, response) => {
      const { data } = JSON.parse(body) as { data: { identity_id: string } };
      const stream = data.identity_id;
      if (open.includes(stream)) together.add('the same stream');
      if (open.some((other) => other !== stream)) together.add('other streams');
      open.push(stream);
      // Later ones are quicker, so they would overtake.
      setTimeout(
        () => {
          open.splice(open.indexOf(stream), 1);
          response.end();
        },
        Math.max(1, 40 - receiver.received.length),
      );
    });
    const streams = ['one', 'two', 'three'];
    const EACH = 30;
    for (let index = 0; index < EACH; index += 1)
      for (const name of streams) {
        const event = world.event(`identity-${world.tenantId}_${name}`);
        await world.announce([{ ...VERIFIED, data: { ...VERIFIED.data, identity_id: name } }], event);
      }
    const feed = (await world.feed.list(world.tenantId, undefined, 1_000)) ?? [];
    for (const { id, data } of feed.slice(-EACH * streams.length)) streamOf.set(id, String(data['identity_id']));
    await quiet(endpointId);
    const of = (ids: Iterable<string>, name: string): string[] => [...ids].filter((id) => streamOf.get(id) === name);
    for (const name of streams) expect(of(receiver.ids('/order'), name)).toEqual(of(streamOf.keys(), name));
    expect([...together]).toEqual(['other streams']);
  });

  it('holds 20 KB at most: a larger event is refused without harm to others', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/large'));
    const large = { ...VERIFIED, data: { ...VERIFIED.data, list: 'x'.repeat(10_200) } };
    const outcomes = await Promise.allSettled([
      world.announce([large]),
      world.announce([VERIFIED]),
      world.announce([{ ...large, data: { ...large.data, list: 'x'.repeat(9_800) } }]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    await quiet(endpointId);
    const lengths = receiver.at('/large').map(({ body }) => body.length);
    expect(lengths).toHaveLength(2);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(20 * 1_024);
  });

  it('is signed by the former secret too while a rotation overlaps, and by the new one alone after it', async () => {
    const { endpointId, secret: former } = await world.endpoint(receiver.url('/rotated'));
    const rotation = { tenantId: world.tenantId, endpointId, metadata: METADATA };
    const { secret } = await world.rotate.execute({
      data: { ...rotation, rotationId: newUuid(), overlapSeconds: 3_600 },
    } as never);
    receiver.behaviours.set(
      '/rotated',
      judging(
        () => former,
        () => world.clock.now(),
      ),
    );
    await announceAndWake();
    await quiet(endpointId);
    world.clock.advance(HOUR);
    receiver.behaviours.set(
      '/rotated',
      judging(
        () => secret,
        () => world.clock.now(),
      ),
    );
    await announceAndWake();
    await quiet(endpointId);
    expect((await deliveriesOf(endpointId)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    const signatures = receiver.at('/rotated').map(({ headers }) => String(headers['webhook-signature']).split(' '));
    expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
    await world.rotate.execute({ data: { ...rotation, rotationId: newUuid(), overlapSeconds: 0 } } as never);
    await announceAndWake();
    await quiet(endpointId);
    // The receiver has the secret of before, which a leak ended at once.
    expect((await deliveriesOf(endpointId))[0]?.attempts[0]?.response_status).toBe(401);
  });
});

describe('a receiver that fails', () => {
  it('for a day gets everything afterwards, tried as the schedule says and signed afresh', async () => {
    const { endpointId, secret } = await world.endpoint(receiver.url('/down'), ['identity.verified']);
    receiver.behaviours.set('/down', answering(503));
    const began = world.clock.now().getTime();
    await announceAndWake(3);
    await quiet(endpointId);
    const due = async (): Promise<number> =>
      Math.min(...(await deliveriesOf(endpointId)).map(({ nextAttemptAt }) => nextAttemptAt?.getTime() ?? Infinity));
    for (let next = await due(); next < began + DAY; next = await due()) {
      world.clock.set(new Date(next));
      await quiet(endpointId);
    }
    for (const { attempts } of await deliveriesOf(endpointId)) {
      const at = attempts.map(({ began_at }) => Date.parse(began_at));
      const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
      const wanted = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR];
      expect(pauses.length).toBeGreaterThanOrEqual(5);
      for (const [index, pause] of pauses.entries()) {
        expect(pause).toBeGreaterThanOrEqual((wanted[index] ?? 0) * 0.8);
        // Another delivery's time may have come first.
        expect(pause).toBeLessThanOrEqual((wanted[index] ?? 0) * 1.2);
      }
      expect(attempts.every(({ response_status }) => response_status === 503)).toBe(true);
    }
    // It takes no timestamp that is more than 300 s old.
    receiver.behaviours.set(
      '/down',
      judging(
        () => secret,
        () => world.clock.now(),
      ),
    );
    world.clock.set(new Date(began + 3 * DAY));
    await quiet(endpointId);
    const rows = await deliveriesOf(endpointId);
    expect(rows.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
    const attempts = receiver
      .at('/down')
      .slice(-3)
      .map(({ headers }) => Number(headers['x-service-attempt']));
    expect(attempts).toEqual(rows.map((row) => row.attempts.length).reverse());
    expect(new Set(receiver.ids('/down')).size).toBe(3);
    const signatures = receiver.at('/down').map(({ headers }) => headers['x-service-signature']);
    expect(new Set(signatures).size).toBe(signatures.length);
  }, 60_000);

  it('is given up after the tenth try, and after five days of nothing but failures it is disabled', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/dead'), ['identity.verified']);
    receiver.behaviours.set('/dead', answering(500));
    await announceAndWake();
    for (let tries = 0; tries < 10; tries += 1) {
      await quiet(endpointId);
      const [row] = await deliveriesOf(endpointId);
      if (row !== undefined && row.nextAttemptAt !== null) world.clock.set(row.nextAttemptAt);
    }
    const [dead] = await deliveriesOf(endpointId);
    expect([dead?.status, dead?.attempts.length, dead?.nextAttemptAt]).toEqual(['failed', 10, null]);
    expect((await world.index.endpoint(endpointId))?.active).toBe(true);
    // The ten tries took 60 to 91 hours.
    world.clock.advance(3 * DAY);
    await announceAndWake(2);
    await quiet(endpointId);
    const reason = async (): Promise<unknown> => (await world.index.endpoint(endpointId))?.disabledReason;
    await eventually('its end', async () => (await reason()) === 'failing');
    expect((await world.index.endpoint(endpointId))?.active).toBe(false);
    world.clock.advance(MINUTE);
    await quiet(endpointId);
    expect((await deliveriesOf(endpointId)).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    await world.change.execute({
      data: { tenantId: world.tenantId, endpointId, active: true, metadata: METADATA },
    } as never);
    await announceAndWake();
    await quiet(endpointId);
    // The failures of before do not count any more.
    expect((await world.index.endpoint(endpointId))?.active).toBe(true);
  }, 60_000);

  it('with 410 is disabled at once, which its account is told', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/gone'));
    receiver.behaviours.set('/gone', answering(410));
    await announceAndWake();
    await eventually('the end', async () => (await world.index.endpoint(endpointId))?.disabledReason === 'gone');
    const disabled = (await world.endpointEvents(endpointId)).at(-1);
    if (disabled === undefined) throw new Error('a disabled endpoint has events');
    expect(disabled.type).toBe('WebhookEndpointDisabled.v1');
    await world.reactor.handle(disabled, { effectId: newUuid(), attempt: 1, signal: new AbortController().signal });
    expect(world.notices.at(-1)).toContain(endpointId);
    await announceAndWake();
    await quiet(endpointId);
    expect(receiver.at('/gone')).toHaveLength(1);
  });

  it('whose address nothing opens any more is disabled, and what waits for it is given up', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/unreadable'));
    await announceAndWake();
    await eventually('the first', async () => receiver.at('/unreadable').length === 1);
    const opens = jest.spyOn(world.ledger, 'urlOf').mockRejectedValue(refuse('not_found'));
    await announceAndWake();
    await eventually('the end', async () => (await world.index.endpoint(endpointId))?.disabledReason === 'gone');
    opens.mockRestore();
    await quiet(endpointId);
    expect((await deliveriesOf(endpointId)).map(({ status }) => status).sort()).toEqual(['delivered', 'failed']);
    expect(receiver.at('/unreadable')).toHaveLength(1);
    await world.remove.execute({ data: { tenantId: world.tenantId, endpointId, metadata: METADATA } } as never);
  });

  it.each([
    ['redirects', answering(301, { location: 'http://127.0.0.1:9/' }), 301],
    ['cuts the connection', (_: unknown, response: { destroy: () => unknown }) => void response.destroy(), null],
    ['sends an oversized header', answering(200, { 'x-long': 'x'.repeat(40_000) }), null],
    ['answers 500', answering(500), 500],
  ] as const)('since it %s is tried again, and never delays another', async (name, behaviour, status) => {
    const path = `/${name.replaceAll(' ', '-')}`;
    const good = await provenEndpoint('/good');
    const bad = await world.endpoint(receiver.url(path), ['identity.verified']);
    receiver.behaviours.set(path, behaviour);
    await announceAndWake(3);
    await quiet(good.endpointId);
    await quiet(bad.endpointId);
    expect(receiver.at('/good')).toHaveLength(3);
    const rows = await deliveriesOf(bad.endpointId);
    expect(rows.map((row) => [row.status, row.attempts.length])).toEqual(Array(3).fill(['pending', 1]));
    expect(rows[0]?.attempts[0]?.response_status).toBe(status);
    expect(rows[0]?.attempts[0]?.error === null).toBe(status !== null);
    await world.remove.execute({ data: { tenantId: world.tenantId, ...bad, metadata: METADATA } } as never);
  });

  it('by never answering does not keep others waiting', async () => {
    const good = await provenEndpoint('/prompt');
    const stalledEndpoint = await world.endpoint(receiver.url('/silent'), ['identity.verified']);
    receiver.behaviours.set('/silent', () => undefined);
    await announceAndWake(20);
    await eventually('the others', () => receiver.at('/prompt').length === 20);
    await eventually('its notes', async () =>
      (await deliveriesOf(good.endpointId)).every((row) => row.status === 'delivered'),
    );
    const open = await deliveriesOf(stalledEndpoint.endpointId);
    expect(open.every(({ status, attempts }) => status === 'pending' && attempts.length === 0)).toBe(true);
  });

  it('sends an endless body and counts by its status, since only the first of it is read', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/endless'), ['identity.verified']);
    receiver.behaviours.set('/endless', (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    await announceAndWake();
    await quiet(endpointId);
    expect((await deliveriesOf(endpointId))[0]?.status).toBe('delivered');
  });
});

describe('an instance that dies', () => {
  it('leaves its endpoint to another, which sends again what was not noted', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/survived'), ['identity.verified']);
    await world.announce([VERIFIED]);
    // It takes the endpoint and sends, and is gone before it notes.
    const now = world.clock.now();
    await world.deliveries.hold(endpointId, now, new Date(now.getTime() + 20_000));
    await instance.jobs.wake([endpointId]);
    expect(await world.endpointsDue()).not.toContain(endpointId);
    world.clock.advance(20_000);
    await quiet(endpointId);
    expect(receiver.at('/survived')).toHaveLength(1);
  });

  it('beside another does not send twice what both were told of', async () => {
    const other = new DeliveringInstance(world);
    const { endpointId } = await world.endpoint(receiver.url('/both'), ['identity.verified']);
    for (let index = 0; index < 30; index += 1) {
      const woken = await world.announce([VERIFIED]);
      await Promise.all([instance.jobs.wake(woken), other.jobs.wake(woken)]);
    }
    await quiet(endpointId);
    await other.stop();
    expect(receiver.at('/both')).toHaveLength(30);
  });
});
