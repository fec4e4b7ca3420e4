import { ANNOUNCEMENTS } from '../../src/kernel/contract.js';
import { newTenantId, type TenantId } from '../../src/kernel/ids.js';
import { TestReceiver } from '../support/receiver.js';
import { eventually } from '../support/stack.js';
import { DeliveringInstance, WebhookWorld } from '../support/webhook-world.js';
import { agreeing, delivered } from '../support/attack/webhook-receivers.js';

const VERIFIED = { type: 'identity.verified', data: ANNOUNCEMENTS['identity.verified'].example } as const;
const ACCOUNTS = 3;
const EVENTS_EACH = 150;
/** What a receiver of whatever size takes in one moment. */
const AT_ONCE = 100;
const LATER_MS = 1_000;

let world: WebhookWorld;
let receiver: TestReceiver;
let instances: readonly DeliveringInstance[];

beforeAll(async () => {
  world = await WebhookWorld.open();
}, 120_000);
afterAll(() => world.close(), 60_000);

beforeEach(async () => {
  receiver = await TestReceiver.start();
  instances = [new DeliveringInstance(world), new DeliveringInstance(world)];
});
afterEach(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await receiver.stop();
});

const subscribed = async (path: string, tenantId: TenantId): Promise<string> => {
  receiver.behaviours.set(path, agreeing);
  const { endpointId } = await world.endpoint(receiver.url(path), ['identity.verified'], tenantId);
  const row = (await world.index.ofTenant(tenantId)).find((each) => each.endpointId === endpointId);
  if (row === undefined) throw new Error('an endpoint has a row');
  await world.tests.send(row, 'identity.verified');
  return endpointId;
};

const reconcile = (): Promise<unknown> => Promise.all(instances.map(({ jobs }) => jobs.reconcile()));

/** At this time of the world nothing more is sent. */
const untilStill = async (): Promise<void> => {
  let [before, looks] = [-1, 0];
  await eventually('an end of what can be sent at this time', async () => {
    await reconcile();
    looks = receiver.received.length === before ? looks + 1 : 0;
    before = receiver.received.length;
    return looks > 20;
  });
};

const PATHS = Array.from({ length: ACCOUNTS }, (_, number) => `/account-${number}`);

const arrived = (): number => PATHS.reduce((sum, path) => sum + delivered(receiver, path).length, 0);

describe('endpoints of several accounts at one host', () => {
  it('get no more in one moment than a host can bear, and everything in the end', async () => {
    const accounts = PATHS.map(() => newTenantId());
    for (const [number, path] of PATHS.entries()) await subscribed(path, accounts[number] as TenantId);
    const [tests, before] = [arrived(), receiver.received.length];
    const events = accounts.flatMap((tenantId) =>
      Array.from({ length: EVENTS_EACH }, () => world.event(`identity-${tenantId}_${crypto.randomUUID()}`)),
    );
    const woken = await Promise.all(events.map((event) => world.announce([VERIFIED], event)));
    await instances[0]?.jobs.wake([...new Set(woken.flat())]);
    // The clock stands still meanwhile.
    await untilStill();
    const atOnce = receiver.received.length - before;
    for (let moment = 0; moment < EVENTS_EACH && arrived() < tests + events.length; moment += 1) {
      world.clock.advance(LATER_MS);
      await untilStill();
    }
    expect(arrived() - tests).toBe(events.length);
    expect(atOnce).toBeLessThanOrEqual(AT_ONCE);
  }, 240_000);
});
