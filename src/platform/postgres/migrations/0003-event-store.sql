-- Of long streams: any may be lost.
CREATE TABLE snapshots (
  stream   text PRIMARY KEY,
  version  text NOT NULL,
  revision bigint NOT NULL,
  state    jsonb NOT NULL
);

-- Which deployment this database belongs to; the log says the same.
CREATE TABLE deployment (
  singleton     boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  deployment_id uuid NOT NULL,
  environment   text NOT NULL
);
