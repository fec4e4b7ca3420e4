-- What receivers of webhooks are told, for 30 days: the event feed. Made from the log, with ids derived from its events.
-- Holds ids, statuses and times, no personal data.
CREATE TABLE IF NOT EXISTS announcements (
  -- Grows in the order of commits, so that a reader that goes on after a row misses none.
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  tenant_id text NOT NULL,
  type text NOT NULL,
  occurred_at timestamptz NOT NULL,
  -- JSON.
  data text NOT NULL,
  -- The identity that the data names; its hard delete removes the row.
  identity_id text,
  -- Made for a test delivery, and not part of the feed.
  test boolean NOT NULL DEFAULT false,
  stored_at timestamptz NOT NULL
);

CREATE INDEX IF NOT EXISTS announcements_of_tenant ON announcements (tenant_id, seq) WHERE NOT test;
CREATE INDEX IF NOT EXISTS announcements_of_identity ON announcements (tenant_id, identity_id) WHERE identity_id IS NOT NULL;
