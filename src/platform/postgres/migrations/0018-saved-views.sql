-- Filters of lists that a member keeps, or whoever signs in with a key. They end with the member or the key.
CREATE TABLE saved_views (
  tenant_id text NOT NULL,
  actor_id text NOT NULL,
  screen text NOT NULL,
  -- An envelope: names and filters may be about persons.
  views jsonb NOT NULL,
  PRIMARY KEY (tenant_id, actor_id, screen)
);
