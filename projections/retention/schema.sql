CREATE TABLE retention_due (
  stream text NOT NULL,
  kind text NOT NULL,
  tenant_id text NOT NULL,
  identity_id text NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (stream, kind)
);

CREATE INDEX retention_due_soonest ON retention_due (kind, due_at);
CREATE INDEX retention_due_of_tenant ON retention_due (tenant_id, due_at);

CREATE TABLE retention_purges (
  tenant_id text PRIMARY KEY,
  last_purge_at timestamptz NOT NULL,
  purges bigint NOT NULL
);
