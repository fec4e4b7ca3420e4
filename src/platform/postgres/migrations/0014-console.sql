-- Who is signed in to the console. The cookie holds 256 random bits, of which only the hash is kept.
CREATE TABLE console_sessions (
  token_hash bytea PRIMARY KEY,
  -- {kind: tenant, tenantId, keyId}, {kind: member, tenantId, memberId} or {kind: operator, subject, roles} as JSON: nonce, ciphertext and tag of AES-256-GCM under a
  -- key that HKDF makes of the token. So neither the table nor the write-ahead log names a person.
  principal bytea NOT NULL,
  -- Of the demo account: it may change between tenant and operator.
  is_demo boolean NOT NULL,
  began_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);

-- Challenges of WebAuthn that were given out, each taken once.
CREATE TABLE passkey_challenges (
  challenge text PRIMARY KEY,
  -- `sign-in`, or the account and member that a passkey is made for.
  purpose text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- The highest signature counter of each passkey: a lower one is a copy of the authenticator.
CREATE TABLE passkey_counters (
  tenant_id text NOT NULL,
  member_id text NOT NULL,
  credential_id text NOT NULL,
  counter bigint NOT NULL,
  used_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, member_id, credential_id)
);
