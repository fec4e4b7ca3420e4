-- Reports and exports. Their files lie outside the log, since they must be destroyable.
CREATE TABLE documents (
  document_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  requested_at timestamptz NOT NULL,
  position bigint NOT NULL,
  file_id uuid,
  -- When the file is destroyed. Null if there is none.
  expires_at timestamptz
);

CREATE INDEX documents_of_tenant ON documents (tenant_id, kind, position DESC);
CREATE INDEX documents_generating ON documents (requested_at) WHERE status = 'generating';
CREATE INDEX documents_of_file ON documents (file_id) WHERE status = 'completed';
CREATE INDEX documents_expiring ON documents (expires_at) WHERE status = 'completed';
