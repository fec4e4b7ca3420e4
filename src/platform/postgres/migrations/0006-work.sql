-- When the one instance that has a piece of work to itself was last heard of.
CREATE TABLE leaders (
  name text PRIMARY KEY,
  heard_at timestamptz NOT NULL,
  -- An instance of higher rank takes the lead.
  rank bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- How far each reactor is: of every event up to the position the effect is done, or parked.
CREATE TABLE reactor_checkpoints (
  reactor text PRIMARY KEY,
  version integer NOT NULL,
  -- Commit position; null: before the first event.
  position bigint,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
-- Events whose effect failed for good, until an operator has it tried again. Holds no personal data: the log has the event.
CREATE TABLE parked_events (
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

-- Jobs whose last try failed, for operators to see. What they pointed at stays where it is, and is queued again while it is due.
CREATE TABLE dead_jobs (
  queue text NOT NULL,
  job_id text NOT NULL,
  -- Ids only.
  payload jsonb NOT NULL,
  error text NOT NULL,
  times integer NOT NULL DEFAULT 1,
  died_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (queue, job_id)
);
CREATE INDEX dead_jobs_age ON dead_jobs (died_at);

-- Notices to accounts, until they are sent and for a month after, so that none is sent twice. The address is looked up
-- at the moment of sending and stands nowhere here.
CREATE TABLE mail_notices (
  id text PRIMARY KEY,
  tenant_id text NOT NULL,
  -- Null: to the account's contact.
  member_id text,
  subject text NOT NULL,
  text text NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT now(),
  -- Not before this time. Null: it is sent or given up.
  due_at timestamptz DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  sent_at timestamptz,
  -- Code of the last failure, without the server's text, which may repeat the address.
  error text
);
CREATE INDEX mail_notices_due ON mail_notices (due_at) WHERE due_at IS NOT NULL;
