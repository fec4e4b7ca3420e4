-- Charges of look-ups that were answered by an error, until it is settled whether they stand.
CREATE TABLE pending_reversals (
  tenant_id      text NOT NULL,
  charge_id      uuid NOT NULL,
  after_revision bigint NOT NULL,
  keyed_row      text,
  noted_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, charge_id)
);

-- What the drift watch last found of each account: its rows against its stream. It can be lost: the watch begins anew.
CREATE TABLE drift_checks (
  tenant_id text PRIMARY KEY,
  checked_at timestamptz NOT NULL,
  -- When it was its turn. An account that drifts is checked between turns too.
  turn_at timestamptz NOT NULL,
  -- Position at which rows and stream were compared.
  position bigint NOT NULL,
  -- The last such position at which all rows were right.
  sound_position bigint,
  differing integer NOT NULL,
  -- Position of the first wrong row. Null if none is wrong.
  first_position bigint,
  -- The first wrong rows: table, key, column, expected and actual number. No personal data.
  findings jsonb NOT NULL,
  -- The sums of an account's rows when they were last sound (see accountSums): what has changed without a transaction is looked at.
  transactions bigint,
  sums text
);

CREATE INDEX drift_checks_turns ON drift_checks (turn_at);
CREATE INDEX drift_checks_differing ON drift_checks (checked_at) WHERE differing > 0;
