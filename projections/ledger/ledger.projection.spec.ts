import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid, tenantUuid } from '../../src/kernel/ids.js';
import { ledger } from './ledger.projection.js';

const tenantId = newTenantId();

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
  stream: `credits-${tenantId}`,
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
  ledger
    .project(events)
    .filter(({ text }) => text.includes(`INTO ${table} `) || text.includes(`INTO ${table}\n`))
    .flatMap(({ values }) => JSON.parse(String(values[0])) as unknown[]);

describe('the ledger projection', () => {
  it('takes as many statements for a thousand deductions as for ten', () => {
    const statementsFor = (count: number) =>
      ledger.project(Array.from({ length: count }, (_, index) => deducted(index, newUuid()))).length;
    expect(statementsFor(1_000)).toBe(statementsFor(10));
  });

  it('never writes down as open what the same batch settles', () => {
    const [one, other] = [newUuid(), newUuid()];
    const entry = { action: 'report_created', result: 'ok', access: {} };
    const settled = event(2, 'DeductionSettled.v1', { deductionId: one, ...entry });
    expect(rowsFor([deducted(0, one), deducted(1, other), settled], 'open_deductions')).toMatchObject([
      { deduction_id: other },
    ]);
  });

  it('counts a refunded deduction as no use', () => {
    const id = newUuid();
    const refunded = event(1, 'DeductionRefunded.v1', {
      ...{ deductionId: id, operation: 'check_eligibility', amount: 1, reason: 'deadline' },
    });
    expect(rowsFor([deducted(0, id), refunded], 'usage_by_day')).toEqual([
      { tenant_id: tenantId, day: '2026-02-03', operation: 'check_eligibility', actor: 'service', credits: 0 },
    ]);
    expect(rowsFor([deducted(0, id), refunded], 'balances')).toEqual([
      { tenant_id: tenantId, tenant: tenantUuid(tenantId), amount: 0, transactions: 2 },
    ]);
  });

  it('has one row for a charge, of which each column is one array, with the balance that the event tells', () => {
    const charges = [1, 2].map((revision) =>
      event(revision, 'OperationCharged.v1', {
        chargeId: newUuid(),
        operation: 'check_eligibility',
        amount: 1,
        balance: 90 - revision,
        action: 'eligibility_check',
        result: 'found',
        access: { ct: revision },
      }),
    );
    const statements = ledger.project(charges);
    expect(statements.filter(({ text }) => text.includes('INTO credit_transactions'))).toHaveLength(1);
    expect(statements.filter(({ text }) => text.includes('INTO audit_entries'))).toEqual([]);
    expect(statements[0]?.values).toEqual(
      expect.arrayContaining([
        ['1', '2'],
        [89, 88],
        ['{"ct":1}', '{"ct":2}'],
      ]),
    );
    expect(rowsFor(charges, 'audit_days')).toEqual([
      {
        ...{ tenant_id: tenantId, day: '2026-02-03', entries: 2 },
        ...{ action: 'eligibility_check', result: 'found', actor: 'service' },
      },
    ]);
  });

  it('lets a batch end with each purge of many rows, and with no other event', () => {
    const purge = (stream: string): StoredEvent => event(1, 'StreamPurged.v1', { stream });
    const ends = (one: StoredEvent): boolean | undefined => ledger.endsBatch?.(one);
    expect([`audit-${tenantId}`, `credits-${tenantId}`].map((stream) => ends(purge(stream)))).toEqual([true, true]);
    expect([purge(`ingestion-${tenantId}_1`), deducted(0, newUuid())].map(ends)).toEqual([false, false]);
  });

  it('leaves events alone that it does not know', () => {
    expect(ledger.project([event(0, 'SomethingLater.v1', {})])).toEqual([]);
  });
});
