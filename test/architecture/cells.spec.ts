import { createHash } from 'node:crypto';
import { type CreditAccount } from '../../src/credits/domain/credit-account.js';
import { creditAccount } from '../../src/credits/domain/credits.js';
import { AdjustCredits, ChargeOperation } from '../../src/credits/domain/credits.commands.js';
import { type CreditEvent } from '../../src/credits/domain/credits.events.js';
import { isRejection } from '../../src/kernel/rejection.js';
import { deriveUuid, type TenantId } from '../../src/kernel/ids.js';

/** What docs/scale.md claims of tenants that are divided over cells. */
const TENANTS = 10_000;
const CELLS = 16;

/** Rendezvous hashing: the cells in the order in which the tenant would take them. One that comes or goes moves no tenant of another. */
const ranked = (tenant: number): readonly number[] => {
  const weights = Array.from({ length: CELLS }, (_, cell) =>
    createHash('sha256').update(`${cell}/${tenant}`).digest().readUInt32BE(),
  );
  return weights.map((_, cell) => cell).sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));
};
const cellOf = (tenant: number): number => ranked(tenant)[0] ?? 0;

/** The nth tenant has 1/n of the first one's load. */
const loadOf = (tenant: number): number => 1 / (tenant + 1);
const MEAN = Array.from({ length: TENANTS }, (_, tenant) => loadOf(tenant)).reduce((sum, load) => sum + load) / CELLS;

/** Loads of the cells by their means, the fullest first. The largest go where most room is, all others where they hash to and room is. */
const spread = (placed: number, room: number): readonly number[] => {
  const cells = Array<number>(CELLS).fill(0);
  for (let tenant = 0; tenant < TENANTS; tenant += 1) {
    const load = loadOf(tenant);
    const emptiest = cells.indexOf(Math.min(...cells));
    const hasRoom = (cell: number): boolean => (cells[cell] ?? 0) + load <= room * MEAN;
    const cell = tenant < placed ? emptiest : (ranked(tenant).find(hasRoom) ?? emptiest);
    cells[cell] = (cells[cell] ?? 0) + load;
  }
  return cells.map((load) => load / MEAN).sort((one, other) => other - one);
};

describe('tenants over 16 cells', () => {
  it('are divided unevenly by a hash alone, and as evenly as the largest allows where cells have a limit', () => {
    expect(spread(0, Infinity)[0]).toBeGreaterThan(2);
    const [fullest = 0, second = 0] = spread(100, 1.1);
    // The largest tenant alone is more than a cell's share.
    expect(fullest).toBeCloseTo(loadOf(0) / MEAN, 2);
    expect(second).toBeLessThan(1.11);
  });

  it('keep every credit while they move in the midst of their commands', () => {
    const logs = Array.from({ length: CELLS }, () => new Map<number, CreditEvent[]>());
    const homes = Array.from({ length: TENANTS }, (_, tenant) => cellOf(tenant));
    const expected = Array<number>(TENANTS).fill(0);
    const streamOf = (tenant: number): CreditEvent[] => logs[homes[tenant] ?? 0]?.get(tenant) ?? [];
    const fold = (events: readonly CreditEvent[]): CreditAccount =>
      events.reduce(creditAccount.evolve, creditAccount.initialState());
    const metadata = { requestId: 'r', actor: { type: 'system', id: 'spec' } } as const;
    let random = 1;
    const below = (limit: number): number => {
      random = (random * 48_271) % 2_147_483_647;
      return random % limit;
    };
    for (let command = 0; command < 200_000; command += 1) {
      const tenant = below(TENANTS);
      const tenantId = `t${String(tenant).padStart(26, '0')}` as TenantId;
      if (below(20) === 0) {
        const events = streamOf(tenant);
        logs[homes[tenant] ?? 0]?.delete(tenant);
        homes[tenant] = below(CELLS);
        logs[homes[tenant]]?.set(tenant, events);
      }
      const chargeId = deriveUuid('0d6b1d5e-8d5b-4f4a-9a58-0f7f0a2f7c61', String(command));
      const isCharge = below(3) > 0;
      const data = { operation: 'check_eligibility', action: 'eligibility_check', result: 'found', chargeId };
      const made = isCharge
        ? new ChargeOperation(tenantId, { ...data, amount: 1 } as never, metadata)
        : new AdjustCredits(tenantId, { reference: chargeId, amount: 2, reason: null } as never, metadata);
      try {
        const events = creditAccount.decide(Object.assign(made, { today: '2026-11-25' }), fold(streamOf(tenant)));
        logs[homes[tenant] ?? 0]?.set(tenant, [...streamOf(tenant), ...events]);
        expected[tenant] = (expected[tenant] ?? 0) + (isCharge ? -1 : 2);
      } catch (error) {
        if (!isRejection(error, 'credits_depleted')) throw error;
        expect(expected[tenant]).toBe(0);
      }
    }
    const balances = homes.map((_, tenant) => fold(streamOf(tenant)).balance);
    expect(balances).toEqual(expected);
    expect(Math.min(...balances)).toBeGreaterThanOrEqual(0);
  });
});
