import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { screening } from './screening.projection.js';

const tenantId = newTenantId();
const record = { v: 1, alg: 'A256GCM', key: newUuid(), iv: 'i', ct: 'c' };
let last = 0n;

const event = (stream: string, type: string, data: object, id = newUuid()): StoredEvent => ({
  id,
  type,
  data,
  metadata: {
    $correlationId: 'c',
    actor: { type: 'system', id: 's' },
    time: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
  },
  stream: `${stream}-${tenantId}`,
  revision: (last += 1n),
  position: last,
  created: new Date(0),
});

const charge = (operation: string, kept: object = { record }): StoredEvent =>
  event('credits', 'OperationCharged.v1', { operation, result: 'clear', ...kept });

const texts = (events: readonly StoredEvent[]): string[] =>
  screening.project(events).map(({ text }) => text.trim().split(/[ (]/).slice(0, 3).join(' '));

describe('the screening projection', () => {
  it('keeps the records of checks and assessments, and of nothing else', () => {
    expect(texts([charge('sanctions_check'), charge('pep_check')])).toEqual(['INSERT INTO decisions']);
    expect(texts([charge('assess_risk')])).toEqual(['INSERT INTO assessments']);
    expect(texts([charge('check_eligibility'), charge('sanctions_check', {})])).toEqual([]);
  });

  it('drops what was reversed after it was added, in the same batch too', () => {
    const check = charge('sanctions_check');
    const reversal = event('credits', 'ChargeReversed.v1', { chargeId: check.id, operation: 'sanctions_check' });
    expect(texts([check, reversal, charge('pep_check')])).toEqual([
      'INSERT INTO decisions',
      'DELETE FROM matches',
      'DELETE FROM decisions',
      'DELETE FROM assessments',
      'INSERT INTO decisions',
    ]);
    expect(texts([event('credits', 'ChargeReversed.v1', { operation: 'check_eligibility' })])).toEqual([]);
  });

  it('drops decisions with the billing records of their charges, and nothing with other purges', () => {
    const purge = (stream: string): StoredEvent => event('retention', 'StreamPurged.v1', { stream, firstKept: 7 });
    expect(screening.project([purge(`credits-${tenantId}`)]).map(({ values }) => values)).toEqual([
      [tenantId, 7],
      [tenantId, 7],
      [tenantId, 7],
    ]);
    expect(texts([purge(`audit-${tenantId}`)])).toEqual([]);
  });
});
