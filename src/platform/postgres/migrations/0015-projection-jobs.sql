-- Verifications and rebuilds that operators asked for. One at a time is under way.
CREATE TABLE projections.jobs (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('verify', 'rebuild')),
  projections text[] NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'done', 'failed', 'interrupted')),
  events bigint NOT NULL DEFAULT 0,
  position bigint,
  -- The end of the log when the job began.
  goal bigint,
  -- What it does that has no measure, for example a comparison.
  doing text,
  -- What it found, a projection each, as the command line's --json shows it.
  results json[] NOT NULL DEFAULT '{}',
  -- The kind of the error, and no message: that may hold values of a row.
  error text,
  began_at timestamptz NOT NULL DEFAULT now(),
  -- A running job whose process is gone is not seen any more.
  seen_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX projections_job_running ON projections.jobs ((true)) WHERE state = 'running';
CREATE INDEX projections_jobs_began ON projections.jobs (began_at DESC);
