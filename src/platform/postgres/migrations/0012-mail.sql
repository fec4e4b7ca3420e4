-- Notices to accounts, until they are sent and for a month after, so that none is sent twice. The address is looked up
-- at the moment of sending and stands nowhere here.
CREATE TABLE IF NOT EXISTS mail_notices (
  id text PRIMARY KEY,
  tenant_id text NOT NULL,
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
CREATE INDEX IF NOT EXISTS mail_notices_due ON mail_notices (due_at) WHERE due_at IS NOT NULL;
