-- Data keys are stored apart from the event log. Destroying a row makes every copy of data sealed under it unreadable.
CREATE TABLE IF NOT EXISTS data_keys (
  id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  -- For one person at that tenant: the identity id, or that id with '/answers/' and a UTC day. For the tenant itself:
  -- '/audit/' or '/texts/' and a UTC month, or '/answers/' and a day. Each gets '/2' and so on once a key is used up.
  -- Old rows have ''.
  subject text NOT NULL,
  encryption_key_version integer NOT NULL,
  wrapped bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, subject)
);

CREATE INDEX IF NOT EXISTS data_keys_by_version ON data_keys (encryption_key_version, id);

-- Seals of a tenant's key that processes have reserved. The limit for random nonces applies to all processes together.
ALTER TABLE data_keys ADD COLUMN IF NOT EXISTS seals_leased bigint NOT NULL DEFAULT 0;

CREATE INDEX IF NOT EXISTS data_keys_of_audit ON data_keys (subject COLLATE "C") WHERE subject LIKE '/audit/%';

CREATE INDEX IF NOT EXISTS data_keys_of_answers ON data_keys (created_at) WHERE subject LIKE '%/answers/%';

CREATE TABLE IF NOT EXISTS destroyed_data_keys (
  id uuid PRIMARY KEY,
  destroyed_at timestamptz NOT NULL
);

-- The expected hash of each configured secret, written when the secret is first seen.
CREATE TABLE IF NOT EXISTS key_check_values (
  name text PRIMARY KEY,
  check_value text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Ed25519 keys that the service signs with. Public halves stay published for good, so that old signatures still verify.
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

-- Makes vacuum remove the remains of a destroyed row from its page soon, in a table of any size.
ALTER TABLE data_keys SET (autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0);

-- The versions of the key-encryption key that each running instance holds. A rotation waits for all instances.
CREATE TABLE IF NOT EXISTS key_instances (
  instance_id uuid PRIMARY KEY,
  versions integer[] NOT NULL,
  seen_at timestamptz NOT NULL
);

-- The version under which an instance wraps new keys: the newest that all live instances hold.
ALTER TABLE key_instances ADD COLUMN IF NOT EXISTS wraps_under integer;
