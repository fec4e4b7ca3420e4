-- The API access log: one row a request, without an address, a URL or a person. Each UTC day is a table of its own, which
-- the service adds when it begins and drops after 90 days.
CREATE SEQUENCE api_access_ids;

CREATE TABLE api_accesses (
  -- Ascends as rows are written: a page begins below the last id of the page before it.
  id bigint NOT NULL DEFAULT nextval('api_access_ids'),
  answered_at timestamptz NOT NULL,
  request_id text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  status smallint NOT NULL,
  error_code text,
  duration_ms real NOT NULL,
  -- Null where the answer named no price.
  credits integer,
  tenant_id text,
  actor_id text NOT NULL,
  -- More than 1: refused requests of strangers alike within a minute, of which this is the last.
  requests integer NOT NULL DEFAULT 1
) PARTITION BY RANGE (answered_at);

CREATE INDEX api_accesses_newest ON api_accesses (id);
CREATE INDEX api_accesses_newest_of_tenant ON api_accesses (tenant_id, id);
CREATE INDEX api_accesses_of_request ON api_accesses (hashtextextended(request_id, 0));
