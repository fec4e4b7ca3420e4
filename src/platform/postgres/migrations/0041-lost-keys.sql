-- Every data key that the log names up to this position is here, was destroyed, or stands in lost_data_keys.
CREATE TABLE key_census (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL
);

-- Data keys that the log names and that nobody destroyed: an earlier state of this database was restored. Nothing opens what is
-- sealed under them, in each of these streams.
CREATE TABLE lost_data_keys (
  id uuid NOT NULL,
  stream text NOT NULL,
  found_at timestamptz NOT NULL,
  -- Set by an operator: the data will not come back.
  given_up_at timestamptz,
  PRIMARY KEY (id, stream)
);
