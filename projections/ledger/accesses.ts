import { type DeductionSettled } from '../../src/credits/domain/credits.events.js';
import { type ExportRequested } from '../../src/reports/domain/document.events.js';
import { AUDIT_STREAM_PREFIX, type AuditEvent, entryIdOf } from '../../src/audit/domain/audit.events.js';
import { type StreamPurged } from '../../src/retention/domain/retention.events.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { isTenantId, tenantUuid, ULID_DIGITS } from '../../src/kernel/ids.js';
import { actorOf } from '../../src/kernel/audit-actors.js';
import { AuditDays } from './audit-days.js';
import { rowsParameter } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';

/** Stands for the tenant's credits stream. */
export const IN_CREDITS = 'credits';

/** Adds to the days' numbers, or takes from them. */
const INTO_DAYS = `ON CONFLICT (tenant_id, day, action, result, actor) DO UPDATE SET entries = audit_days.entries + excluded.entries`;
const UTC_DAY = `(occurred_at AT TIME ZONE 'UTC')::date`;

/** An entry recorded twice keeps its first record and is counted once. */
const ADD_ACCESSES = `
  WITH added AS (
    INSERT INTO audit_entries
      (event_id, tenant, position, ordinal, occurred_at, action, result, request_id, actor, subject, recorded_by, stream, access)
    SELECT r.event_id, r.tenant, r.position, r.ordinal, r.occurred_at, r.action, r.result, r.request_id, r.actor, r.subject,
      r.recorded_by, r.stream, r.access
    FROM json_to_recordset($1::json) AS r(event_id uuid, tenant uuid, position bigint, ordinal integer,
      occurred_at timestamptz, action text, result text, request_id text, actor text, subject uuid,
      recorded_by uuid, stream text, access text)
    ON CONFLICT (event_id) DO NOTHING
    RETURNING tenant, ${UTC_DAY} AS day, action, result, actor
  ), counts AS (SELECT tenant, day, action, result, actor, count(*) AS entries FROM added GROUP BY 1, 2, 3, 4, 5)
  INSERT INTO audit_days (tenant_id, day, action, result, actor, entries)
  SELECT r.tenant_id, counts.day, counts.action, counts.result, counts.actor, counts.entries
  FROM counts JOIN json_to_recordset($2::json) AS r(tenant uuid, tenant_id text) USING (tenant)
  ${INTO_DAYS}`;

export const ADD_DAYS = `
  INSERT INTO audit_days (tenant_id, day, action, result, actor, entries)
  SELECT r.tenant_id, r.day, r.action, r.result, r.actor, r.entries
  FROM json_to_recordset($1::json) AS r(tenant_id text, day date, action text, result text, actor text, entries bigint)
  ${INTO_DAYS}`;

/** The tenant's id from its uuid, the inverse of tenantUuid. */
const TENANT_ID = `'t' || (
  SELECT string_agg(substr('${ULID_DIGITS}', substring(bits FROM 5 * place + 1 FOR 5)::bit(5)::integer + 1, 1), '' ORDER BY place)
  FROM generate_series(0, 25) AS place, (SELECT B'00' || ('x' || replace(tenant::text, '-', ''))::bit(128) AS bits) AS id)`;

/** Joins a day of `d` with counts of entries. */
export const SAME_KIND =
  'd.day = counts.day AND d.action = counts.action AND d.result = counts.result AND d.actor = counts.actor';

/**
 * For COPY, which adds entries without a check for existing ones. A day that only a repetition made goes. One that a reversed
 * charge has emptied stays, as in rows that were never rebuilt.
 */
const DROP_REPEATED_ACCESSES = `
  WITH numbered AS (
    SELECT ctid, row_number() OVER (PARTITION BY event_id ORDER BY position, ordinal) AS number FROM audit_entries
  ), gone AS (
    DELETE FROM audit_entries WHERE ctid = ANY (ARRAY(SELECT ctid FROM numbered WHERE number > 1))
    RETURNING tenant, ${UTC_DAY} AS day, action, result, actor
  ), counts AS (SELECT tenant, day, action, result, actor, count(*) AS entries FROM gone GROUP BY 1, 2, 3, 4, 5
  ), emptied AS (
    DELETE FROM audit_days d USING counts
    WHERE d.tenant_id = ${TENANT_ID} AND ${SAME_KIND} AND d.entries = counts.entries
  )
  UPDATE audit_days d SET entries = d.entries - counts.entries FROM counts
  WHERE d.tenant_id = ${TENANT_ID} AND ${SAME_KIND} AND d.entries > counts.entries`;

/** The outcome of a reversed charge or settlement was never disclosed. Its day counts it as such, too. */
const CONCEAL = `
  WITH reversed AS (
    SELECT * FROM json_to_recordset($1::json) AS r(tenant uuid, tenant_id text, revision bigint, id uuid, settlement uuid)
  ), charges AS (
    SELECT t.tenant, t.revision, r.tenant_id, (t.occurred_at AT TIME ZONE 'UTC')::date AS day, t.action, t.result, t.actor
    FROM reversed r JOIN credit_transactions t ON t.tenant = r.tenant AND t.revision = r.revision AND t.id = r.id
    WHERE t.action IS NOT NULL AND t.result <> 'not_disclosed'
  ), settlements AS (
    SELECT e.event_id, r.tenant_id, (e.occurred_at AT TIME ZONE 'UTC')::date AS day, e.action, e.result, e.actor
    FROM reversed r JOIN audit_entries e ON e.event_id = r.settlement AND e.tenant = r.tenant
    WHERE e.stream = '${IN_CREDITS}' AND e.result <> 'not_disclosed'
  ), concealed AS (
    UPDATE credit_transactions t SET result = 'not_disclosed' FROM charges
    WHERE t.tenant = charges.tenant AND t.revision = charges.revision
  ), hidden AS (
    UPDATE audit_entries e SET result = 'not_disclosed' FROM settlements WHERE e.event_id = settlements.event_id
  ), found AS (
    SELECT tenant_id, day, action, result, actor FROM charges
    UNION ALL SELECT tenant_id, day, action, result, actor FROM settlements
  ), moves AS (
    SELECT tenant_id, day, action, result, actor, -count(*) AS entries FROM found GROUP BY 1, 2, 3, 4, 5
    UNION ALL SELECT tenant_id, day, action, 'not_disclosed', actor, count(*) FROM found GROUP BY 1, 2, 3, 4, 5
  )
  INSERT INTO audit_days (tenant_id, day, action, result, actor, entries)
  SELECT tenant_id, day, action, result, actor, entries FROM moves
  ${INTO_DAYS}`;

/**
 * Drops entries by time and not by revision, so that an entry recorded twice goes with its first record. A charge's
 * transaction stays until a purge of billing records. The scan starts at the oldest charge, so that the index alone
 * skips the dead rows of earlier pieces.
 */
const DROP_ENTRIES = `
  WITH gone AS (
    DELETE FROM audit_entries WHERE tenant = $2 AND occurred_at < $3 RETURNING occurred_at, action, result, actor
  ), oldest AS (
    SELECT occurred_at FROM credit_transactions WHERE tenant = $2 AND action IS NOT NULL ORDER BY occurred_at, position LIMIT 1
  ), charged AS (
    SELECT occurred_at, action, result, actor FROM credit_transactions
    WHERE tenant = $2 AND action IS NOT NULL AND occurred_at < $3 AND occurred_at >= (SELECT occurred_at FROM oldest)
  ), forgotten AS (
    UPDATE credit_transactions SET action = NULL, result = NULL, actor = NULL, subject = NULL, access = NULL
    WHERE tenant = $2 AND action IS NOT NULL AND occurred_at < $3 AND occurred_at >= (SELECT occurred_at FROM oldest)
  ), counts AS (
    SELECT ${UTC_DAY} AS day, action, result, actor, count(*) AS entries
    FROM (SELECT * FROM gone UNION ALL SELECT * FROM charged) AS dropped GROUP BY 1, 2, 3, 4
  )
  UPDATE audit_days d SET entries = d.entries - counts.entries FROM counts
  WHERE d.tenant_id = $1 AND ${SAME_KIND}`;

export const DROP_EMPTY_DAYS = 'DELETE FROM audit_days WHERE tenant_id = $1 AND entries = 0';

/** An event that is an audit entry, or many. Charges of look-ups are entered otherwise. */
export type Recording = Recorded<AuditEvent | DeductionSettled | ExportRequested>;

/** What a row says of the stream of its event. */
const STREAMS: Readonly<Record<Exclude<Recording['type'], 'AccessesRecorded.v1'>, (stream: string) => string | null>> =
  {
    'AccessRecorded.v1': () => null,
    'DeductionSettled.v1': () => IN_CREDITS,
    'DocumentRequested.v1': (stream) => stream,
  };

interface Row {
  readonly event_id: string;
  readonly tenant: string;
  readonly position: string;
  readonly ordinal: number;
  readonly occurred_at: string;
  readonly action: string;
  readonly result: string;
  readonly request_id: string;
  readonly actor: string;
  readonly subject: string | null;
  readonly recorded_by: string | null;
  readonly stream: string | null;
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
  'actor',
  'subject',
  'recorded_by',
  'stream',
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
    actor: actorOf(event.metadata.actor),
  };
  if (event.type !== 'AccessesRecorded.v1') {
    const { access, subject = null } = event.data;
    const own = { event_id: event.id, ordinal: 0, recorded_by: null, stream: STREAMS[event.type](event.stream) };
    return [{ ...common, ...own, subject, access: JSON.stringify(access) }];
  }
  const { batchId, entries } = event.data;
  return entries.map(({ index, access, subject = null }) => ({
    ...common,
    subject,
    event_id: entryIdOf(batchId, index),
    ordinal: index,
    recorded_by: event.id,
    stream: null,
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
  const days = new AuditDays();
  for (const { tenant, occurred_at, ...kind } of rows) days.add(idOf.get(tenant) ?? '', occurred_at, kind);
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
  readonly tenant_id: string;
  readonly tenant: string;
  readonly revision: number;
  readonly id: string;
  /** The id of the settlement, if it was none of a look-up. */
  readonly settlement: string;
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
