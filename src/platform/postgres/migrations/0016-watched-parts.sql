-- What the operators' page "now" watches, a row a part, as one instance notes it each minute.
CREATE TABLE watched_parts (
  name text PRIMARY KEY,
  status text NOT NULL CHECK (status IN ('up', 'degraded', 'down')),
  -- When the status was first noted.
  since timestamptz NOT NULL,
  -- Values of the last 60 minutes, the oldest first. Null where none was noted.
  minutes double precision[] NOT NULL,
  noted_at timestamptz NOT NULL
) WITH (fillfactor = 50);
