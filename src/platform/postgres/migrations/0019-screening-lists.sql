-- Files of screening lists as their publishers gave them, gzipped, by their content. They are kept for as long as decisions may
-- be replayed against them, and are part of the back-up.
CREATE TABLE IF NOT EXISTS screening_files (
  sha256    text PRIMARY KEY,
  gzipped   bytea NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE screening_files ALTER COLUMN gzipped SET STORAGE EXTERNAL;

-- The files of each version that was accepted, or was about to be. The log says which one is in force.
CREATE TABLE IF NOT EXISTS screening_versions (
  list    text NOT NULL,
  version text NOT NULL,
  -- [{"name": "sdn.csv", "sha256": "…"}]
  files   jsonb NOT NULL,
  PRIMARY KEY (list, version)
);

-- The last answer of each publisher, or import. A list's age counts from there.
CREATE TABLE IF NOT EXISTS screening_downloads (
  list          text PRIMARY KEY,
  answered_at   timestamptz NOT NULL,
  -- What the publisher wants to hear again, to say that nothing has changed.
  etag          text,
  last_modified text,
  -- Why the last answer did not become the list in force; null where it did, or is it still.
  refused       text
);
