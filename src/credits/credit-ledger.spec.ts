import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { systemClock } from '../kernel/clock.js';
import { Unavailable } from '../kernel/unavailable.js';
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

  /** A stream of `deductions`, each settled, and a ledger over it; `reading` is called before each reading of a page. */
  const settledOnes = async (deductions: number, reading: () => void) => {
    let failing = false;
    const store = new SimulatedEventStore({ readFails: () => (reading(), failing) });
    const ids = Array.from({ length: deductions }, (_, index) => `d${index}`);
    for (const deductionId of ids) {
      const deducted = { deductionId, operation: 'check_eligibility', amount: 1, requestId: newUuid() } as const;
      await append(store, { type: 'CreditsDeducted.v1', data: deducted });
    }
    await append(store, { type: 'DeductionsSettled.v1', data: { deductionIds: ids } });
    const ledger = new CreditLedger(store, undefined as unknown as Snapshots, systemClock);
    return { ids, ledger, store, fail: (fails: boolean) => (failing = fails) };
  };

  it('is read once for all who ask at once: a reading for each would keep a slow store from ever answering', async () => {
    let readings = 0;
    const { ids, ledger } = await settledOnes(40, () => (readings += 1));
    const asked = [...ids, 'never landed'].map((id) => ledger.stateOf(tenantId, id, new Date()));
    expect(new Set((await Promise.all(asked)).slice(0, -1))).toEqual(new Set(['settled']));
    expect(await asked.at(-1)).toBe('unknown');
    expect(readings).toBe(1);
  });

  it('is never answered from a reading that began before the question', async () => {
    let during: (() => void) | undefined;
    const { ledger, store } = await settledOnes(3, () => during?.());
    let late: Promise<string> | undefined;
    during = () => {
      during = undefined;
      late = append(store, { type: 'DeductionsSettled.v1', data: { deductionIds: ['late'] } }).then(() =>
        ledger.stateOf(tenantId, 'late', new Date()),
      );
    };
    expect(await ledger.stateOf(tenantId, 'never landed', new Date())).toBe('unknown');
    expect(await late).toBe('settled');
  });

  it('is unknown to those only for whom the reading failed', async () => {
    const { ids, ledger, fail } = await settledOnes(3, () => undefined);
    fail(true);
    const refused = ids.map((id) => ledger.stateOf(tenantId, id, new Date()).catch((error: unknown) => error));
    expect((await Promise.all(refused)).every((error) => error instanceof Unavailable)).toBe(true);
    fail(false);
    expect(await ledger.stateOf(tenantId, 'd0', new Date())).toBe('settled');
  });

  it('is sought as far back as the earliest question reaches', async () => {
    const { ledger, store } = await settledOnes(3, () => undefined);
    const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
    const [first, second] = store.streams.get(creditsStream(tenantId)) ?? [];
    Object.assign(first ?? {}, { data: { deductionId: 'old' }, created: hoursAgo(2) });
    Object.assign(second ?? {}, { created: hoursAgo(1) });
    expect(await ledger.stateOf(tenantId, 'old', new Date())).toBe('unknown');
    const both = [ledger.stateOf(tenantId, 'd2', new Date()), ledger.stateOf(tenantId, 'old', hoursAgo(3))];
    expect(await Promise.all(both)).toEqual(['settled', 'open']);
  });
});
