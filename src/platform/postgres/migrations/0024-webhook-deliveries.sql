-- One announcement for one endpoint, with every try. Not in the log by design: bulk, and kept for 30 days.
CREATE TABLE IF NOT EXISTS webhook_deliveries (
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

CREATE INDEX IF NOT EXISTS webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at, seq)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, seq);
CREATE INDEX IF NOT EXISTS webhook_deliveries_of_announcement ON webhook_deliveries (announcement);

CREATE TABLE IF NOT EXISTS webhook_attempts (
  delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  attempt integer NOT NULL,
  began_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  -- Null where no answer came; then the error says why.
  response_status integer,
  error text,
  PRIMARY KEY (delivery_id, attempt)
);

-- One row an endpoint that was ever delivered to: which instance works on it, and how it fares.
CREATE TABLE IF NOT EXISTS webhook_receivers (
  endpoint_id uuid PRIMARY KEY,
  holder uuid NOT NULL,
  -- Another instance may take over from then on.
  held_until timestamptz NOT NULL,
  -- The first failure after the last success.
  failing_since timestamptz,
  -- Its last try failed or took long, so its work does not stand in line with that of others.
  slow boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);
