-- When the one instance that has a piece of work to itself was last heard of.
CREATE TABLE IF NOT EXISTS leaders (
  name text PRIMARY KEY,
  heard_at timestamptz NOT NULL
) WITH (fillfactor = 50);
