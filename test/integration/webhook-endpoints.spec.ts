import { jest } from '@jest/globals';
import { ANNOUNCEMENTS } from '../../src/kernel/contract.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { isRejection } from '../../src/kernel/rejection.js';
import { type ReactionContext } from '../../src/kernel/reaction.js';
import { TestReceiver } from '../support/receiver.js';
import { eventually } from '../support/stack.js';
import { DeliveringInstance, METADATA, WebhookWorld } from '../support/webhook-world.js';

const DAY = 86_400_000;

const VERIFIED = { type: 'identity.verified', data: ANNOUNCEMENTS['identity.verified'].example } as const;

let world: WebhookWorld;
let receiver: TestReceiver;
let instance: DeliveringInstance;

beforeAll(async () => {
  world = await WebhookWorld.open();
  receiver = await TestReceiver.start();
  instance = new DeliveringInstance(world);
}, 120_000);
afterAll(async () => {
  await instance.stop();
  await receiver.stop();
  await world.close();
}, 60_000);

const deliveriesOf = (endpointId: string) =>
  world.record.list({
    endpointId,
    limit: 100,
  });

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (isRejection(error) ? error.code : error),
  );

describe('an endpoint', () => {
  it('is one of 20 at most, however many are registered at once', async () => {
    const tenantId = newTenantId();
    const outcomes = await Promise.all(
      Array.from({ length: 25 }, (_, number) =>
        rejection(world.endpoint(receiver.url(`/many/${number}`), ['identity.created'], tenantId)),
      ),
    );
    expect(outcomes.filter((code) => code === undefined)).toHaveLength(20);
    expect(outcomes.filter((code) => code === 'webhook_endpoints_used_up')).toHaveLength(5);
  }, 60_000);

  it('registered again with the same id is the first one, with its secret', async () => {
    const data = {
      tenantId: newTenantId(),
      endpointId: newUuid(),
      url: receiver.url('/again'),
      description: 'a receiver',
      events: ['identity.created'],
      metadata: METADATA,
    };
    const first = await world.register.execute({ data } as never);
    expect(await world.register.execute({ data } as never)).toEqual(first);
    expect(await world.endpointEvents(data.endpointId)).toEqual([]);
    expect(await world.reader.list(data.tenantId)).toMatchObject([{ url: data.url, description: 'a receiver' }]);
  });

  it('may not lie where the service does not call', async () => {
    expect(await rejection(world.endpoint('http://10.0.0.1/'))).toBe('invalid_field');
    expect(await rejection(world.endpoint('ftp://example.org/'))).toBe('invalid_field');
  });

  it('leaves nothing that opens once it is deleted', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/deleted'));
    await instance.jobs.wake(await world.announce([VERIFIED]));
    await eventually('the delivery', async () => (await deliveriesOf(endpointId))[0]?.status === 'delivered');
    const row = await world.index.endpoint(endpointId);
    await world.remove.execute({ data: { tenantId: world.tenantId, endpointId, metadata: METADATA } } as never);
    const events = await world.endpointEvents(endpointId);
    const deleted = events.at(-1);
    if (row === undefined || deleted === undefined) throw new Error('the endpoint was there');
    const context: ReactionContext = { effectId: newUuid(), attempt: 1, signal: new AbortController().signal };
    await world.reactor.handle(deleted, context);
    await world.reactor.handle(deleted, context);
    const keys = await world.database.query<{ id: string }>('SELECT id FROM data_keys WHERE subject LIKE $1', [
      `%${endpointId}%`,
    ]);
    expect(keys).toEqual([]);
    expect(await deliveriesOf(endpointId)).toEqual([]);
    const later = await rejection(world.endpoint(receiver.url('/deleted')));
    expect(later).toBeUndefined();
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain('127.0.0.1');
  });

  it('takes ten tests a minute', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/tested'), ['identity.created']);
    const row = await world.reader.require(world.tenantId, endpointId);
    for (let index = 0; index < 10; index += 1) {
      world.clock.advance(1_000);
      const { sent } = await world.tests.send(row, 'billing.low_balance');
      expect([sent.delivered, sent.responseStatus]).toEqual([true, 200]);
    }
    await expect(world.tests.send(row, 'billing.low_balance')).rejects.toMatchObject({
      status: 429,
      extra: { headers: { 'Retry-After': '51' } },
    });
    world.clock.advance(51_000);
    expect((await world.tests.send(row, 'billing.low_balance')).sent.delivered).toBe(true);
    expect(JSON.parse(receiver.at('/tested')[0]?.body ?? '{}')).toMatchObject({
      type: 'billing.low_balance',
      test: true,
    });
  });
});

describe('a test', () => {
  /** What its tenant is shown of the endpoint's deliveries. */
  const statuses = async (endpointId: string): Promise<readonly string[]> =>
    (await deliveriesOf(endpointId)).map(({ status }) => status);

  it('for which its host has no room leaves no delivery that waits for ever', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/full'), ['identity.created']);
    const row = await world.reader.require(world.tenantId, endpointId);
    await world.deliveries.takeHostQuota(
      world.sender.hostOf(await world.sender.receiverOf(row)),
      100,
      world.clock.now(),
    );
    await expect(world.tests.send(row, 'identity.created')).rejects.toMatchObject({ status: 429 });
    expect(await statuses(endpointId)).not.toContain('pending');
  });

  it('whose service died meanwhile is told as failed in the end', async () => {
    world.clock.advance(10_000);
    const { endpointId } = await world.endpoint(receiver.url('/dies'), ['identity.created']);
    const row = await world.reader.require(world.tenantId, endpointId);
    const died = new Error('the process was killed');
    const sends = jest.spyOn(world.sender, 'send').mockRejectedValue(died);
    await expect(world.tests.send(row, 'identity.created')).rejects.toThrow(died);
    sends.mockRestore();
    world.clock.advance(3_600_000);
    await eventually(
      'its end',
      async () => {
        await instance.jobs.reconcile();
        await instance.jobs.purge();
        return (await statuses(endpointId)).every((status) => status !== 'pending');
      },
      5_000,
    );
    expect(receiver.at('/dies')).toEqual([]);
  });
});

describe('the feed', () => {
  it('tells a tenant of its own events alone, in one order, from where its reader stopped', async () => {
    const tenantId = newTenantId();
    const streams = Array.from({ length: 5 }, () => `identity-${tenantId}_${newUuid()}`);
    const announcing = Array.from({ length: 60 }, (_, index) =>
      world.announce([VERIFIED], world.event(streams[index % 5])),
    );
    const seen: string[] = [];
    const read = async (): Promise<boolean> => {
      const page = (await world.feed.list(tenantId, seen.at(-1), 7)) ?? [];
      seen.push(...page.map(({ id }) => id));
      return seen.length === 60;
    };
    await eventually('all events', read);
    await Promise.all(announcing);
    expect(new Set(seen).size).toBe(60);
    expect((await world.feed.list(tenantId, undefined, 100))?.map(({ id }) => id)).toEqual(seen);
    expect(await world.feed.list(newTenantId(), seen[0], 7)).toBeUndefined();
  });

  it('forgets an erased identity, and everything after 30 days', async () => {
    const tenantId = newTenantId();
    const identity_id = 'idn_00000000000000000000000000000001';
    const named = { ...VERIFIED, data: { ...VERIFIED.data, identity_id } };
    await world.announce([named, VERIFIED], world.event(`identity-${tenantId}_1`));
    expect(await world.deliveries.forget(tenantId, identity_id)).toBe(1);
    expect(await world.feed.list(tenantId, undefined, 10)).toHaveLength(1);
    world.clock.advance(31 * DAY);
    await instance.jobs.purge();
    expect(await world.feed.list(tenantId, undefined, 10)).toEqual([]);
  });

  it('goes on behind an event that is older than 30 days, with the oldest that is left', async () => {
    const tenantId = newTenantId();
    const stream = `identity-${tenantId}_1`;
    await world.announce([VERIFIED, VERIFIED], world.event(stream));
    const [first, second] = (await world.feed.list(tenantId, undefined, 10)) ?? [];
    world.clock.advance(31 * DAY);
    await instance.jobs.purge();
    for (const seen of [first, second]) expect(await world.feed.list(tenantId, seen?.id, 10)).toEqual([]);
    await world.announce([VERIFIED, VERIFIED], world.event(stream));
    const left = (await world.feed.list(tenantId, undefined, 10)) ?? [];
    expect(left).toHaveLength(2);
    for (const seen of [first, second]) expect(await world.feed.list(tenantId, seen?.id, 10)).toEqual(left);
    // A stranger learns nothing of it.
    expect(await world.feed.list(newTenantId(), second?.id, 10)).toBeUndefined();
  });

  it('tells nothing of an erased identity again where its event is announced once more', async () => {
    const tenantId = newTenantId();
    const identity_id = 'idn_00000000000000000000000000000002';
    const event = world.event(`identity-${tenantId}_2`);
    const named = { ...VERIFIED, data: { ...VERIFIED.data, identity_id } };
    await world.announce([named], event);
    expect(await world.deliveries.forget(tenantId, identity_id)).toBe(1);
    await world.announce([named], event);
    expect(await world.feed.list(tenantId, undefined, 10)).toEqual([]);
  });

  it('keeps what a receiver answered sealed, without cookies, and empties it with the person', async () => {
    const tenantId = newTenantId();
    const identity_id = 'idn_00000000000000000000000000000003';
    const { endpointId } = await world.endpoint(receiver.url('/echo'), ['identity.verified'], tenantId);
    receiver.behaviours.set('/echo', ({ body }, response) =>
      response
        .writeHead(422, {
          'content-type': 'text/plain',
          'set-cookie': 'secret=1',
          cookie: 'secret=2',
          ['x'.repeat(65)]: '1',
        })
        .end(`Unknown: ${body}`),
    );
    const named = { ...VERIFIED, data: { ...VERIFIED.data, identity_id } };
    await instance.jobs.wake(await world.announce([named], world.event(`identity-${tenantId}_3`)));
    await eventually('a try', async () => (await deliveriesOf(endpointId))[0]?.attempts.length === 1);
    const [{ id } = { id: '' }] = await deliveriesOf(endpointId);
    expect(await world.record.find(newTenantId(), id)).toBeUndefined();
    const sealed = (await world.record.find(tenantId, id))?.attempts[0]?.response ?? '';
    expect(sealed).not.toContain(identity_id);
    const response = await world.responses.open(tenantId, id, 1, sealed);
    expect(response?.body).toMatch(/^Unknown: .*idn_00000000000000000000000000000003/);
    expect(response?.headers).toMatchObject({ 'content-type': 'text/plain' });
    const names = Object.keys(response?.headers ?? {});
    expect(names.filter((name) => name.includes('cookie') || name.length > 64)).toEqual([]);
    expect(await world.deliveries.forget(tenantId, identity_id)).toBe(1);
    const kept = 'SELECT response FROM webhook_attempts WHERE delivery_id = $1';
    expect(await world.database.query(kept, [id])).toEqual([{ response: null }]);
  });

  it.each([200, 503])(
    'keeps no answer %s that comes after its person was erased, and tries no more',
    async (status) => {
      const tenantId = newTenantId();
      const identity_id = 'idn_00000000000000000000000000000004';
      const { endpointId } = await world.endpoint(receiver.url(`/late/${status}`), ['identity.verified'], tenantId);
      const held: (() => void)[] = [];
      receiver.behaviours.set(`/late/${status}`, ({ body }, response) =>
        body.includes(identity_id) ? void held.push(() => response.writeHead(status).end(body)) : void response.end(),
      );
      const named = { ...VERIFIED, data: { ...VERIFIED.data, identity_id } };
      await instance.jobs.wake(await world.announce([named], world.event(`identity-${tenantId}_4`)));
      await eventually('the try', () => held.length === 1);
      expect(await world.deliveries.forget(tenantId, identity_id)).toBe(1);
      held[0]?.();
      const tries = `SELECT t.response, d.next_attempt_at AS next, d.status
      FROM webhook_attempts t JOIN webhook_deliveries d ON d.id = t.delivery_id`;
      const noted = () => world.database.query(`${tries} WHERE d.endpoint_id = $1`, [endpointId]);
      await eventually('its note', async () => (await noted()).length === 1);
      const ended = status === 200 ? 'delivered' : 'failed';
      expect(await noted()).toEqual([{ response: null, next: null, status: ended }]);
    },
  );
});
