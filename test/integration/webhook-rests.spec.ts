import { ANNOUNCEMENTS } from '../../src/contract/collected.js';
import { answering, TestReceiver } from '../support/receiver.js';
import { eventually } from '../support/stack.js';
import { DeliveringInstance, WebhookWorld } from '../support/webhook-world.js';

const MINUTE = 60_000;

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

describe('a receiver that is not up yet', () => {
  it('is asked once by a burst of events, then by the schedule, and gets all of them', async () => {
    receiver.unwilling.add('/later');
    receiver.behaviours.set('/later', answering(500));
    const { endpointId } = await world.endpoint(receiver.url('/later'), ['identity.verified']);
    for (let burst = 0; burst < 10; burst += 1) {
      await announceAndWake(5);
      await quiet(endpointId);
    }
    expect(receiver.at('/later')).toHaveLength(1);
    world.clock.advance(6_001);
    await instance.jobs.reconcile();
    await eventually('the second challenge', () => receiver.at('/later').length > 1);
    await quiet(endpointId);
    expect(receiver.at('/later')).toHaveLength(2);
    expect((await world.index.endpoint(endpointId))?.active).toBe(true);
    receiver.unwilling.delete('/later');
    receiver.behaviours.delete('/later');
    world.clock.advance(6 * MINUTE);
    await instance.jobs.reconcile();
    await eventually('all events', () => new Set(receiver.ids('/later')).size >= 50);
    await quiet(endpointId);
  });

  it('of 429 or 503 is asked again when it said, and its record says so', async () => {
    const { endpointId } = await world.endpoint(receiver.url('/busy'), ['identity.verified']);
    await announceAndWake(1);
    await quiet(endpointId);
    receiver.received.length = 0;
    receiver.behaviours.set('/busy', answering(429, { 'retry-after': '20' }));
    await announceAndWake(1);
    await quiet(endpointId);
    expect(receiver.at('/busy')).toHaveLength(1);
    await announceAndWake(3);
    world.clock.advance(19_000);
    await quiet(endpointId);
    expect(receiver.at('/busy')).toHaveLength(1);
    receiver.behaviours.delete('/busy');
    world.clock.advance(1_000);
    await quiet(endpointId);
    await eventually('all events', () => new Set(receiver.ids('/busy')).size === 4);
    const rows = await deliveriesOf(endpointId);
    expect(rows.flatMap(({ attempts }) => attempts.map(({ retry_after: after }) => after)).filter(Boolean)).toEqual([
      20,
    ]);
  });
});
