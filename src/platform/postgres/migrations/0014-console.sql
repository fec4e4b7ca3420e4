-- Who is signed in to the console. The cookie holds 256 random bits, of which only the hash is kept.
CREATE TABLE console_sessions (
  token_hash bytea PRIMARY KEY,
  -- {kind: tenant, tenantId, keyId} or {kind: operator, subject, roles}; no secret stands in it.
  principal jsonb NOT NULL,
  -- Of the demo account: it may change between tenant and operator.
  is_demo boolean NOT NULL,
  began_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);
