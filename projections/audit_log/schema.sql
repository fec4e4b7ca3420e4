-- The envelope in "access" was sealed at the place (tenant, stream audit-<tenant>, event_id, field "access").
CREATE TABLE audit_entries (
  event_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  position bigint NOT NULL,
  occurred_at timestamptz NOT NULL,
  action text NOT NULL,
  result text NOT NULL,
  request_id text NOT NULL,
  deduction_id uuid,
  access jsonb NOT NULL
);

CREATE INDEX audit_entries_newest ON audit_entries (tenant_id, occurred_at DESC, position DESC);
-- So that entries of a rare action are found without passing over all others of a long range.
CREATE INDEX audit_entries_newest_of_action ON audit_entries (tenant_id, action, occurred_at DESC, position DESC);

CREATE TABLE audit_days (
  tenant_id text NOT NULL,
  day date NOT NULL,
  action text NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (tenant_id, day, action)
);
