-- What the last comparison of each projection's rows with rows made anew found.
CREATE TABLE IF NOT EXISTS projections.verifications (
  projection text PRIMARY KEY,
  verified_at timestamptz NOT NULL,
  -- Commit position at which the rows were compared.
  position bigint NOT NULL,
  events bigint NOT NULL,
  seconds double precision NOT NULL,
  differing_tables integer NOT NULL,
  differing_rows bigint NOT NULL
);

-- The event that each stopped projection cannot apply. It is gone once the projection goes on.
CREATE TABLE IF NOT EXISTS projections.failures (
  projection text PRIMARY KEY,
  version text NOT NULL,
  position bigint,
  stream text,
  event_type text,
  -- SQLSTATE or the error's name, and no message: that may hold values of the row.
  cause text NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT now()
);
