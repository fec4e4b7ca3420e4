import { AUDIT_STREAM_PREFIX, type AuditEvent, entryIdOf } from '../../src/audit/domain/audit.events.js';
import { type StreamPurged } from '../../src/retention/domain/retention.events.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { isTenantId, tenantUuid, ULID_DIGITS } from '../../src/kernel/ids.js';
import { rowsParameter } from '../../src/platform/projections/define-projection.js';
import { type Statement } from '../../src/platform/projections/projection.js';

/** An entry recorded twice keeps its first record and is counted once. */
const ADD_ACCESSES = `
  WITH added AS (
    INSERT INTO audit_entries (event_id, tenant, position, ordinal, occurred_at, action, result, request_id, access)
    SELECT r.event_id, r.tenant, r.position, r.ordinal, r.occurred_at, r.action, r.result, r.request_id, r.access
    FROM json_to_recordset($1::json) AS r(event_id uuid, tenant uuid, position bigint, ordinal integer,
      occurred_at timestamptz, action text, result text, request_id text, access text)
    ON CONFLICT (event_id) DO NOTHING
    RETURNING tenant, (occurred_at AT TIME ZONE 'UTC')::date AS day, action
  ), counts AS (SELECT tenant, day, action, count(*) AS entries FROM added GROUP BY tenant, day, action)
  INSERT INTO audit_days (tenant_id, day, action, entries)
  SELECT r.tenant_id, counts.day, counts.action, counts.entries
  FROM counts JOIN json_to_recordset($2::json) AS r(tenant uuid, tenant_id text) USING (tenant)
  ON CONFLICT (tenant_id, day, action) DO UPDATE SET entries = audit_days.entries + excluded.entries`;

export const ADD_DAYS = `
  INSERT INTO audit_days (tenant_id, day, action, entries)
  SELECT r.tenant_id, r.day, r.action, r.entries
  FROM json_to_recordset($1::json) AS r(tenant_id text, day date, action text, entries bigint)
  ON CONFLICT (tenant_id, day, action) DO UPDATE SET entries = audit_days.entries + excluded.entries`;

/** The tenant's id from its uuid, the inverse of tenantUuid. */
const TENANT_ID = `'t' || (
  SELECT string_agg(substr('${ULID_DIGITS}', substring(bits FROM 5 * place + 1 FOR 5)::bit(5)::integer + 1, 1), '' ORDER BY place)
  FROM generate_series(0, 25) AS place, (SELECT B'00' || ('x' || replace(tenant::text, '-', ''))::bit(128) AS bits) AS id)`;

/** For COPY, which adds entries without a check for existing ones. */
const DROP_REPEATED_ACCESSES = `
  WITH numbered AS (
    SELECT ctid, row_number() OVER (PARTITION BY event_id ORDER BY position, ordinal) AS number FROM audit_entries
  ), gone AS (
    DELETE FROM audit_entries WHERE ctid = ANY (ARRAY(SELECT ctid FROM numbered WHERE number > 1))
    RETURNING tenant, (occurred_at AT TIME ZONE 'UTC')::date AS day, action
  ), counts AS (SELECT tenant, day, action, count(*) AS entries FROM gone GROUP BY tenant, day, action)
  UPDATE audit_days d SET entries = d.entries - counts.entries FROM counts
  WHERE d.tenant_id = ${TENANT_ID} AND d.day = counts.day AND d.action = counts.action;
  DELETE FROM audit_days WHERE entries = 0`;

/** The outcome of a reversed charge was never disclosed. */
const CONCEAL = `
  UPDATE credit_transactions t SET result = 'not_disclosed'
  FROM json_to_recordset($1::json) AS r(tenant uuid, revision bigint, id uuid)
  WHERE t.tenant = r.tenant AND t.revision = r.revision AND t.id = r.id AND t.action IS NOT NULL`;

/**
 * Drops entries by time and not by revision, so that an entry recorded twice goes with its first record. A charge's
 * transaction stays until a purge of billing records. The scan starts at the oldest charge, so that the index alone
 * skips the dead rows of earlier pieces.
 */
const DROP_ENTRIES = `
  WITH gone AS (
    DELETE FROM audit_entries WHERE tenant = $2 AND occurred_at < $3 RETURNING occurred_at, action
  ), oldest AS (
    SELECT occurred_at FROM credit_transactions WHERE tenant = $2 AND action IS NOT NULL ORDER BY occurred_at, position LIMIT 1
  ), charged AS (
    SELECT occurred_at, action FROM credit_transactions
    WHERE tenant = $2 AND action IS NOT NULL AND occurred_at < $3 AND occurred_at >= (SELECT occurred_at FROM oldest)
  ), forgotten AS (
    UPDATE credit_transactions SET action = NULL, result = NULL, access = NULL
    WHERE tenant = $2 AND action IS NOT NULL AND occurred_at < $3 AND occurred_at >= (SELECT occurred_at FROM oldest)
  ), counts AS (
    SELECT (occurred_at AT TIME ZONE 'UTC')::date AS day, action, count(*) AS entries
    FROM (SELECT occurred_at, action FROM gone UNION ALL SELECT occurred_at, action FROM charged) AS dropped GROUP BY 1, 2
  )
  UPDATE audit_days d SET entries = d.entries - counts.entries FROM counts
  WHERE d.tenant_id = $1 AND d.day = counts.day AND d.action = counts.action`;

export const DROP_EMPTY_DAYS = 'DELETE FROM audit_days WHERE tenant_id = $1 AND entries = 0';

export type Recording = Recorded<AuditEvent>;

interface Row {
  readonly event_id: string;
  readonly tenant: string;
  readonly position: string;
  readonly ordinal: number;
  readonly occurred_at: string;
  readonly action: string;
  readonly result: string;
  readonly request_id: string;
  readonly access: string;
}

const COLUMNS = [
  'event_id',
  'tenant',
  'position',
  'ordinal',
  'occurred_at',
  'action',
  'result',
  'request_id',
  'access',
] as const satisfies readonly (keyof Row)[];

/** One row for each access in the event. */
const toRows = (event: Recording, tenant: string): Row[] => {
  const common = {
    tenant,
    position: event.position.toString(),
    occurred_at: event.metadata.time,
    action: event.data.action,
    result: event.data.result,
    request_id: event.metadata.$correlationId,
  };
  if (event.type === 'AccessRecorded.v1') {
    return [{ ...common, event_id: event.id, ordinal: 0, access: JSON.stringify(event.data.access) }];
  }
  const { batchId, entries } = event.data;
  return entries.map(({ index, access }) => ({
    ...common,
    event_id: entryIdOf(batchId, index),
    ordinal: index,
    access: JSON.stringify(access),
  }));
};

const rowsOf = (text: string, rows: readonly object[]): Statement[] =>
  rows.length === 0 ? [] : [{ text, values: [rowsParameter(rows)] }];

interface Tenant {
  readonly tenant: string;
  readonly tenant_id: string;
}

/** Counts entries that are all new. */
const countAccesses = (rows: Iterable<Row>, tenants: Iterable<Tenant>): Statement[] => {
  const idOf = new Map(Array.from(tenants, ({ tenant, tenant_id }) => [tenant, tenant_id]));
  const days = new Map<string, { tenant_id: string; day: string; action: string; entries: number }>();
  for (const { tenant, occurred_at, action } of rows) {
    const day = occurred_at.slice(0, 10);
    const key = `${tenant} ${day} ${action}`;
    const counted = days.get(key) ?? { tenant_id: idOf.get(tenant) ?? '', day, action, entries: 0 };
    counted.entries += 1;
    days.set(key, counted);
  }
  return [{ text: ADD_DAYS, values: [rowsParameter(days.values())] }];
};

const adding = (entries: ReadonlyMap<string, Row>, tenants: ReadonlyMap<string, Tenant>): Statement => ({
  text: ADD_ACCESSES,
  get values() {
    return [rowsParameter(entries.values()), rowsParameter(tenants.values())];
  },
  copy: {
    table: 'audit_entries',
    columns: COLUMNS,
    rows: () => Array.from(entries.values(), (row) => COLUMNS.map((column) => row[column])),
    rest: () => countAccesses(entries.values(), tenants.values()),
    tidy: DROP_REPEATED_ACCESSES,
  },
});

export const addAccesses = (recordings: readonly Recording[]): Statement[] => {
  const entries = new Map<string, Row>();
  const tenants = new Map<string, Tenant>();
  for (const event of recordings) {
    const tenantId = tenantOfStream(event.stream);
    const of = tenants.get(tenantId) ?? { tenant: tenantUuid(tenantId), tenant_id: tenantId };
    tenants.set(tenantId, of);
    for (const row of toRows(event, of.tenant)) if (!entries.has(row.event_id)) entries.set(row.event_id, row);
  }
  return entries.size === 0 ? [] : [adding(entries, tenants)];
};

/** The place of a reversed charge. */
export interface ReversedCharge {
  readonly tenant: string;
  readonly revision: number;
  readonly id: string;
}

export const conceal = (reversed: readonly ReversedCharge[]): Statement[] => rowsOf(CONCEAL, reversed);

export const isAuditPurge = (event: StoredEvent): event is Recorded<StreamPurged> =>
  event.type === 'StreamPurged.v1' && (event as Recorded<StreamPurged>).data.stream.startsWith(AUDIT_STREAM_PREFIX);

export const dropEntries = ({ data }: Recorded<StreamPurged>): Statement[] => {
  const tenantId = tenantOfStream(data.stream);
  // The operators' log has no rows here.
  if (!isTenantId(tenantId)) return [];
  return [
    { text: DROP_ENTRIES, values: [tenantId, tenantUuid(tenantId), data.occurredBefore], searches: true },
    { text: DROP_EMPTY_DAYS, values: [tenantId] },
  ];
};
