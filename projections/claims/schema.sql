-- A claim as one tenant sees it: the asker, or a holder of the identity. No row shows a tenant another one's row.
CREATE TABLE claims (
  tenant_id text NOT NULL,
  claim_id uuid NOT NULL,
  role text NOT NULL,
  purpose text NOT NULL,
  status text NOT NULL,
  requested_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  -- The next four are a holder's: who asks, for which identity, and what was approved until when.
  requested_by text,
  identity_id text,
  fields jsonb,
  grant_expires_at timestamptz,
  -- Of the event that the row begins with, in its stream.
  revision bigint NOT NULL,
  PRIMARY KEY (tenant_id, claim_id)
);

CREATE INDEX claims_by_age ON claims (tenant_id, role, requested_at DESC, claim_id);
CREATE INDEX claims_undecided ON claims (expires_at, tenant_id, claim_id) WHERE role = 'asker' AND status = 'requested';
CREATE INDEX claims_held ON claims (claim_id) WHERE role = 'holder';
CREATE INDEX claims_by_identity ON claims (tenant_id, identity_id) WHERE identity_id IS NOT NULL;

-- Claims that were put before their holders, or were to be.
CREATE TABLE claim_postings (
  claim_id uuid PRIMARY KEY,
  posted_at timestamptz NOT NULL
);

CREATE INDEX claim_postings_oldest ON claim_postings (posted_at, claim_id);

-- Approvals as the asker sees them.
CREATE TABLE claim_approvals (
  tenant_id text NOT NULL,
  claim_id uuid NOT NULL,
  attestor_tenant_id text NOT NULL,
  attested_by text NOT NULL,
  fields jsonb NOT NULL,
  approved_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (tenant_id, claim_id, attestor_tenant_id)
);
