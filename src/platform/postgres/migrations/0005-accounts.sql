-- When each key was last used, and from which network (/24 of IPv4, /48 of IPv6).
CREATE TABLE api_key_usage (
  tenant_id text NOT NULL,
  key_id text NOT NULL,
  last_used_at timestamptz NOT NULL,
  last_used_from text,
  PRIMARY KEY (tenant_id, key_id)
);
