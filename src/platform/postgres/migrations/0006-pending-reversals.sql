-- Charges of look-ups that returned an error, until it is decided whether they stand.
CREATE TABLE IF NOT EXISTS pending_reversals (
  tenant_id      text NOT NULL,
  charge_id      uuid NOT NULL,
  after_revision bigint NOT NULL,
  keyed_row      text,
  noted_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, charge_id)
);
