import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { systemClock } from '../kernel/clock.js';
import { type Snapshots } from '../platform/eventstore/snapshots.js';
import { CreditLedger } from './credit-ledger.js';
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
    const ledger = new CreditLedger(store, undefined as unknown as Snapshots, systemClock);
    const open = ['d1', 'd2', 'd3'].map(
      (deductionId) => ({ deductionId, operation: 'check_eligibility', amount: 1 }) as const,
    );
    await append(
      store,
      { type: 'BalanceCarriedForward.v1', data: { period: '2033-11', balance: 7, open, references: [] } },
      { type: 'DeductionsSettled.v1', data: { deductionIds: ['d2'] } },
      { type: 'DeductionRefunded.v1', data: { deductionId: 'd3', amount: 1, reason: 'abandoned' } },
    );
    const states = ['d1', 'd2', 'd3', 'd4'].map((id) => ledger.stateOf(tenantId, id, new Date()));
    expect(await Promise.all(states)).toEqual(['open', 'settled', 'refunded', 'unknown']);
  });
});
