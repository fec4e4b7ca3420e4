-- As instances created their tables before there were migrations.
CREATE TABLE IF NOT EXISTS idempotency_keys (
  key_hash bytea PRIMARY KEY,
  tenant_id text NOT NULL,
  body_hash bytea NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'answered', 'confirmed', 'free')),
  deduction_id uuid NOT NULL,
  effect_seed uuid NOT NULL,
  started_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status smallint,
  answer jsonb
);
ALTER TABLE idempotency_keys ADD COLUMN IF NOT EXISTS deduction_after bigint NOT NULL DEFAULT -1;
CREATE INDEX IF NOT EXISTS idempotency_keys_expiry ON idempotency_keys (expires_at);
CREATE INDEX IF NOT EXISTS idempotency_keys_data_key ON idempotency_keys ((answer ->> 'key')) WHERE answer IS NOT NULL;
CREATE TABLE IF NOT EXISTS repeated_answers (
  deduction_id uuid PRIMARY KEY,
  repeated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX IF NOT EXISTS repeated_answers_age ON repeated_answers (repeated_at);
CREATE TABLE IF NOT EXISTS data_keys (
  id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  subject text NOT NULL,
  encryption_key_version integer NOT NULL,
  wrapped bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, subject)
);

CREATE INDEX IF NOT EXISTS data_keys_by_version ON data_keys (encryption_key_version, id);
ALTER TABLE data_keys ADD COLUMN IF NOT EXISTS seals_leased bigint NOT NULL DEFAULT 0;

CREATE INDEX IF NOT EXISTS data_keys_of_audit ON data_keys (subject COLLATE "C") WHERE subject LIKE '/audit/%';

CREATE INDEX IF NOT EXISTS data_keys_of_answers ON data_keys (created_at) WHERE subject LIKE '%/answers/%';

CREATE TABLE IF NOT EXISTS destroyed_data_keys (
  id uuid PRIMARY KEY,
  destroyed_at timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS key_check_values (
  name text PRIMARY KEY,
  check_value text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS signing_keys (
  kid text PRIMARY KEY,
  purpose text NOT NULL,
  public_jwk jsonb NOT NULL,
  encryption_key_version integer NOT NULL,
  wrapped bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  retired_at timestamptz
);

CREATE UNIQUE INDEX IF NOT EXISTS signing_key_in_use ON signing_keys (purpose) WHERE retired_at IS NULL;
ALTER TABLE data_keys SET (autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0);
CREATE TABLE IF NOT EXISTS key_instances (
  instance_id uuid PRIMARY KEY,
  versions integer[] NOT NULL,
  seen_at timestamptz NOT NULL
);
ALTER TABLE key_instances ADD COLUMN IF NOT EXISTS wraps_under integer;
CREATE TABLE IF NOT EXISTS snapshots (
  stream   text PRIMARY KEY,
  version  text NOT NULL,
  revision bigint NOT NULL,
  state    jsonb NOT NULL
);
CREATE TABLE IF NOT EXISTS deployment (
  singleton     boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  deployment_id uuid NOT NULL,
  environment   text NOT NULL
);
CREATE TABLE IF NOT EXISTS pending_reversals (
  tenant_id      text NOT NULL,
  charge_id      uuid NOT NULL,
  after_revision bigint NOT NULL,
  keyed_row      text,
  noted_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, charge_id)
);
CREATE TABLE IF NOT EXISTS api_key_usage (
  tenant_id text NOT NULL,
  key_id text NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key_id)
);
CREATE SCHEMA IF NOT EXISTS projections;
CREATE SEQUENCE IF NOT EXISTS projections.generations;
CREATE TABLE IF NOT EXISTS projections.versions (
  projection text NOT NULL,
  hash text NOT NULL,
  generation bigint NOT NULL DEFAULT nextval('projections.generations'),
  PRIMARY KEY (projection, hash)
);
CREATE TABLE IF NOT EXISTS projections.checkpoints (
  projection text NOT NULL,
  slot text NOT NULL CHECK (slot IN ('live', 'shadow')),
  hash text NOT NULL,
  epoch bigint NOT NULL DEFAULT 0,
  position bigint,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (projection, slot)
) WITH (fillfactor = 50);
