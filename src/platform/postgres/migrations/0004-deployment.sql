-- Which deployment this database belongs to; the log says the same.
CREATE TABLE IF NOT EXISTS deployment (
  singleton     boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  deployment_id uuid NOT NULL,
  environment   text NOT NULL
);
