import { carriedForward, refunded, settle, settled } from '../../test/support/credit-account.js';
import { systemClock } from '../kernel/clock.js';
import { aggregatesOf } from '../../test/support/aggregates.js';
import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { CreditRepository } from './credit-repository.js';
import { DeductCredits, PurchaseCredits, RefundDeduction } from './domain/credits.commands.js';
import { type CreditEvent, creditsStream } from './domain/credits.events.js';

describe('what became of a deduction', () => {
  const tenantId = newTenantId();
  const append = async (store: SimulatedEventStore, ...events: CreditEvent[]): Promise<void> => {
    const metadata = {
      $correlationId: newUuid(),
      actor: { type: 'system', id: 'spec' },
      time: new Date().toISOString(),
      schemaVersion: 1,
    } as const;
    await store.append(
      creditsStream(tenantId),
      events.map((event) => ({ id: newUuid(), ...event, metadata })),
      'any',
    );
  };

  it('is told by a stream that begins with a balance carried forward', async () => {
    const store = new SimulatedEventStore();
    const ledger = new CreditRepository(store, aggregatesOf(store), systemClock);
    const open = ['d1', 'd2', 'd3'].map(
      (deductionId) => ({ deductionId, operation: 'check_eligibility', amount: 1 }) as const,
    );
    await append(store, carriedForward('2033-11', 7, open), settled('d2'), refunded('d3', 1));
    const states = ['d1', 'd2', 'd3', 'd4'].map((id) => ledger.stateOf(tenantId, id, -1n));
    expect(await Promise.all(states)).toEqual(['open', 'settled', 'refunded', 'unknown']);
  });
});

const PURCHASE = { credits: 5, reference: 'first', package: 'small', amountMinor: 1, origin: 'checkout' } as const;

describe('reading the accounts after a start', () => {
  const metadata = { requestId: newUuid(), actor: { type: 'system', id: 'spec' } } as const;

  it('counts every event once where the store breaks the reading off', async () => {
    const store = new SimulatedEventStore();
    const tenantId = newTenantId();
    const before = new CreditRepository(store, aggregatesOf(store), systemClock);
    const deduct = (deductionId: string) =>
      new DeductCredits(
        tenantId,
        { deductionId, operation: 'check_eligibility', amount: 1, requestId: newUuid() },
        metadata,
      );
    await before.execute(new PurchaseCredits(tenantId, { ...PURCHASE, credits: 20 }, metadata), 5_000);
    for (let n = 0; n < 15; n += 1) await before.execute(deduct(`d${n}`), 5_000);
    for (const id of ['d0', 'd1', 'd14']) await before.execute(settle(id, 1, tenantId), 5_000);
    await before.execute(new RefundDeduction(tenantId, { deductionId: 'd2', reason: 'abandoned' }, metadata), 5_000);
    let pages = 0;
    const readPages = store.readPages.bind(store);
    store.readPages = async function* (stream, options) {
      for await (const page of readPages(stream, options)) {
        yield page;
        if ((pages += 1) % 2 === 1) throw new Unavailable('event_store');
      }
    };
    const { state } = await new CreditRepository(store, aggregatesOf(store), systemClock).current(
      tenantId,
      newUuid(),
      5_000,
    );
    expect(state.balance).toBe(6);
    expect([...state.open].map(([id]) => id)).toEqual(Array.from({ length: 11 }, (_, n) => `d${n + 3}`));
    expect(pages).toBeGreaterThan(1);
  });

  it('takes a few at a time, so that each is read before its callers have gone', async () => {
    const store = new SimulatedEventStore({ delay: () => 3 });
    let reading = 0;
    let most = 0;
    const readPages = store.readPages.bind(store);
    store.readPages = async function* (stream, options) {
      most = Math.max(most, (reading += 1));
      for await (const page of readPages(stream, options)) yield page;
      reading -= 1;
    };
    const ledger = new CreditRepository(store, aggregatesOf(store), systemClock);
    const purchases = Array.from({ length: 64 }, () =>
      ledger.execute(new PurchaseCredits(newTenantId(), PURCHASE, metadata), 5_000),
    );
    expect((await Promise.all(purchases)).every(({ state }) => state.balance === 5)).toBe(true);
    expect(most).toBe(8);
  });
});
