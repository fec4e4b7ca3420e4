-- How far each projection is, and with which code; its rows stand in schemas of their own.
CREATE SCHEMA projections;
CREATE SEQUENCE projections.generations;
CREATE TABLE projections.versions (
  projection text NOT NULL,
  version text NOT NULL,
  generation bigint NOT NULL DEFAULT nextval('projections.generations'),
  PRIMARY KEY (projection, version)
);
CREATE TABLE projections.checkpoints (
  projection text NOT NULL,
  slot text NOT NULL CHECK (slot IN ('live', 'shadow')),
  version text NOT NULL,
  epoch bigint NOT NULL DEFAULT 0,
  position bigint,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (projection, slot)
) WITH (fillfactor = 50);

-- What the last comparison of each projection's rows with rows made anew found.
CREATE TABLE projections.verifications (
  projection text PRIMARY KEY,
  verified_at timestamptz NOT NULL,
  -- Commit position at which the rows were compared.
  position bigint NOT NULL,
  events bigint NOT NULL,
  seconds double precision NOT NULL,
  differing_tables integer NOT NULL,
  differing_rows bigint NOT NULL
);

-- The event that each stopped projection cannot apply. It is gone once the projection goes on.
CREATE TABLE projections.failures (
  projection text PRIMARY KEY,
  version text NOT NULL,
  position bigint,
  stream text,
  event_type text,
  -- SQLSTATE or the error's name, and no message: that may hold values of the row.
  cause text NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT now()
);

-- Events that a version of a projection cannot apply and that an operator lets it go on without. A later version applies them.
CREATE TABLE projections.set_aside (
  projection text NOT NULL,
  version text NOT NULL,
  position bigint NOT NULL,
  stream text NOT NULL,
  event_type text NOT NULL,
  -- SQLSTATE or the error's name.
  cause text NOT NULL,
  -- Keyed hash of who decided. The operators' log says why.
  operator text NOT NULL,
  set_aside_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (projection, version, position)
);
