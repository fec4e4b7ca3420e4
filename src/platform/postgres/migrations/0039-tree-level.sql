-- When the tree last held every event of the log, to ten seconds.
ALTER TABLE proof_epochs ADD COLUMN level_at timestamptz NOT NULL DEFAULT now();
