import { CLAIM_STREAM_PREFIX, type ClaimEvent } from '../../src/claims/domain/claim.events.js';
import { CLAIMS_STREAM_PREFIX, type ClaimsEvent } from '../../src/claims/domain/claims.events.js';
import { POSTING_STREAM_PREFIX, type PostingEvent } from '../../src/claims/domain/posting.events.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { defineProjection, rowsParameter } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';
import { RETENTION_STREAM_PREFIX, type RetentionEvent } from '../../src/retention/domain/retention.events.js';

type Projected = ClaimEvent | ClaimsEvent | PostingEvent | RetentionEvent;

const ASK = `
  INSERT INTO claims (tenant_id, claim_id, role, purpose, status, requested_at, expires_at, revision)
  VALUES ($1, $2, 'asker', $3, 'requested', $4, $5, $6)`;

const RECEIVE = `
  INSERT INTO claims (tenant_id, claim_id, role, purpose, status, requested_at, expires_at, requested_by, identity_id, revision)
  SELECT tenant_id, $1, 'holder', $2, 'requested', $3, $4, $5, identity_id, 0
  FROM json_to_recordset($6::json) AS r(tenant_id text, identity_id text)`;

const POST = 'INSERT INTO claim_postings (claim_id, posted_at) VALUES ($1, $2) ON CONFLICT (claim_id) DO NOTHING';

const DROP_ALL_HELD = `DELETE FROM claims WHERE claim_id = $1 AND role = 'holder'`;

const DROP_POSTING = 'DELETE FROM claim_postings WHERE claim_id = $1';

const DECIDE = 'UPDATE claims SET status = $3, decided_at = $4 WHERE tenant_id = $1 AND claim_id = $2';

/** Of several approvals the first decides. */
const GRANTED = `
  UPDATE claims SET status = 'approved', decided_at = CASE WHEN status = 'approved' THEN decided_at ELSE $3 END
  WHERE tenant_id = $1 AND claim_id = $2`;

const APPROVE = `
  UPDATE claims SET status = 'approved', decided_at = $3, fields = $4::jsonb, grant_expires_at = $5
  WHERE tenant_id = $1 AND claim_id = $2`;

const GRANT = `
  INSERT INTO claim_approvals (tenant_id, claim_id, attestor_tenant_id, attested_by, fields, approved_at, expires_at, revision)
  VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7, $8)`;

const WITHDRAW = 'DELETE FROM claims WHERE tenant_id = $1 AND claim_id = $2';

const dropOldest = (table: 'claims' | 'claim_approvals', role: string): string =>
  `DELETE FROM ${table} WHERE tenant_id = $1 AND revision < $2${role}`;

const DROP_HELD = `DELETE FROM claims WHERE tenant_id = $1 AND replace(claim_id::text, '-', '') = $2`;

/** A posting and a holder's stream are purged whole, an asker's up to a revision. */
const purged = ({ stream, firstKept }: RetentionEvent['data']): Statement[] => {
  const tenantId = tenantOfStream(stream);
  if (stream.startsWith(CLAIMS_STREAM_PREFIX)) {
    const values = [tenantId, firstKept];
    return [
      { text: dropOldest('claims', " AND role = 'asker'"), values },
      { text: dropOldest('claim_approvals', ''), values },
    ];
  }
  if (stream.startsWith(POSTING_STREAM_PREFIX)) {
    const values = [stream.slice(stream.indexOf('_') + 1)];
    return [DROP_POSTING, DROP_ALL_HELD].map((text) => ({ text, values }));
  }
  if (!stream.startsWith(CLAIM_STREAM_PREFIX)) return [];
  return [{ text: DROP_HELD, values: [tenantId, stream.slice(stream.indexOf('_') + 1)] }];
};

/** Claims are rare, so each event gets its own statements. */
const statementsOf = (event: Recorded<Projected>): Statement[] => {
  const tenantId = tenantOfStream(event.stream);
  switch (event.type) {
    case 'ClaimRequested.v1': {
      const { claimId, purpose, requestedAt, expiresAt } = event.data;
      return [{ text: ASK, values: [tenantId, claimId, purpose, requestedAt, expiresAt, event.revision] }];
    }
    case 'ClaimPosted.v1': {
      const { claimId, purpose, requestedAt, expiresAt, requestedBy, holders } = event.data;
      const rows = holders.map(({ tenantId: tenant_id, identityId: identity_id }) => ({ tenant_id, identity_id }));
      const received = [claimId, purpose, requestedAt, expiresAt, requestedBy, rowsParameter(rows)];
      return [
        { text: POST, values: [claimId, requestedAt] },
        { text: RECEIVE, values: received },
      ];
    }
    case 'PostingWithdrawn.v1': {
      const { claimId, withdrawnAt } = event.data;
      return [
        { text: POST, values: [claimId, withdrawnAt] },
        { text: DROP_ALL_HELD, values: [claimId] },
      ];
    }
    case 'ClaimGranted.v1': {
      const { claimId, attestorTenantId, attestedBy, fields, grantedAt, expiresAt } = event.data;
      const named = [tenantId, claimId, attestorTenantId, attestedBy, JSON.stringify(fields)];
      return [
        { text: GRANTED, values: [tenantId, claimId, grantedAt] },
        { text: GRANT, values: [...named, grantedAt, expiresAt, event.revision] },
      ];
    }
    case 'ClaimApproved.v1': {
      const { claimId, fields, approvedAt, expiresAt } = event.data;
      return [{ text: APPROVE, values: [tenantId, claimId, approvedAt, JSON.stringify(fields), expiresAt] }];
    }
    case 'ClaimLapsed.v1':
      return [{ text: DECIDE, values: [tenantId, event.data.claimId, 'rejected', event.data.lapsedAt] }];
    case 'ClaimWithdrawn.v1':
      return [{ text: WITHDRAW, values: [tenantId, event.data.claimId] }];
    case 'ClaimRejected.v1':
      return [{ text: DECIDE, values: [tenantId, event.data.claimId, 'rejected', event.data.rejectedAt] }];
    case 'StreamPurged.v1':
      return purged(event.data);
  }
};

const project = (events: readonly StoredEvent[]): Statement[] =>
  events.flatMap((event) => statementsOf(event as Recorded<Projected>));

/** Claims from both sides, each under its own tenant. */
export const claims = defineProjection(import.meta.url, {
  name: 'claims',
  version: 2,
  tables: ['claims', 'claim_postings', 'claim_approvals'],
  streamPrefixes: [CLAIM_STREAM_PREFIX, CLAIMS_STREAM_PREFIX, POSTING_STREAM_PREFIX, RETENTION_STREAM_PREFIX],
  project,
});
