-- What verifiers ask wallets to show, and what they showed: for a day.
CREATE TABLE presentation_requests (
  request_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  -- The key or member who asked, and pays.
  asked_by text NOT NULL,
  nonce text NOT NULL,
  -- Who the verifier is to the wallet, which binds its answer to it.
  client_id text NOT NULL,
  -- The request as a JWT. Null where requests are not signed.
  signed_request text,
  credential text NOT NULL,
  claims text[] NOT NULL,
  -- An envelope: the private key that the answer is encrypted for. Null once there is one.
  response_key jsonb,
  expires_at timestamptz NOT NULL,
  -- While an answer is judged, no other is. The attempt is the id of its charge, too.
  taken_at timestamptz,
  attempt uuid,
  -- A revision of the account's credits that precedes the charge.
  charge_after bigint,
  -- An envelope: how the attempt judged the answer. It counts once its charge does.
  result jsonb,
  -- Whose credential it is, where that is known: an erasure of the person removes what was shown.
  identity_hash text
);

CREATE INDEX presentation_requests_by_age ON presentation_requests (expires_at);
CREATE INDEX presentation_requests_by_attempt ON presentation_requests (attempt) WHERE attempt IS NOT NULL;
CREATE INDEX presentation_requests_by_person ON presentation_requests (tenant_id, identity_hash) WHERE identity_hash IS NOT NULL;
