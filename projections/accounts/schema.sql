CREATE TABLE accounts (
  tenant_id text PRIMARY KEY,
  name text NOT NULL,
  tier text NOT NULL,
  suspended boolean NOT NULL,
  created_at timestamptz NOT NULL,
  position bigint NOT NULL
);

CREATE INDEX accounts_newest ON accounts (position DESC);

-- Two accounts may rarely have keys with the same id.
CREATE TABLE api_keys (
  key_id text NOT NULL,
  tenant_id text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (key_id, tenant_id)
);
