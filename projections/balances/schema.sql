CREATE TABLE balances (
  tenant_id text PRIMARY KEY,
  balance bigint NOT NULL,
  transactions bigint NOT NULL
);

CREATE TABLE credit_transactions (
  tenant_id text NOT NULL,
  revision bigint NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  amount bigint NOT NULL,
  balance_after bigint NOT NULL,
  operation text,
  request_id text NOT NULL,
  reference text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, revision)
);

CREATE TABLE open_deductions (
  tenant_id text NOT NULL,
  deduction_id uuid NOT NULL,
  operation text NOT NULL,
  amount bigint NOT NULL,
  deducted_at timestamptz NOT NULL,
  day date NOT NULL,
  PRIMARY KEY (tenant_id, deduction_id)
);

CREATE INDEX open_deductions_oldest ON open_deductions (deducted_at);

CREATE TABLE usage_by_day (
  tenant_id text NOT NULL,
  day date NOT NULL,
  operation text NOT NULL,
  credits bigint NOT NULL,
  PRIMARY KEY (tenant_id, day, operation)
);

-- Where a credits stream may be truncated: at these revisions it holds the whole account.
CREATE TABLE carried_forward (
  tenant_id text NOT NULL,
  revision bigint NOT NULL,
  carried_at timestamptz NOT NULL,
  open_deductions uuid[] NOT NULL,
  PRIMARY KEY (tenant_id, revision)
);
