import { CLAIM_STREAM_PREFIX } from '../../src/claims/domain/claim.events.js';
import { CREDENTIAL_STREAM_PREFIX } from '../../src/credentials/domain/credential.events.js';
import { DOCUMENT_STREAM_PREFIX } from '../../src/reports/domain/document.events.js';
import {
  PURGES_STREAM,
  type PurgeRunEvent,
  RETENTION_STREAM_PREFIX,
  type RetentionEvent,
} from '../../src/retention/domain/retention.events.js';
import {
  IDENTITY_STREAM_PREFIX,
  type IdentityErased,
  type IdentityEvent,
} from '../../src/identity/domain/identity.events.js';
import { INGESTION_STREAM_PREFIX, type IngestionEvent } from '../../src/identity/domain/ingestion.events.js';
import { type Recorded, type StoredEvent } from '../../src/kernel/events.js';
import { defineProjection, rowsParameter } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';
import { DueChanges } from './due-changes.js';
import { PurgeNotes } from './purge-notes.js';
import { UnacceptedParts } from './unaccepted-parts.js';

const CLEAR = `
  DELETE FROM retention_due d USING json_to_recordset($1::json) AS r(stream text, kind text)
  WHERE d.stream = r.stream AND d.kind = r.kind`;

/** The later activity counts, in any order of the events. */
const SET = `
  INSERT INTO retention_due (stream, kind, tenant_id, identity_id, identity_hash, due_at)
  SELECT stream, kind, tenant_id, identity_id, identity_hash, due_at
  FROM json_to_recordset($1::json) AS r(stream text, kind text, tenant_id text, identity_id text, identity_hash text,
    due_at timestamptz)
  ON CONFLICT (stream, kind) DO UPDATE SET due_at = excluded.due_at
  WHERE retention_due.due_at < excluded.due_at OR (excluded.kind <> 'inactivity' AND retention_due.due_at > excluded.due_at)`;

const NOTE_PURGES = `
  INSERT INTO retention_purges (tenant_id, last_purge_at)
  SELECT tenant_id, max(purged_at)
  FROM json_to_recordset($1::json) AS r(tenant_id text, purged_at timestamptz) GROUP BY tenant_id
  ON CONFLICT (tenant_id) DO UPDATE SET last_purge_at = greatest(retention_purges.last_purge_at, excluded.last_purge_at)`;

const NOTE_STREAMS = `
  INSERT INTO purged_streams (stream, first_kept, purged_at)
  SELECT stream, max(first_kept), max(purged_at)
  FROM json_to_recordset($1::json) AS r(stream text, first_kept bigint, purged_at timestamptz) GROUP BY stream
  ON CONFLICT (stream) DO UPDATE SET first_kept = greatest(purged_streams.first_kept, excluded.first_kept),
    purged_at = greatest(purged_streams.purged_at, excluded.purged_at)`;

const PURGED_WHOLE = [INGESTION_STREAM_PREFIX, CLAIM_STREAM_PREFIX, CREDENTIAL_STREAM_PREFIX, DOCUMENT_STREAM_PREFIX];

/**
 * Forgets streams purged whole that an earlier run announced, since a later run has truncated them. Otherwise
 * the list of these small streams would grow forever.
 */
const FORGET_TRUNCATED = `
  DELETE FROM purged_streams p USING json_to_recordset($1::json) AS r(completed_at timestamptz)
  WHERE p.stream LIKE ANY (ARRAY['${PURGED_WHOLE.join("%', '")}%'])
    AND p.purged_at < r.completed_at - interval '1 day'`;

const FORGET_PARTS = `
  DELETE FROM unaccepted_parts p USING json_to_recordset($1::json) AS r(stream text) WHERE p.stream = r.stream`;

const NOTE_PARTS = `
  INSERT INTO unaccepted_parts (stream, tenant_id, revision, received_at)
  SELECT stream, tenant_id, revision, received_at
  FROM json_to_recordset($1::json) AS r(stream text, tenant_id text, revision bigint, received_at timestamptz)
  ON CONFLICT (stream) DO UPDATE SET revision = excluded.revision, received_at = excluded.received_at`;

const project = (events: readonly StoredEvent[]): Statement[] => {
  const due = new DueChanges();
  const parts = new UnacceptedParts();
  const notes = new PurgeNotes();
  for (const event of events) {
    if (event.stream.startsWith(IDENTITY_STREAM_PREFIX)) due.ofIdentity(event as Recorded<IdentityEvent>);
    if (event.stream.startsWith(INGESTION_STREAM_PREFIX)) due.ofIngestion(event as Recorded<IngestionEvent>);
    parts.add(event as Recorded<IngestionEvent | RetentionEvent>);
    notes.add(event as Recorded<RetentionEvent | PurgeRunEvent | IdentityErased>);
  }
  const steps: readonly (readonly [string, readonly object[]])[] = [
    [CLEAR, due.clearedRows()],
    [SET, due.putRows()],
    [FORGET_PARTS, parts.settled()],
    [NOTE_PARTS, parts.waiting()],
    [NOTE_PURGES, notes.purges],
    [NOTE_STREAMS, notes.streams],
    [FORGET_TRUNCATED, notes.runs],
  ];
  return steps.filter(([, rows]) => rows.length > 0).map(([text, rows]) => ({ text, values: [rowsParameter(rows)] }));
};

/** Due times by the retention rules. The reader decides whether an item is due. */
export const retention = defineProjection(import.meta.url, {
  name: 'retention',
  version: 5,
  tables: ['retention_due', 'retention_purges', 'purged_streams', 'unaccepted_parts'],
  streamPrefixes: [IDENTITY_STREAM_PREFIX, INGESTION_STREAM_PREFIX, RETENTION_STREAM_PREFIX, PURGES_STREAM],
  project,
});
