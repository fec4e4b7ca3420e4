-- When each key was last used.
CREATE TABLE api_key_usage (
  tenant_id text NOT NULL,
  key_id text NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key_id)
);
