-- The keys of decisions are destroyed by their age.
CREATE INDEX IF NOT EXISTS data_keys_of_decisions ON data_keys (created_at) WHERE subject LIKE 'decision/%';

-- Screening of all identities against what a new list version changed. The log says which versions were accepted; a row only
-- remembers how far one run has come.
CREATE TABLE IF NOT EXISTS screening_runs (
  list text NOT NULL,
  version text NOT NULL,
  -- The version in force before; null for the first.
  previous text,
  -- The event that accepted the version.
  event_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  -- The last identity that was screened; null before the first.
  tenant_id text,
  identity_id text,
  identities bigint NOT NULL DEFAULT 0,
  matches bigint NOT NULL DEFAULT 0,
  completed_at timestamptz,
  PRIMARY KEY (list, version)
);
