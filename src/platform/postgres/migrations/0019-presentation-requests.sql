-- What verifiers ask wallets to show, and what they showed: for a day.
CREATE TABLE presentation_requests (
  request_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  nonce text NOT NULL,
  claims text[] NOT NULL,
  -- An envelope: the private key that answers are encrypted for.
  response_key jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  -- An envelope: what was shown, and how it was judged.
  result jsonb,
  answered_at timestamptz
);

CREATE INDEX presentation_requests_by_age ON presentation_requests (expires_at);
