import { AUDIT_STREAM_PREFIX, type AuditEvent } from '../../src/audit/domain/audit.events.js';
import { RETENTION_STREAM_PREFIX, type StreamPurged } from '../../src/audit/domain/retention.events.js';
import { type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { defineProjection, type Recorded, rowsParameter } from '../../src/platform/projections/define-projection.js';
import { type Statement } from '../../src/platform/projections/projection.js';

/** An entry recorded twice keeps its first record and is counted once. */
const ADD_ENTRIES = `
  WITH added AS (
    INSERT INTO audit_entries (event_id, tenant_id, position, occurred_at, action, result, request_id, deduction_id, access)
    SELECT r.event_id, r.tenant_id, r.position, r.occurred_at, r.action, r.result, r.request_id, r.deduction_id, r.access
    FROM json_to_recordset($1::json) AS r(event_id uuid, tenant_id text, position bigint, occurred_at timestamptz, action text,
      result text, request_id text, deduction_id uuid, access jsonb)
    ON CONFLICT (event_id) DO NOTHING
    RETURNING tenant_id, (occurred_at AT TIME ZONE 'UTC')::date AS day, action
  )
  INSERT INTO audit_days (tenant_id, day, action, entries)
  SELECT tenant_id, day, action, count(*) FROM added GROUP BY tenant_id, day, action
  ON CONFLICT (tenant_id, day, action) DO UPDATE SET entries = audit_days.entries + excluded.entries`;

const toRow = (event: Recorded<AuditEvent>): object => ({
  event_id: event.id,
  tenant_id: tenantOfStream(event.stream),
  position: event.position.toString(),
  occurred_at: event.metadata.time,
  action: event.data.action,
  result: event.data.result,
  request_id: event.metadata.$correlationId,
  deduction_id: event.data.deductionId,
  access: event.data.access,
});

/** By the time of what is gone and not by revision, so that an entry recorded twice goes with its first record. */
const DROP_ENTRIES = `
  WITH gone AS (
    DELETE FROM audit_entries WHERE tenant_id = $1 AND occurred_at < $2
    RETURNING (occurred_at AT TIME ZONE 'UTC')::date AS day, action
  ), counts AS (SELECT day, action, count(*) AS entries FROM gone GROUP BY day, action)
  UPDATE audit_days d SET entries = d.entries - counts.entries FROM counts
  WHERE d.tenant_id = $1 AND d.day = counts.day AND d.action = counts.action`;

const DROP_EMPTY_DAYS = 'DELETE FROM audit_days WHERE tenant_id = $1 AND entries = 0';

const addEntries = (events: readonly StoredEvent[]): Statement[] => {
  const rows = new Map<string, object>();
  for (const event of events) {
    // The prefix also meets the operators' stream, which is no tenant's log.
    if (event.type !== 'AccessRecorded.v1' || rows.has(event.id)) continue;
    rows.set(event.id, toRow(event as Recorded<AuditEvent>));
  }
  return rows.size === 0 ? [] : [{ text: ADD_ENTRIES, values: [rowsParameter(rows.values())] }];
};

const dropEntries = ({ data }: Recorded<StreamPurged>): Statement[] => {
  const tenantId = tenantOfStream(data.stream);
  return [
    { text: DROP_ENTRIES, values: [tenantId, data.occurredBefore] },
    { text: DROP_EMPTY_DAYS, values: [tenantId] },
  ];
};

const isPurge = (event: StoredEvent): event is Recorded<StreamPurged> =>
  event.type === 'StreamPurged.v1' && (event as Recorded<StreamPurged>).data.stream.startsWith(AUDIT_STREAM_PREFIX);

/** What was recorded after a purge must not fall to it, so each purge takes its turn. */
const project = (events: readonly StoredEvent[]): Statement[] => {
  const statements: Statement[] = [];
  let from = 0;
  for (const [index, event] of events.entries()) {
    if (!isPurge(event)) continue;
    statements.push(...addEntries(events.slice(from, index)), ...dropEntries(event));
    from = index + 1;
  }
  return [...statements, ...addEntries(events.slice(from))];
};

/** Every data access of every tenant, as it was recorded; what is sealed stays sealed. */
export const auditLog = defineProjection(import.meta.url, {
  name: 'audit_log',
  tables: ['audit_entries', 'audit_days'],
  streamPrefixes: [AUDIT_STREAM_PREFIX, RETENTION_STREAM_PREFIX],
  project,
});
