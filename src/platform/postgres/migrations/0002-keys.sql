-- Data keys live apart from the event log: destroying a row makes every copy of what was sealed under it unreadable.
CREATE TABLE IF NOT EXISTS data_keys (
  id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  -- The identity id of one person at that tenant, or that id with '/answers/' and a UTC day. Of the tenant itself: '/audit/' or
  -- '/texts/' and a UTC month, '/answers/' and a day, each with '/2' and so on where one was used up; '' in rows of old.
  subject text NOT NULL,
  encryption_key_version integer NOT NULL,
  wrapped bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, subject)
);

CREATE INDEX IF NOT EXISTS data_keys_by_version ON data_keys (encryption_key_version, id);

-- How many seals processes have taken for themselves, of the keys of tenants: the bound for random nonces holds for all together.
ALTER TABLE data_keys ADD COLUMN IF NOT EXISTS seals_leased bigint NOT NULL DEFAULT 0;

CREATE INDEX IF NOT EXISTS data_keys_of_audit ON data_keys (subject COLLATE "C") WHERE subject LIKE '/audit/%';

CREATE INDEX IF NOT EXISTS data_keys_of_answers ON data_keys (created_at) WHERE subject LIKE '%/answers/%';

CREATE TABLE IF NOT EXISTS destroyed_data_keys (
  id uuid PRIMARY KEY,
  destroyed_at timestamptz NOT NULL
);

-- What each configured secret must hash to; written when it is first seen.
CREATE TABLE IF NOT EXISTS key_check_values (
  name text PRIMARY KEY,
  check_value text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Ed25519 keys that the service signs with; public halves are published for good, so that what they signed verifies later.
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

-- What a destroyed row leaves on its page is cleaned up soon, however large the table is.
ALTER TABLE data_keys SET (autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0);

-- Which versions of the key-encryption key each running instance holds: a rotation waits for all of them.
CREATE TABLE IF NOT EXISTS key_instances (
  instance_id uuid PRIMARY KEY,
  versions integer[] NOT NULL,
  seen_at timestamptz NOT NULL
);

-- Under which version an instance wraps new keys: the newest that all live instances hold.
ALTER TABLE key_instances ADD COLUMN IF NOT EXISTS wraps_under integer;
