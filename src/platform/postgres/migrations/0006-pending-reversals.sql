-- Charges of look-ups that were answered by an error, until it is settled whether they stand.
CREATE TABLE IF NOT EXISTS pending_reversals (
  tenant_id      text NOT NULL,
  charge_id      uuid NOT NULL,
  after_revision bigint NOT NULL,
  keyed_row      text,
  noted_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, charge_id)
);
