-- Files of screening lists as their publishers gave them, gzipped, by their content. They are kept for as long as decisions may
-- be replayed against them, and are part of the back-up.
CREATE TABLE screening_files (
  sha256    text NOT NULL,
  -- From 0: a statement takes no more than one piece.
  piece     integer NOT NULL,
  gzipped   bytea NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (sha256, piece)
);
ALTER TABLE screening_files ALTER COLUMN gzipped SET STORAGE EXTERNAL;

-- The files of each version that was accepted, or was about to be. The log says which one is in force.
CREATE TABLE screening_versions (
  list    text NOT NULL,
  version text NOT NULL,
  -- sanctions or pep
  kind    text NOT NULL,
  -- [{"name": "sdn.csv", "sha256": "…"}]
  files   jsonb NOT NULL,
  PRIMARY KEY (list, version)
);

-- The last answer of each publisher, or import. A list's age counts from there.
CREATE TABLE screening_downloads (
  list          text PRIMARY KEY,
  answered_at   timestamptz NOT NULL,
  -- What the publisher wants to hear again, to say that nothing has changed.
  etag          text,
  last_modified text,
  -- Why the last answer did not become the list in force; null where it did, or is it still.
  refused       text
);

-- The keys of decisions are destroyed by their age.
CREATE INDEX data_keys_of_decisions ON data_keys (created_at) WHERE subject LIKE 'decision/%';

-- Screening of all identities against what a new list version changed. The log says which versions were accepted; a row only
-- remembers how far one run has come.
CREATE TABLE screening_runs (
  list text NOT NULL,
  -- sanctions or pep
  kind text NOT NULL,
  version text NOT NULL,
  -- The version in force before; null for the first.
  previous text,
  -- The event that accepted the version.
  event_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  -- The last identity that was screened; null before the first.
  tenant_id text,
  identity_id text,
  identities bigint NOT NULL DEFAULT 0,
  matches bigint NOT NULL DEFAULT 0,
  completed_at timestamptz,
  PRIMARY KEY (list, version)
);
