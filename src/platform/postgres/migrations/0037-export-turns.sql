-- The export that an account asked for last. Its row decides between requests of the same moment, on any instance.
CREATE TABLE export_turns (
  tenant_id text PRIMARY KEY,
  document_id uuid NOT NULL,
  -- By the clock of this server, which all instances share.
  taken_at timestamptz NOT NULL DEFAULT now()
);
