-- Decisions of charged checks. "record" is the charge's envelope as JSON, sealed at the place (tenant, credits-<tenant>,
-- decision_id, field "record"). It holds an envelope of its own, under the decision's key.
CREATE TABLE decisions (
  decision_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  kind text NOT NULL,
  result text NOT NULL,
  decided_at timestamptz NOT NULL,
  request_id text NOT NULL,
  revision bigint NOT NULL,
  position bigint NOT NULL,
  record text NOT NULL
);

CREATE INDEX decisions_by_revision ON decisions (tenant_id, revision);
CREATE INDEX decisions_to_announce ON decisions (position) WHERE kind = 'sanctions' AND result <> 'clear';

-- Charged risk assessments, sealed likewise. The record holds the identity id, the score and the level.
CREATE TABLE assessments (
  assessment_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  revision bigint NOT NULL,
  position bigint NOT NULL,
  request_id text NOT NULL,
  record text NOT NULL
);

CREATE INDEX assessments_by_revision ON assessments (tenant_id, revision);
CREATE INDEX assessments_in_order ON assessments (position);

CREATE TABLE dismissals (
  tenant_id text NOT NULL,
  dismissal_hash text NOT NULL,
  decision_id uuid NOT NULL,
  dismissed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, dismissal_hash)
);

-- Entries of sanctions lists that an identity resembles, as last screened.
CREATE TABLE identity_matches (
  tenant_id text NOT NULL,
  identity_id text NOT NULL,
  list text NOT NULL,
  entry_id text NOT NULL,
  score double precision NOT NULL,
  status text NOT NULL,
  list_version text NOT NULL,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identity_id, list, entry_id)
);
