-- What verifiers ask wallets to show, and what they showed: for a day.
CREATE TABLE presentation_requests (
  request_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  -- The key or member who asked, with the caps of that key.
  asked_by text NOT NULL,
  caps jsonb,
  nonce text NOT NULL,
  credential text NOT NULL,
  claims text[] NOT NULL,
  -- An envelope: the private key that answers are encrypted for, until there is one.
  response_key jsonb,
  expires_at timestamptz NOT NULL,
  -- While an answer is judged, no other is.
  taken_at timestamptz,
  taken_by uuid,
  -- An envelope: how the answer was judged. It counts once its charge does.
  result jsonb,
  -- Whose credential it is, where that is known: an erasure of the person removes what was shown.
  identity_hash text,
  charge_id uuid,
  -- A revision of the account's credits that precedes the charge.
  charge_after bigint,
  answered_at timestamptz
);

CREATE INDEX presentation_requests_by_age ON presentation_requests (expires_at);
CREATE INDEX presentation_requests_by_person ON presentation_requests (tenant_id, identity_hash) WHERE identity_hash IS NOT NULL;
