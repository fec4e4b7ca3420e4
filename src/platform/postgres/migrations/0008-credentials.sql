-- Requests to issue that were refused because the network does not attest what they said: too many about one person are guesses.
CREATE TABLE refused_issuances (
  tenant_id text NOT NULL,
  -- Keyed hash of e-mail and phone together.
  identity_hash text NOT NULL,
  request_id text NOT NULL,
  refused_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identity_hash, request_id)
);
CREATE INDEX refused_issuances_age ON refused_issuances (refused_at);
