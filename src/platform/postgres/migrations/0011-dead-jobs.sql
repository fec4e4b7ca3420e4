-- Jobs whose last try failed, for operators to see. What they pointed at stays where it is, and is queued again while it is due.
CREATE TABLE IF NOT EXISTS dead_jobs (
  queue text NOT NULL,
  job_id text NOT NULL,
  -- Ids only.
  payload jsonb NOT NULL,
  error text NOT NULL,
  times integer NOT NULL DEFAULT 1,
  died_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (queue, job_id)
);
CREATE INDEX IF NOT EXISTS dead_jobs_age ON dead_jobs (died_at);
