-- What receivers of webhooks get, for 30 days: the event feed. Made from the log, with ids derived from its events.
-- Holds ids, statuses and times, no personal data but sealed.
CREATE TABLE announcements (
  -- Grows in the order of commits, so that a reader that goes on after a row misses none.
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  tenant_id text NOT NULL,
  type text NOT NULL,
  occurred_at timestamptz NOT NULL,
  -- JSON.
  data text NOT NULL,
  -- JSON: a member of the data that stays sealed as the log has it. Null without one.
  sealed text,
  -- The identity that the data names; its hard delete removes the row.
  identity_id text,
  -- The request that led to it. Null of a test.
  request_id text,
  -- Made for a test delivery, and not part of the feed.
  test boolean NOT NULL DEFAULT false,
  stored_at timestamptz NOT NULL,
  -- Erased or too old: only its place is left, so that a reader whose last event it was goes on from there.
  removed boolean NOT NULL DEFAULT false
);

CREATE INDEX announcements_kept ON announcements (seq) WHERE NOT removed;
CREATE INDEX announcements_removed ON announcements (seq) WHERE removed;
CREATE INDEX announcements_of_tenant ON announcements (tenant_id, seq) WHERE NOT test;
CREATE INDEX announcements_of_request ON announcements (hashtextextended(request_id, 0)) WHERE request_id IS NOT NULL;
CREATE INDEX announcements_of_identity ON announcements (tenant_id, identity_id) WHERE identity_id IS NOT NULL;

-- One announcement for one endpoint, with every try. Not in the log by design: bulk, and kept for 30 days.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  tenant_id text NOT NULL,
  endpoint_id uuid NOT NULL,
  announcement bigint NOT NULL REFERENCES announcements (seq) ON DELETE CASCADE,
  -- The stream that the announcement stems from: within it a receiver sees the order.
  stream text NOT NULL,
  -- pending, delivered, or failed: no further try.
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  -- Null unless a try is to come.
  next_attempt_at timestamptz,
  test boolean NOT NULL DEFAULT false
);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at, seq)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, seq);
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (endpoint_id, status, seq);
CREATE INDEX webhook_deliveries_of_announcement ON webhook_deliveries (announcement);

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  attempt integer NOT NULL,
  began_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  -- Null where no answer came; then the error says why.
  response_status integer,
  -- Seconds after which the receiver wants to be asked again.
  retry_after integer,
  error text,
  -- Headers and the first kB of the body, sealed.
  response text,
  PRIMARY KEY (delivery_id, attempt)
);

-- One row an endpoint that was ever delivered to: which instance works on it, and how it fares.
CREATE TABLE webhook_receivers (
  endpoint_id uuid PRIMARY KEY,
  holder uuid NOT NULL,
  -- Another instance may take over from then on.
  held_until timestamptz NOT NULL,
  -- No instance asks it before then: the next challenge of its host, a place there, or what it said itself.
  rests_until timestamptz NOT NULL DEFAULT '-infinity',
  -- The first failure after the last success.
  failing_since timestamptz,
  -- Its last try failed or took long, so its work does not stand in line with that of others.
  slow boolean NOT NULL DEFAULT false,
  -- The URL, by its event, at which the endpoint has proved itself.
  proven_url uuid
) WITH (fillfactor = 50);

-- Finds the last test deliveries of an endpoint, whose number a minute is limited.
CREATE INDEX webhook_deliveries_tests ON webhook_deliveries (endpoint_id, seq) WHERE test;

-- Challenges of an account at one host, over all paths, until one proves itself. "host" is a keyed hash.
CREATE TABLE webhook_challenges (
  tenant_id text NOT NULL,
  host text NOT NULL,
  failed integer NOT NULL,
  asked_at timestamptz NOT NULL,
  -- No delivery asks it before then.
  rests_until timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, host)
) WITH (fillfactor = 50);

-- What all tenants together send to one host. "host" is a keyed hash.
CREATE TABLE webhook_hosts (
  host text PRIMARY KEY,
  -- When everything that was granted would have been sent at an even pace.
  paced_until timestamptz NOT NULL,
  -- Of the last request for room.
  granted integer NOT NULL
) WITH (fillfactor = 50);
