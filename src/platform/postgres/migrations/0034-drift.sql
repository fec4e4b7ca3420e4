-- What the drift watch last found of each account: its rows against its stream. It can be lost: the watch begins anew.
CREATE TABLE IF NOT EXISTS drift_checks (
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
  findings jsonb NOT NULL
);

CREATE INDEX IF NOT EXISTS drift_checks_turns ON drift_checks (turn_at);
CREATE INDEX IF NOT EXISTS drift_checks_differing ON drift_checks (checked_at) WHERE differing > 0;
