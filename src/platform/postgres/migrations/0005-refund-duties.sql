-- Refunds that are owed to accounts, until the stream holds them.
CREATE TABLE IF NOT EXISTS refund_duties (
  tenant_id    text NOT NULL,
  deduction_id uuid NOT NULL,
  noted_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, deduction_id)
);
