import { jest } from '@jest/globals';
import { CreditRepository } from '../../src/credits/credit-repository.js';
import {
  ChargeOperation,
  ConfigureAutoRecharge,
  type CreditCommand,
  PurchaseCredits,
} from '../../src/credits/domain/credits.commands.js';
import { type CreditEvent, creditsStream } from '../../src/credits/domain/credits.events.js';
import { systemClock } from '../../src/kernel/clock.js';
import { type Recorded } from '../../src/kernel/events.js';
import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { aggregatesOf } from '../support/aggregates.js';
import { access, metadata } from '../support/credit-account.js';
import { type EventStoreNode, startEventStore } from '../support/event-store-node.js';

jest.setTimeout(180_000);

const BUDGET = 60_000;
const entry = { operation: 'check_eligibility', action: 'eligibility_check', result: 'found', access } as const;

let node: EventStoreNode;
const stores: GrpcEventStore[] = [];

beforeAll(async () => {
  node = await startEventStore();
});

afterAll(async () => {
  for (const store of stores) await store.close();
  await node.stop();
});

/** The credits of one instance of the service. */
const startInstance = (): CreditRepository => {
  const store = new GrpcEventStore({ connectionString: node.connectionString, budgetMs: BUDGET });
  stores.push(store);
  return new CreditRepository(store, aggregatesOf(store), systemClock);
};

const eventsOf = async (tenantId: TenantId): Promise<Recorded<CreditEvent>[]> => {
  const events: Recorded<CreditEvent>[] = [];
  for await (const page of stores[0]?.readPages(creditsStream(tenantId)) ?? [])
    events.push(...(page as readonly Recorded<CreditEvent>[]));
  return events;
};

const charge = (tenantId: TenantId): CreditCommand =>
  new ChargeOperation(tenantId, { chargeId: newUuid(), amount: 1, requestId: 'r', ...entry }, metadata);

const purchase = (tenantId: TenantId, reference: string, origin: 'checkout' | 'auto_recharge', credits: number) =>
  new PurchaseCredits(tenantId, { reference, package: 'small', credits, amountMinor: 12_000, origin }, metadata);

const open = async (instance: CreditRepository, balance: number, threshold: number): Promise<TenantId> => {
  const tenantId = newTenantId();
  await instance.execute(purchase(tenantId, newUuid(), 'checkout', balance), BUDGET);
  const setting = { enabled: true, threshold, package: 'small' } as const;
  await instance.execute(new ConfigureAutoRecharge(tenantId, setting, metadata), BUDGET);
  return tenantId;
};

const chargeAtOnce = (instances: readonly CreditRepository[], tenantId: TenantId, times: number) =>
  Promise.all(
    Array.from({ length: times }, (_, index) => instances[index % instances.length]?.execute(charge(tenantId), BUDGET)),
  );

const requested = (events: readonly CreditEvent[]) => events.filter(({ type }) => type === 'AutoRechargeRequested.v1');

describe('a thousand deductions at once on two instances', () => {
  it('ask for one recharge while one is in flight, and tell each threshold once', async () => {
    const instances = [startInstance(), startInstance()];
    const tenantId = await open(instances[0] as CreditRepository, 1_100, 1_000);
    await chargeAtOnce(instances, tenantId, 1_000);
    // A process that starts anew knows it from the log.
    await chargeAtOnce([startInstance()], tenantId, 50);
    const events = await eventsOf(tenantId);
    expect(requested(events)).toHaveLength(1);
    const alerts = events.flatMap((event) => (event.type === 'LowBalanceReached.v1' ? [event.data] : []));
    expect(alerts.map(({ threshold, severity }) => [threshold, severity])).toEqual([
      [220, 'warning'],
      [55, 'critical'],
    ]);
    // Each stands directly behind the charge that crossed.
    for (const [index, event] of events.entries())
      if (event.type === 'LowBalanceReached.v1') expect(events[index - 1]?.type).toBe('OperationCharged.v1');
  });

  it('are recharged as often as the level needs, one payment after the other', async () => {
    const instances = [startInstance(), startInstance()];
    const [one] = instances as [CreditRepository];
    const tenantId = await open(one, 300, 250);
    for (let paid = 0; paid < 3; paid += 1) {
      // Payments are smaller than the level asks for, so that one purchase is not always enough.
      await Promise.all([
        chargeAtOnce(instances, tenantId, 100),
        (async () => {
          const { state } = await one.current(tenantId, 'r', BUDGET);
          const { inFlight } = state.recharge;
          if (inFlight !== null) await one.execute(purchase(tenantId, inFlight, 'auto_recharge', 150), BUDGET);
        })(),
      ]);
    }
    let inFlight: string | null = null;
    let balance = 0;
    for (const event of await eventsOf(tenantId)) {
      if (event.type === 'AutoRechargeRequested.v1') {
        expect(inFlight).toBeNull();
        expect(event.data.currentBalance).toBe(balance);
        expect(balance).toBeLessThan(250);
        inFlight = event.data.purchaseId;
      } else if (event.type === 'CreditsRecharged.v1') {
        expect(event.data.reference).toBe(inFlight);
        inFlight = null;
        balance += event.data.credits;
      } else if (event.type === 'CreditsPurchased.v1') balance += event.data.credits;
      else if (event.type === 'OperationCharged.v1') balance -= event.data.amount;
      expect(balance).toBeGreaterThanOrEqual(0);
    }
    expect((await one.current(tenantId, 'r', BUDGET)).state).toMatchObject({ balance, recharge: { inFlight } });
  });
});
