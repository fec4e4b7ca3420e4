import { type StoredEvent } from '../../src/kernel/events.js';
import { newUuid } from '../../src/kernel/ids.js';
import { auditLog } from './audit_log.projection.js';

const access = { v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: 'sealed' };

const entry = (id: string, stream = 'audit-t1', type = 'AccessRecorded.v1'): StoredEvent => ({
  id,
  type,
  data: { action: 'eligibility_check', result: 'found', deductionId: null, outcome: 'completed', access },
  metadata: {
    $correlationId: 'request',
    actor: { type: 'tenant', id: 'k' },
    time: '2026-02-03T04:05:06.000Z',
    schemaVersion: 1,
  },
  stream,
  revision: 0n,
  position: 7n,
  created: new Date(0),
});

const rowsOf = (events: readonly StoredEvent[]): unknown[] =>
  auditLog.project(events).flatMap(({ values }) => JSON.parse(String(values[0])) as unknown[]);

describe('the audit log projection', () => {
  it('keeps what is sealed as it is, and needs no key', () => {
    const id = newUuid();
    expect(rowsOf([entry(id)])).toMatchObject([{ event_id: id, tenant_id: 't1', action: 'eligibility_check', access }]);
  });

  it('has one row for an entry that was recorded twice', () => {
    const id = newUuid();
    expect(rowsOf([entry(id), entry(newUuid()), entry(id)])).toHaveLength(2);
  });

  it("leaves the operators' own stream out of every tenant's log", () => {
    expect(auditLog.project([entry(newUuid(), 'audit-operators', 'OperatorActed.v1')])).toEqual([]);
  });
});
