-- Data keys live apart from the event log: destroying a row makes every copy of what was sealed under it unreadable.
CREATE TABLE data_keys (
  id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  -- The identity id of one person at that tenant, or that id with '/answers/' and a UTC day. Of the tenant itself: '/audit/' or
  -- '/texts/' and a UTC month, '/answers/' and a day, each with '/2' and so on where one was used up.
  subject text NOT NULL,
  encryption_key_version integer NOT NULL,
  wrapped bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- How many seals processes have taken for themselves, of the keys of tenants: the bound for random nonces holds for all together.
  seals_leased bigint NOT NULL DEFAULT 0,
  UNIQUE (tenant_id, subject)
);

CREATE INDEX data_keys_by_version ON data_keys (encryption_key_version, id);

CREATE INDEX data_keys_of_audit ON data_keys (subject COLLATE "C") WHERE subject LIKE '/audit/%';

CREATE INDEX data_keys_of_answers ON data_keys (created_at) WHERE subject LIKE '%/answers/%';

CREATE TABLE destroyed_data_keys (
  id uuid PRIMARY KEY,
  destroyed_at timestamptz NOT NULL,
  -- When this database heard of it: every instance looks for what is new.
  noted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX destroyed_data_keys_noted ON destroyed_data_keys (noted_at);

-- What each configured secret must hash to; written when it is first seen.
CREATE TABLE key_check_values (
  name text PRIMARY KEY,
  check_value text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Ed25519 keys that the service signs with; public halves are published for good, so that what they signed verifies later.
CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  purpose text NOT NULL,
  public_jwk jsonb NOT NULL,
  encryption_key_version integer NOT NULL,
  wrapped bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  retired_at timestamptz,
  -- When an operator declared the key compromised. It is then published no longer, and nothing that it signed is accepted.
  compromised_at timestamptz
);

CREATE UNIQUE INDEX signing_key_in_use ON signing_keys (purpose) WHERE retired_at IS NULL;

-- What a destroyed row leaves on its page is cleaned up soon, however large the table is.
ALTER TABLE data_keys SET (autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0);

-- Which versions of the key-encryption key each running instance holds: a rotation waits for all of them.
CREATE TABLE key_instances (
  instance_id uuid PRIMARY KEY,
  versions integer[] NOT NULL,
  seen_at timestamptz NOT NULL,
  -- Under which version an instance wraps new keys: the newest that all live instances hold.
  wraps_under integer NOT NULL
);

-- Every data key that the log names up to this position is here, was destroyed, or stands in lost_data_keys.
CREATE TABLE key_census (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL
);

-- Data keys that the log names and that were not destroyed: an earlier state of this database was restored. Nothing opens what is
-- sealed under them, in each of these streams.
CREATE TABLE lost_data_keys (
  id uuid NOT NULL,
  stream text NOT NULL,
  found_at timestamptz NOT NULL,
  -- Set by an operator: the data will not come back.
  given_up_at timestamptz,
  PRIMARY KEY (id, stream)
);

-- Copies of log and Postgres that exist until gone_at. An erasure promises that none is older than 90 days.
CREATE TABLE backups (
  name text PRIMARY KEY,
  taken_at timestamptz NOT NULL,
  gone_at timestamptz
);
