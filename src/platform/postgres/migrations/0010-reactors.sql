-- How far each reactor is: of every event up to the position the effect is done, or parked.
CREATE TABLE IF NOT EXISTS reactor_checkpoints (
  reactor text PRIMARY KEY,
  version integer NOT NULL,
  -- Commit position; null: before the first event.
  position bigint,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
-- Events whose effect failed for good, until an operator has it tried again. Holds no personal data: the log has the event.
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
