import { RETENTION_STREAM_PREFIX, type RetentionEvent } from '../../src/retention/domain/retention.events.js';
import { IDENTITY_STREAM_PREFIX, type IdentityEvent } from '../../src/identity/domain/identity.events.js';
import { INGESTION_STREAM_PREFIX, type IngestionEvent } from '../../src/identity/domain/ingestion.events.js';
import { ACCOUNT_STREAM_PREFIX, type AccountEvent } from '../../src/accounts/domain/account.events.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { defineProjection, rowsParameter } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';
import { IdentityChanges } from './identity-changes.js';
import { putAttestations, putIdentities } from './identity-puts.js';
import { IngestionChanges } from './ingestion-changes.js';

const KEYS = 'json_to_recordset($1::json) AS r(tenant_id text, identity_id text, identity_hash text)';

const REMOVE_ATTESTATIONS = `
  DELETE FROM attestations a USING ${KEYS} WHERE a.identity_hash = r.identity_hash AND a.tenant_id = r.tenant_id`;

const REMOVE_IDENTITIES = `
  DELETE FROM identities i USING ${KEYS} WHERE i.tenant_id = r.tenant_id AND i.identity_id = r.identity_id`;

const PATCHES = `json_to_recordset($1::json) AS r(tenant_id text, identity_id text, identity_hash text, expired boolean,
  moved boolean, deleted_at timestamptz, purge_at timestamptz)`;

const PATCH_ATTESTATIONS = `
  UPDATE attestations a SET status = CASE WHEN r.expired THEN 'EXPIRED' ELSE a.status END,
    deleted = CASE WHEN r.moved THEN r.deleted_at IS NOT NULL ELSE a.deleted END
  FROM ${PATCHES} WHERE a.identity_hash = r.identity_hash AND a.tenant_id = r.tenant_id`;

const PATCH_IDENTITIES = `
  UPDATE identities i SET status = CASE WHEN r.expired THEN 'EXPIRED' ELSE i.status END,
    deleted_at = CASE WHEN r.moved THEN r.deleted_at ELSE i.deleted_at END,
    purge_at = CASE WHEN r.moved THEN r.purge_at ELSE i.purge_at END
  FROM ${PATCHES} WHERE i.tenant_id = r.tenant_id AND i.identity_id = r.identity_id`;

const ACCEPT = `
  INSERT INTO ingestions (tenant_id, ingestion_id, kind, status, records_received, records_processed, superseded, refusals,
    errors, received_at)
  SELECT tenant_id, ingestion_id, kind, 'accepted', records_received, 0, false, refusals, refusals, received_at
  FROM json_to_recordset($1::json) AS r(tenant_id text, ingestion_id uuid, kind text, records_received integer, refusals jsonb,
    received_at timestamptz)`;

const PROGRESS = `
  UPDATE ingestions i SET status = r.status, records_processed = r.records_processed,
    superseded = i.kind = 'single' AND r.records_superseded > 0, errors = coalesce(r.errors, i.refusals),
    ended_at = r.ended_at, identity_id = r.identity_id, next_attempt_at = r.next_attempt_at
  FROM json_to_recordset($1::json) AS r(tenant_id text, ingestion_id uuid, status text, records_processed integer,
    records_superseded integer, errors jsonb, ended_at timestamptz, identity_id text, next_attempt_at timestamptz)
  WHERE i.tenant_id = r.tenant_id AND i.ingestion_id = r.ingestion_id`;

const DROP = `
  DELETE FROM ingestions i USING json_to_recordset($1::json) AS r(tenant_id text, ingestion_id uuid)
  WHERE i.tenant_id = r.tenant_id AND i.ingestion_id = r.ingestion_id`;

const DISTRUST = 'INSERT INTO distrusted (tenant_id) VALUES ($1) ON CONFLICT (tenant_id) DO NOTHING';

const TRUST = 'DELETE FROM distrusted WHERE tenant_id = $1';

/** Judgements are rare, so each gets its own statement. Other events of accounts change nothing here. */
const judged = (event: Recorded<AccountEvent>): Statement[] => {
  const values = [tenantOfStream(event.stream)];
  if (event.type === 'AccountDistrusted.v1') return [{ text: DISTRUST, values }];
  return event.type === 'AccountTrusted.v1' ? [{ text: TRUST, values }] : [];
};

const withRows = (text: string, rows: readonly object[]): Statement[] =>
  rows.length === 0 ? [] : [{ text, values: [rowsParameter(rows)] }];

const project = (events: readonly StoredEvent[]): Statement[] => {
  const identities = new IdentityChanges();
  const ingestions = new IngestionChanges();
  const judgements: Statement[] = [];
  for (const event of events) {
    if (event.stream.startsWith(IDENTITY_STREAM_PREFIX)) identities.add(event as Recorded<IdentityEvent>);
    else if (event.stream.startsWith(ACCOUNT_STREAM_PREFIX))
      judgements.push(...judged(event as Recorded<AccountEvent>));
    else ingestions.add(event as Recorded<IngestionEvent | RetentionEvent>);
  }
  const [puts, patches, removals] = [identities.puts(), identities.patches(), identities.removals()];
  return [
    ...withRows(REMOVE_ATTESTATIONS, removals),
    ...withRows(REMOVE_IDENTITIES, identities.erasures()),
    ...putAttestations(puts),
    ...putIdentities(identities.keptPuts()),
    ...withRows(PATCH_ATTESTATIONS, patches),
    ...withRows(PATCH_IDENTITIES, patches),
    ...withRows(ACCEPT, [...ingestions.accepted.values()]),
    ...withRows(PROGRESS, [...ingestions.progress.values()]),
    ...withRows(DROP, ingestions.purged),
    ...judgements,
  ];
};

/** The network's index of attestations, the tenants' own identities, and the progress of their ingestions. */
export const eligibility = defineProjection(import.meta.url, {
  name: 'eligibility',
  version: 5,
  tables: ['attestations', 'distrusted', 'identities', 'ingestions'],
  streamPrefixes: [ACCOUNT_STREAM_PREFIX, IDENTITY_STREAM_PREFIX, INGESTION_STREAM_PREFIX, RETENTION_STREAM_PREFIX],
  project,
});
