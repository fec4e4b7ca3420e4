-- An eligibility check reads these narrow rows by the hash of e-mail and phone. A claim finds the identities by it too.
CREATE TABLE attestations (
  identity_hash text NOT NULL,
  tenant_id text NOT NULL,
  identity_id text NOT NULL,
  status text NOT NULL,
  tier text NOT NULL,
  kyc_expires_at timestamptz,
  last_verified_at timestamptz,
  deleted boolean NOT NULL,
  PRIMARY KEY (identity_hash, tenant_id)
);

-- Accounts whose attestations count no more.
CREATE TABLE distrusted (
  tenant_id text PRIMARY KEY
);

-- The envelope in "personal" is sealed at the place (tenant, stream of the identity, event_id, field "personal").
CREATE TABLE identities (
  tenant_id text NOT NULL,
  identity_id text NOT NULL,
  identity_hash text NOT NULL,
  ingestion_id uuid NOT NULL,
  status text NOT NULL,
  tier text NOT NULL,
  kyc_expires_at timestamptz,
  last_verified_at timestamptz,
  received_at timestamptz NOT NULL,
  deleted_at timestamptz,
  purge_at timestamptz,
  stream text NOT NULL,
  event_id uuid NOT NULL,
  personal jsonb NOT NULL,
  PRIMARY KEY (tenant_id, identity_id)
);

-- This table shares a projection with the attestations, so that records of a completed ingestion are findable there.
CREATE TABLE ingestions (
  tenant_id text NOT NULL,
  ingestion_id uuid NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  records_received integer NOT NULL,
  records_processed integer NOT NULL,
  superseded boolean NOT NULL,
  refusals jsonb NOT NULL,
  errors jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  ended_at timestamptz,
  identity_id text,
  next_attempt_at timestamptz,
  PRIMARY KEY (tenant_id, ingestion_id)
);

CREATE INDEX ingestions_by_age ON ingestions (received_at, ingestion_id);
CREATE INDEX ingestions_of_tenant ON ingestions (tenant_id, received_at, ingestion_id);
CREATE INDEX ingestions_due ON ingestions (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
