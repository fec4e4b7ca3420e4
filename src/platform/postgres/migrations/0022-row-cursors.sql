-- How far what follows from rows of a read model has come, by the log positions of their events. Work behind a lost or older row is
-- done again; all of it is idempotent.
CREATE TABLE IF NOT EXISTS row_cursors (
  name text PRIMARY KEY,
  position bigint NOT NULL
);
