-- Who is signed in to the console. The cookie holds 256 random bits, of which only the hash is kept.
CREATE TABLE console_sessions (
  token_hash bytea PRIMARY KEY,
  -- {kind: tenant, tenantId, keyId} or {kind: operator, subject, roles} as JSON: nonce, ciphertext and tag of AES-256-GCM under a
  -- key that HKDF makes of the token. So neither the table nor the write-ahead log names a person.
  principal bytea NOT NULL,
  -- Of the demo account: it may change between tenant and operator.
  is_demo boolean NOT NULL,
  began_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);
