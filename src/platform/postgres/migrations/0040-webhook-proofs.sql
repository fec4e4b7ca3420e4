-- The URL, by its event, at which the endpoint has proved itself, and the challenges that failed since.
ALTER TABLE webhook_receivers ADD COLUMN IF NOT EXISTS proven_url uuid;
ALTER TABLE webhook_receivers ADD COLUMN IF NOT EXISTS challenges integer NOT NULL DEFAULT 0;

-- What all tenants together send to one host. "host" is a keyed hash.
CREATE TABLE IF NOT EXISTS webhook_hosts (
  host text PRIMARY KEY,
  -- When everything that was granted would have been sent at an even pace.
  paced_until timestamptz NOT NULL,
  -- Of the last request for room.
  granted integer NOT NULL
) WITH (fillfactor = 50);
