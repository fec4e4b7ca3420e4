-- One row for each Idempotency-Key of a tenant (an operator; where the answer holds a secret, a calling key), method and route.
-- It holds HMACs, never the key or the body, and the answer, without secrets, as an envelope, so that destroying a data key
-- destroys it too.
CREATE TABLE idempotency_keys (
  key_hash bytea PRIMARY KEY,
  tenant_id text NOT NULL,
  body_hash bytea NOT NULL,
  -- running: an attempt is under way; answered: its answer is stored; confirmed: it may be replayed; free: only the seed stays.
  state text NOT NULL CHECK (state IN ('running', 'answered', 'confirmed', 'open', 'free')),
  -- The deduction of the attempt, which is also the attempt's own id.
  deduction_id uuid NOT NULL,
  -- Ids of effects are derived from it; it survives attempts, so that a second one finds the effects of the first.
  effect_seed uuid NOT NULL,
  started_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status smallint,
  answer jsonb,
  -- A revision of the tenant's credit stream that the attempt's deduction lies behind: so far back it is looked for. -1: not known.
  deduction_after bigint NOT NULL DEFAULT -1
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
CREATE INDEX idempotency_keys_data_key ON idempotency_keys ((answer ->> 'key')) WHERE answer IS NOT NULL;
-- Charges whose stored answer was repeated to somebody, by the row's deduction_id: each stands, also once its row is gone.
CREATE TABLE repeated_answers (
  deduction_id uuid PRIMARY KEY,
  repeated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX repeated_answers_age ON repeated_answers (repeated_at);
