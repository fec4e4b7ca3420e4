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
