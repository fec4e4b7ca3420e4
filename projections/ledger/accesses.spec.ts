import { entryIdOf } from '../../src/audit/domain/audit.events.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid, tenantUuid } from '../../src/kernel/ids.js';
import { ledger } from './ledger.projection.js';

const tenantId = newTenantId();
const access = { v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: 'sealed' };

const entry = (id: string, stream = `audit-${tenantId}`, type = 'AccessRecorded.v1'): StoredEvent => ({
  id,
  type,
  data: { action: 'eligibility_check', result: 'found', access },
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
  ledger.project(events).flatMap(({ values }) => JSON.parse(String(values[0])) as unknown[]);

describe('the accesses of the ledger projection', () => {
  it('keeps what is sealed as it is, and needs no key', () => {
    const id = newUuid();
    expect(rowsOf([entry(id)])).toMatchObject([
      { event_id: id, tenant: tenantUuid(tenantId), action: 'eligibility_check', access: JSON.stringify(access) },
    ]);
  });

  it('has one row for an entry that was recorded twice', () => {
    const id = newUuid();
    expect(rowsOf([entry(id), entry(newUuid()), entry(id)])).toHaveLength(2);
  });

  it('has a row for each access of a batch, under the id that it has in any event', () => {
    const batchId = newUuid();
    const batch = (indexes: readonly number[]): StoredEvent => {
      const entries = indexes.map((index) => ({ index, access: { ...access, ct: `sealed ${index}` } }));
      const data = { action: 'data_ingested', result: 'ok', batchId, entries };
      return { ...entry(newUuid(), `audit-${tenantId}`, 'AccessesRecorded.v1'), data };
    };
    const rows = rowsOf([batch([0, 1]), entry(entryIdOf(batchId, 2)), batch([1, 2, 3])]) as {
      event_id: string;
      ordinal: number;
    }[];
    expect(rows.map(({ event_id: id }) => id)).toEqual([0, 1, 2, 3].map((index) => entryIdOf(batchId, index)));
    expect(rows[1]).toMatchObject({
      ordinal: 1,
      action: 'data_ingested',
      access: expect.stringContaining('sealed 1') as string,
    });
  });

  it("leaves the operators' own stream out of every tenant's log", () => {
    expect(ledger.project([entry(newUuid(), 'audit-operators', 'OperatorActed.v1')])).toEqual([]);
  });
});
