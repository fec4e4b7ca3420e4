import {
  PURGES_STREAM,
  type PurgeRunEvent,
  RETENTION_STREAM_PREFIX,
  type StreamPurged,
} from '../../src/audit/domain/retention.events.js';
import {
  type AttestedRecord,
  IDENTITY_STREAM_PREFIX,
  type IdentityEvent,
} from '../../src/identity/domain/identity.events.js';
import { type DomainEvent } from '../../src/kernel/decider.js';
import { type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { defineProjection, type Recorded, rowsParameter } from '../../src/platform/projections/define-projection.js';
import { type Statement } from '../../src/platform/projections/projection.js';
import { type DueKind } from './due-kinds.js';

/** Identity data is kept for 5 years after its last activity (interface, "Other constants"). */
const YEARS_OF_INACTIVITY = 5;

const afterInactivity = (since: string): string => {
  const date = new Date(since);
  date.setUTCFullYear(date.getUTCFullYear() + YEARS_OF_INACTIVITY);
  return date.toISOString();
};

const CLEAR = `
  DELETE FROM retention_due d USING json_to_recordset($1::json) AS r(stream text, kind text)
  WHERE d.stream = r.stream AND d.kind = r.kind`;

const SET = `
  INSERT INTO retention_due (stream, kind, tenant_id, identity_id, due_at)
  SELECT stream, kind, tenant_id, identity_id, due_at
  FROM json_to_recordset($1::json) AS r(stream text, kind text, tenant_id text, identity_id text, due_at timestamptz)
  ON CONFLICT (stream, kind) DO UPDATE SET due_at = excluded.due_at`;

const NOTE_PURGES = `
  INSERT INTO retention_purges (tenant_id, last_purge_at, purges)
  SELECT tenant_id, max(purged_at), count(*)
  FROM json_to_recordset($1::json) AS r(tenant_id text, purged_at timestamptz) GROUP BY tenant_id
  ON CONFLICT (tenant_id) DO UPDATE SET last_purge_at = greatest(retention_purges.last_purge_at, excluded.last_purge_at),
    purges = retention_purges.purges + excluded.purges`;

const NOTE_STREAMS = `
  INSERT INTO purged_streams (stream, first_kept, purged_at)
  SELECT stream, max(first_kept), max(purged_at)
  FROM json_to_recordset($1::json) AS r(stream text, first_kept bigint, purged_at timestamptz) GROUP BY stream
  ON CONFLICT (stream) DO UPDATE SET first_kept = greatest(purged_streams.first_kept, excluded.first_kept),
    purged_at = greatest(purged_streams.purged_at, excluded.purged_at)`;

const NOTE_RUNS = `
  INSERT INTO purge_runs (day, completed_at)
  SELECT DISTINCT ON (day) day, completed_at FROM json_to_recordset($1::json) AS r(day date, completed_at timestamptz)
  ORDER BY day, completed_at
  ON CONFLICT (day) DO NOTHING`;

interface DueRow {
  readonly stream: string;
  readonly kind: DueKind;
  readonly tenant_id: string;
  readonly identity_id: string;
  /** Null: nothing of this kind is due any more. */
  readonly due_at: string | null;
}

type Changes = Partial<Record<DueKind, string | null>>;

const ofRecord = ({ kycStatus, kycExpiresAt, receivedAt }: AttestedRecord): Changes => ({
  expiry: kycStatus === 'APPROVED' ? kycExpiresAt : null,
  purge: null,
  inactivity: afterInactivity(receivedAt),
});

const changesBy = (event: Recorded<IdentityEvent>): Changes => {
  switch (event.type) {
    case 'IdentityIngested.v1':
    case 'IdentityUpdated.v1':
      return ofRecord(event.data);
    case 'IdentityExpired.v1':
      return { expiry: null };
    case 'IdentityDeleted.v1':
      return { purge: event.data.purgeAt, inactivity: null };
    case 'IdentityRestored.v1':
      return { purge: null, inactivity: afterInactivity(event.data.restoredAt) };
    case 'IdentityErasureDecided.v1':
      return { expiry: null, purge: null, inactivity: null, erasure: event.data.decidedAt };
    case 'IdentityErased.v1':
      return { erasure: null };
    default:
      return {};
  }
};

const isOfIdentity = (event: StoredEvent): boolean => event.stream.startsWith(IDENTITY_STREAM_PREFIX);

const ofType = <Event extends DomainEvent>(events: readonly StoredEvent[], type: Event['type']): Event['data'][] =>
  events.filter((event) => event.type === type).map(({ data }) => data as Event['data']);

const project = (events: readonly StoredEvent[]): Statement[] => {
  const due = new Map<string, DueRow>();
  const streams = ofType<StreamPurged>(events, 'StreamPurged.v1');
  const runs = ofType<Extract<PurgeRunEvent, { type: 'PurgeRunCompleted.v1' }>>(events, 'PurgeRunCompleted.v1');
  const purges: object[] = streams.map(({ stream, purgedAt }) => ({
    tenant_id: tenantOfStream(stream),
    purged_at: purgedAt,
  }));
  for (const stored of events.filter(isOfIdentity)) {
    const event = stored as Recorded<IdentityEvent>;
    const { stream } = event;
    const tenant_id = tenantOfStream(stream);
    for (const [kind, due_at] of Object.entries(changesBy(event)) as [DueKind, string | null][]) {
      due.set(`${kind} ${stream}`, { stream, kind, tenant_id, identity_id: event.data.identityId, due_at });
    }
    if (event.type === 'IdentityErased.v1') purges.push({ tenant_id, purged_at: event.data.erasedAt });
  }
  const rows = [...due.values()];
  const steps: readonly (readonly [string, readonly object[]])[] = [
    [CLEAR, rows.filter(({ due_at }) => due_at === null)],
    [SET, rows.filter(({ due_at }) => due_at !== null)],
    [NOTE_PURGES, purges],
    [
      NOTE_STREAMS,
      streams.map(({ stream, firstKept, purgedAt }) => ({ stream, first_kept: firstKept, purged_at: purgedAt })),
    ],
    [NOTE_RUNS, runs.map(({ day, completedAt }) => ({ day, completed_at: completedAt }))],
  ];
  return steps.filter(([, list]) => list.length > 0).map(([text, list]) => ({ text, values: [rowsParameter(list)] }));
};

/** What becomes due when, by the retention rules; that it is due is judged by whoever asks. */
export const retention = defineProjection(import.meta.url, {
  name: 'retention',
  tables: ['retention_due', 'retention_purges', 'purged_streams', 'purge_runs'],
  streamPrefixes: [IDENTITY_STREAM_PREFIX, RETENTION_STREAM_PREFIX, PURGES_STREAM],
  project,
});
