-- The deployment that this database belongs to. The log holds the same.
CREATE TABLE IF NOT EXISTS deployment (
  singleton     boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  deployment_id uuid NOT NULL,
  environment   text NOT NULL
);
