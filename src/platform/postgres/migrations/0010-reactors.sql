-- The checkpoint of each reactor. The effect of every event up to the position is done, or the event is parked.
CREATE TABLE IF NOT EXISTS reactor_checkpoints (
  reactor text PRIMARY KEY,
  version integer NOT NULL,
  -- Commit position; null: before the first event.
  position bigint,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
-- Events whose effect failed for good, until an operator retries them. They hold no personal data: the log has the event.
CREATE TABLE IF NOT EXISTS parked_events (
  reactor text NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  stream text NOT NULL,
  revision bigint NOT NULL,
  position bigint NOT NULL,
  attempts integer NOT NULL,
  error text NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  retry_requested boolean NOT NULL DEFAULT false,
  PRIMARY KEY (reactor, event_id)
);
