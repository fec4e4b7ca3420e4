-- Of long streams: any may be lost.
CREATE TABLE IF NOT EXISTS snapshots (
  stream   text PRIMARY KEY,
  version  text NOT NULL,
  revision bigint NOT NULL,
  state    jsonb NOT NULL
);
