import { jest } from '@jest/globals';
import { ANNOUNCEMENTS } from '../../src/kernel/contract.js';
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

describe('an endpoint with a month of deliveries', () => {
  const DELIVERED = 20_000;
  const FAILED = 3;
  let endpointId: string;

  interface Plan {
    readonly 'Actual Rows': number;
    readonly 'Actual Loops': number;
    readonly 'Rows Removed by Filter'?: number;
    readonly 'Rows Removed by Join Filter'?: number;
    readonly Plans?: readonly Plan[];
  }

  /** Rows that a statement took into its hands. */
  const touched = (plan: Plan): number =>
    plan['Actual Loops'] *
      (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0)) +
    (plan.Plans ?? []).reduce((sum, each) => sum + touched(each), 0);

  /** The rows that the only statement of this work touches. */
  const rowsTouchedBy = async (work: () => Promise<unknown>): Promise<number> => {
    const spy = jest.spyOn(world.database, 'query');
    await work();
    const [statement] = spy.mock.calls;
    spy.mockRestore();
    if (statement === undefined) throw new Error('it asks Postgres');
    const [text, values] = statement;
    const [row] = await world.database.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    const [explained] = row?.['QUERY PLAN'] ?? [];
    if (explained === undefined) throw new Error('a statement has a plan');
    return touched(explained.Plan);
  };

  beforeAll(async () => {
    ({ endpointId } = await world.endpoint(receiver.url('/month'), []));
    await world.announce([VERIFIED]);
    // The oldest ones failed.
    for (const [status, count] of [
      ['failed', FAILED],
      ['delivered', DELIVERED],
    ] as const)
      await world.database.query(
        `INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, announcement, stream, status, created_at)
         SELECT gen_random_uuid(), $1, $2::uuid, (SELECT max(seq) FROM announcements), 's', $3, $4
         FROM generate_series(1, $5::integer)`,
        [world.tenantId, endpointId, status, world.clock.now(), count],
      );
    await world.database.query('ANALYZE webhook_deliveries');
  }, 60_000);

  it.each(['failed', 'pending'] as const)('finds those that are %s without a look at the others', async (status) => {
    const rows = await rowsTouchedBy(() => world.record.list({ endpointId, status, limit: 50 }));
    expect(rows).toBeLessThan(200);
    expect(await world.record.list({ endpointId, status, limit: 50 })).toHaveLength(status === 'failed' ? FAILED : 0);
  });
});
