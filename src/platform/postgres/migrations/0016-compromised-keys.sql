-- When an operator declared the key compromised. It is then published no longer, and nothing that it signed is accepted.
ALTER TABLE signing_keys ADD COLUMN IF NOT EXISTS compromised_at timestamptz;
