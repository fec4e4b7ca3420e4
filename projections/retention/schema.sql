CREATE TABLE retention_due (
  stream text NOT NULL,
  kind text NOT NULL,
  tenant_id text NOT NULL,
  identity_id text NOT NULL,
  identity_hash text NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (stream, kind)
);

CREATE INDEX retention_due_soonest ON retention_due (kind, due_at);
CREATE INDEX retention_due_of_tenant ON retention_due (tenant_id, due_at);
CREATE INDEX retention_due_of_person ON retention_due (identity_hash) WHERE kind IN ('inactivity', 'purge', 'erasure');

CREATE TABLE retention_purges (
  tenant_id text PRIMARY KEY,
  last_purge_at timestamptz NOT NULL
);

-- Streams whose oldest part is purged and must be truncated.
CREATE TABLE purged_streams (
  stream text PRIMARY KEY,
  first_kept bigint NOT NULL,
  purged_at timestamptz NOT NULL
);

-- Parts of batches without an acceptance so far. If it never follows, no other table shows them.
CREATE TABLE unaccepted_parts (
  stream text PRIMARY KEY,
  tenant_id text NOT NULL,
  revision bigint NOT NULL,
  received_at timestamptz NOT NULL
);
