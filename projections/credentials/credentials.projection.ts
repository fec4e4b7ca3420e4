import { CREDENTIAL_STREAM_PREFIX, type CredentialEvent } from '../../src/credentials/domain/credential.events.js';
import { STATUS_LISTS_PREFIX, type StatusBlockLeased } from '../../src/credentials/domain/status-block.events.js';
import { type Recorded, type StoredEvent } from '../../src/kernel/events.js';
import { RETENTION_STREAM_PREFIX, type RetentionEvent } from '../../src/retention/domain/retention.events.js';
import { defineProjection, rowsParameter } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';
import { CredentialChanges } from './credential-changes.js';

const ISSUE = `
  INSERT INTO credentials (credential_id, tenant_id, identity_id, identity_hash, tier, data_key_id, issued_at, expires_at, revoked,
    suspended_by_issuer, suspended_by_identity, suspended_by_distrust, list, index, position)
  SELECT credential_id, tenant_id, identity_id, identity_hash, tier, data_key_id, issued_at, expires_at, false, false, false, false, list, index,
    position
  FROM json_to_recordset($1::json) AS r(credential_id uuid, tenant_id text, identity_id text, identity_hash text, tier text, data_key_id uuid,
    issued_at timestamptz, expires_at timestamptz, list integer, index integer, position bigint)`;

const PATCH = `
  UPDATE credentials c SET revoked = coalesce(r.revoked, c.revoked),
    suspended_by_issuer = coalesce(r.suspended_by_issuer, c.suspended_by_issuer),
    suspended_by_identity = coalesce(r.suspended_by_identity, c.suspended_by_identity),
    suspended_by_distrust = coalesce(r.suspended_by_distrust, c.suspended_by_distrust), changed_at = r.changed_at
  FROM json_to_recordset($1::json) AS r(credential_id uuid, revoked boolean, suspended_by_issuer boolean,
    suspended_by_identity boolean, suspended_by_distrust boolean, changed_at timestamptz)
  WHERE c.credential_id = r.credential_id`;

const NOTICE = `
  UPDATE credentials c SET noticed = r.noticed
  FROM json_to_recordset($1::json) AS r(credential_id uuid, noticed text) WHERE c.credential_id = r.credential_id`;

const COPY = `
  INSERT INTO credential_copies (list, index, credential_id)
  SELECT list, index, credential_id FROM json_to_recordset($1::json) AS r(list integer, index integer, credential_id uuid)`;

const OFFER = `
  INSERT INTO credential_offers (credential_id, tenant_id, identity_id, tier, data_key_id, offered_at, until, status, position)
  SELECT credential_id, tenant_id, identity_id, tier, data_key_id, offered_at, until, 'offered', position
  FROM json_to_recordset($1::json) AS r(credential_id uuid, tenant_id text, identity_id text, tier text, data_key_id uuid,
    offered_at timestamptz, until timestamptz, position bigint)`;

const PATCH_OFFER = `
  UPDATE credential_offers o SET status = r.status, until = coalesce(r.until, o.until),
    ended_because = coalesce(r.ended_because, o.ended_because), ended_at = coalesce(r.ended_at, o.ended_at)
  FROM json_to_recordset($1::json) AS r(credential_id uuid, status text, until timestamptz, ended_because text,
    ended_at timestamptz)
  WHERE o.credential_id = r.credential_id`;

const LISTS = 'json_to_recordset($1::json) AS r(purpose text, list integer, version bigint, changed_at timestamptz)';

const BEGIN_LISTS = `
  INSERT INTO status_lists (purpose, list, version, changed_at) SELECT purpose, list, version, changed_at FROM ${LISTS}
  ON CONFLICT (purpose, list) DO NOTHING`;

const CHANGE_LISTS = `
  UPDATE status_lists l SET version = r.version, changed_at = r.changed_at FROM ${LISTS}
  WHERE l.purpose = r.purpose AND l.list = r.list`;

/** The name of a credential's stream ends with the 32 hexadecimal digits of its id. */
const dropFrom = (table: string): string =>
  `DELETE FROM ${table} WHERE credential_id = ANY (SELECT right(stream, 32)::uuid FROM unnest($1::text[]) AS stream)`;

const DROPS = ['credentials', 'credential_copies', 'credential_offers'].map(dropFrom);

const withRows = (text: string, rows: readonly object[]): Statement[] =>
  rows.length === 0 ? [] : [{ text, values: [rowsParameter(rows)] }];

const project = (events: readonly StoredEvent[]): Statement[] => {
  const changes = new CredentialChanges();
  const purged: string[] = [];
  for (const event of events) {
    if (!event.stream.startsWith(RETENTION_STREAM_PREFIX)) {
      changes.add(event as Recorded<CredentialEvent | StatusBlockLeased>);
      continue;
    }
    const { stream } = (event as Recorded<RetentionEvent>).data;
    if (stream.startsWith(CREDENTIAL_STREAM_PREFIX)) purged.push(stream);
  }
  return [
    ...withRows(OFFER, changes.offers.made),
    ...withRows(PATCH_OFFER, [...changes.offers.patches.values()]),
    ...withRows(ISSUE, changes.issued),
    ...withRows(COPY, changes.copies),
    ...withRows(PATCH, [...changes.patches.values()]),
    ...withRows(
      NOTICE,
      [...changes.notices].map(([credential_id, noticed]) => ({ credential_id, noticed })),
    ),
    ...withRows(BEGIN_LISTS, [...changes.newLists.values()]),
    ...withRows(CHANGE_LISTS, [...changes.changedLists.values()]),
    ...(purged.length === 0 ? [] : DROPS.map((text) => ({ text, values: [purged] }))),
  ];
};

/** The registry of credentials, and the versions of the status lists. */
export const credentials = defineProjection(import.meta.url, {
  name: 'credentials',
  version: 5,
  tables: ['credentials', 'status_lists', 'credential_copies', 'credential_offers'],
  streamPrefixes: [CREDENTIAL_STREAM_PREFIX, STATUS_LISTS_PREFIX, RETENTION_STREAM_PREFIX],
  project,
});
