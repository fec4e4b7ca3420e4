-- Nonces that wallets presented within minutes: each counts once an account.
CREATE TABLE presented_nonces (
  tenant_id text NOT NULL,
  -- SHA-256.
  nonce_hash bytea NOT NULL,
  -- The request that presented it first.
  attempt uuid NOT NULL,
  presented_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, nonce_hash)
);

CREATE INDEX presented_nonces_by_age ON presented_nonces (presented_at);
