-- The time of the last beat of each leader. A leader is the only instance that does a piece of work.
CREATE TABLE IF NOT EXISTS leaders (
  name text PRIMARY KEY,
  heard_at timestamptz NOT NULL
) WITH (fillfactor = 50);
