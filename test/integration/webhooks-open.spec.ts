import { jest } from '@jest/globals';
import { ANNOUNCEMENTS } from '../../src/contract/collected.js';
import { newUuid } from '../../src/kernel/ids.js';
import { TestReceiver } from '../support/receiver.js';
import { eventually } from '../support/stack.js';
import { DeliveringInstance, METADATA, WebhookWorld } from '../support/webhook-world.js';

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

describe('a great number of open deliveries', () => {
  /** Adds deliveries of one announcement, each of a stream of its own, and due now. */
  const pile = async (endpointIds: readonly string[], each: number): Promise<void> => {
    await world.announce([VERIFIED]);
    await world.database.query(
      `INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, announcement, stream, status, created_at, next_attempt_at)
       SELECT gen_random_uuid(), $1, endpoint_id, (SELECT max(seq) FROM announcements), 'pile-' || place, 'pending', $3, $3
       FROM unnest($2::uuid[]) AS e(endpoint_id), generate_series(1, $4::integer) AS place`,
      [world.tenantId, endpointIds, world.clock.now(), each],
    );
  };

  it('is worked off a few rows at a time, however many wait', async () => {
    // A host takes a hundred requests at once.
    world.clock.advance(1_000);
    const { endpointId } = await world.endpoint(receiver.url('/pile'), []);
    await pile([endpointId], 5_000);
    const rows: number[] = [];
    const query = world.database.query.bind(world.database);
    const spy = jest.spyOn(world.database, 'query').mockImplementation(async (...statement) => {
      const answer = await query(...statement);
      rows.push(answer.length);
      return answer as never;
    });
    await instance.jobs.reconcile();
    await eventually('some deliveries', () => receiver.at('/pile').length >= 90);
    spy.mockRestore();
    expect(Math.max(...rows)).toBeLessThanOrEqual(64);
    await world.remove.execute({ data: { tenantId: world.tenantId, endpointId, metadata: METADATA } } as never);
    await world.deliveries.remove(endpointId, 5_000);
  });

  it('of many endpoints is found a page at a time, and none is missed', async () => {
    const endpointIds = Array.from({ length: 25 }, newUuid);
    await pile(endpointIds, 3);
    for (const atOnce of [1, 5, 7, 100]) {
      const found = await world.endpointsDue(atOnce);
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(endpointIds));
    }
    for await (const page of world.deliveries.endpointsDue(world.clock.now(), 5))
      expect(page.length).toBeLessThanOrEqual(5);
    for (const endpointId of endpointIds) await world.deliveries.remove(endpointId, 3);
  });
});
