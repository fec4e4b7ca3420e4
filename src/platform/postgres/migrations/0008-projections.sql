-- How far each projection is, and with which code; its rows stand in schemas of their own.
CREATE SCHEMA IF NOT EXISTS projections;
CREATE SEQUENCE IF NOT EXISTS projections.generations;
CREATE TABLE IF NOT EXISTS projections.versions (
  projection text NOT NULL,
  hash text NOT NULL,
  generation bigint NOT NULL DEFAULT nextval('projections.generations'),
  PRIMARY KEY (projection, hash)
);
CREATE TABLE IF NOT EXISTS projections.checkpoints (
  projection text NOT NULL,
  slot text NOT NULL CHECK (slot IN ('live', 'shadow')),
  hash text NOT NULL,
  epoch bigint NOT NULL DEFAULT 0,
  position bigint,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (projection, slot)
) WITH (fillfactor = 50);
