-- Files of reports and exports: outside the log and outside the read models, since they must be destroyable and nothing
-- rebuilds them. Each is sealed in chunks under a data key of its own.
CREATE TABLE files (
  file_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  document_id uuid NOT NULL,
  key_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  -- When its maker last wrote to it: another attempt waits while one is at work.
  touched_at timestamptz NOT NULL
);

CREATE INDEX files_of_document ON files (document_id);

CREATE TABLE file_chunks (
  file_id uuid NOT NULL REFERENCES files ON DELETE CASCADE,
  number integer NOT NULL,
  nonce bytea NOT NULL,
  ciphertext bytea NOT NULL,
  PRIMARY KEY (file_id, number)
);
-- Ciphertext does not compress.
ALTER TABLE file_chunks ALTER COLUMN ciphertext SET STORAGE EXTERNAL;

-- Pseudonyms of the people in a file. The erasure of one of them destroys the file.
CREATE TABLE file_people (
  file_id uuid NOT NULL REFERENCES files ON DELETE CASCADE,
  identity_hash text NOT NULL,
  PRIMARY KEY (file_id, identity_hash)
);

CREATE INDEX file_people_of_person ON file_people (identity_hash);

-- The export that an account asked for last. Its row decides between requests of the same moment, on any instance.
CREATE TABLE export_turns (
  tenant_id text PRIMARY KEY,
  document_id uuid NOT NULL,
  -- By the clock of this server, which all instances share.
  taken_at timestamptz NOT NULL DEFAULT now()
);
