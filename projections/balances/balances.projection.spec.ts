import { type StoredEvent } from '../../src/kernel/events.js';
import { newUuid } from '../../src/kernel/ids.js';
import { balances } from './balances.projection.js';

const event = (revision: number, type: string, data: object): StoredEvent => ({
  id: newUuid(),
  type,
  data,
  metadata: {
    $correlationId: 'request',
    actor: { type: 'tenant', id: 'k' },
    time: '2026-02-03T04:05:06.000Z',
    schemaVersion: 1,
  },
  stream: 'credits-t1',
  revision: BigInt(revision),
  position: BigInt(revision),
  created: new Date(0),
});

const deducted = (revision: number, deductionId: string): StoredEvent =>
  event(revision, 'CreditsDeducted.v1', {
    deductionId,
    operation: 'check_eligibility',
    amount: 1,
    requestId: 'request',
  });

const rowsFor = (events: readonly StoredEvent[], table: string): unknown[] =>
  balances
    .project(events)
    .filter(({ text }) => text.includes(`INTO ${table} `) || text.includes(`INTO ${table}\n`))
    .flatMap(({ values }) => JSON.parse(String(values[0])) as unknown[]);

describe('the balances projection', () => {
  it('takes a handful of statements for a thousand deductions', () => {
    const events = Array.from({ length: 1_000 }, (_, index) => deducted(index, newUuid()));
    expect(balances.project(events)).toHaveLength(4);
  });

  it('never writes down as open what the same batch settles', () => {
    const [one, other] = [newUuid(), newUuid()];
    const settled = event(2, 'DeductionsSettled.v1', { deductionIds: [one] });
    expect(rowsFor([deducted(0, one), deducted(1, other), settled], 'open_deductions')).toMatchObject([
      { deduction_id: other },
    ]);
  });

  it('counts a refunded deduction as no use', () => {
    const id = newUuid();
    const refunded = event(1, 'DeductionRefunded.v1', { deductionId: id, amount: 1, reason: 'deadline' });
    expect(rowsFor([deducted(0, id), refunded], 'usage_by_day')).toEqual([
      { tenant_id: 't1', day: '2026-02-03', operation: 'check_eligibility', credits: 0 },
    ]);
    expect(rowsFor([deducted(0, id), refunded], 'balances')).toEqual([{ tenant_id: 't1', amount: 0, transactions: 2 }]);
  });

  it('leaves events alone that it does not know', () => {
    expect(balances.project([event(0, 'SomethingLater.v1', {})])).toEqual([]);
  });
});
