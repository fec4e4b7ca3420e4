import { settle } from '../support/credit-account.js';
import { systemClock } from '../../src/kernel/clock.js';
import { aggregatesOf } from '../support/aggregates.js';
import 'reflect-metadata';
import { CreditRepository } from '../../src/credits/credit-repository.js';
import { DeductCredits, PurchaseCredits } from '../../src/credits/domain/credits.commands.js';
import { creditsStream } from '../../src/credits/domain/credits.events.js';
import { newUuid } from '../../src/kernel/ids.js';
import { Database } from '../../src/platform/postgres/database.js';
import { PAGE, SimulatedEventStore } from '../support/simulated-event-store.js';
import { createServiceDatabase, eventually } from '../support/stack.js';
import { type Answer, fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';
import { TENANT } from './http-test-parts.js';

const DEAD_AFTER = 1_000;
const CAUSE = { requestId: newUuid(), actor: { type: 'system', id: 'spec' } } as const;

describe('a keyed request whose process died after it was charged', () => {
  let database: Database;
  let app: TestApp;
  let release: () => void = () => undefined;

  beforeAll(async () => {
    database = new Database({ connectionString: await createServiceDatabase() });
    app = await startTestApp({ database, deadAfter: DEAD_AFTER });
  }, 60_000);

  afterAll(async () => {
    release();
    await app.close();
    await database.close();
  });

  const post = (): Promise<Answer> =>
    app.call('POST', '/things', {
      key: 'good',
      body: PERSON,
      headers: { ...fromNewAddress(), 'Idempotency-Key': 'the key' },
    });

  it('is answered as it was charged, though the clock of the event store was set back before it', async () => {
    const store = new SimulatedEventStore({ now: () => new Date(Date.now() - 3_600_000) });
    const ledger = new CreditRepository(store, aggregatesOf(store), systemClock);
    const purchase = {
      reference: 'first',
      package: 'small',
      credits: 50,
      amountMinor: 1,
      origin: 'checkout',
    } as const;
    await ledger.execute(new PurchaseCredits(TENANT, purchase, CAUSE), 1_500);
    const deduct = (deductionId: string): Promise<unknown> => {
      const data = { deductionId, operation: 'check_eligibility', amount: 1, requestId: CAUSE.requestId } as const;
      return ledger.execute(new DeductCredits(TENANT, data, CAUSE), 1_500);
    };
    app.deductions.ledger = ledger;
    app.scenario.operation = async ({ keyed }) => {
      if (keyed === undefined) throw new Error('the request is not keyed');
      await deduct(keyed.deductionId);
      await keyed.keepAnswer(200, '{"charged":"once"}', { kind: 'tenant' });
      await ledger.execute(settle(keyed.deductionId, 1, TENANT), 1_500);
      return new Promise((resolve) => (release = () => resolve({})));
    };
    void post().catch(() => undefined);
    await eventually('the settlement', () => store.streams.get(creditsStream(TENANT))?.length === 3);
    for (let index = 0; index < 2 * PAGE; index += 1) await deduct(newUuid());
    await new Promise((resolve) => setTimeout(resolve, DEAD_AFTER + 50));
    expect(await post()).toMatchObject({ status: 200, json: { charged: 'once' } });
    expect(app.scenario.calls).toBe(1);
  });
});
