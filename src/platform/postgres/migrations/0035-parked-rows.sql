-- Rows of read models whose effect failed for good, until an operator has it tried again. Holds no personal data.
CREATE TABLE IF NOT EXISTS parked_rows (
  cursor_name text NOT NULL,
  -- Of the event that the row stands for.
  event_id uuid NOT NULL,
  position bigint NOT NULL,
  attempts integer NOT NULL,
  error text NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  retry_requested boolean NOT NULL DEFAULT false,
  PRIMARY KEY (cursor_name, event_id)
);
