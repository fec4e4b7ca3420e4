-- "tenant" is the tenant's id as a uuid, made by tenantUuid (kernel/ids.ts).
CREATE TABLE balances (
  tenant_id text PRIMARY KEY,
  tenant uuid NOT NULL,
  balance bigint NOT NULL,
  transactions bigint NOT NULL
);

-- A charge is one row here and in the audit log. "action", "result", "subject" and "access" are null in all
-- other rows, and "actor" in all but deductions. They are also null in a charge whose audit entry is purged before the transaction. The envelope in "access" is JSON as it
-- was sealed. "reference" of a purchase, an adjustment, a reversal or a return is unique in the account, but for the
-- debt that a purchase paid: a reversal with the purchase's reference. Any other refund's reference names the returned
-- item: a charge by its "id", a deduction by its "reference".
CREATE TABLE credit_transactions (
  tenant uuid NOT NULL,
  revision bigint NOT NULL,
  position bigint NOT NULL,
  occurred_at timestamptz NOT NULL,
  id uuid NOT NULL,
  amount bigint NOT NULL,
  balance_after bigint NOT NULL,
  type text NOT NULL,
  operation text,
  request_id text NOT NULL,
  reference text,
  action text,
  result text,
  -- The API key's id, or "token" or "service".
  actor text,
  -- Keyed hash of tenant and person. Null if the access named no person.
  subject uuid,
  access text,
  PRIMARY KEY (tenant, revision)
);

-- Charges have no reference, so the frequent rows are not in it.
CREATE INDEX transactions_by_reference ON credit_transactions (tenant, reference) WHERE reference IS NOT NULL;
CREATE INDEX charges_newest ON credit_transactions (tenant, occurred_at DESC, position DESC) WHERE action IS NOT NULL;
-- Finds the entries of any actions, results and actors without a scan of others: a kind each (see audit_days).
CREATE INDEX charges_newest_of_kind ON credit_transactions (tenant, action, result, actor, occurred_at DESC, position DESC)
  WHERE action IS NOT NULL;
CREATE INDEX charges_of_subject ON credit_transactions (subject, occurred_at DESC, position DESC) WHERE subject IS NOT NULL;
-- Eight bytes find a request as well as its id does, and keep the frequent rows' index small.
CREATE INDEX transactions_of_request ON credit_transactions (hashtextextended(request_id, 0));

-- Accesses other than charges of look-ups. The id detects an access recorded twice.
CREATE TABLE audit_entries (
  event_id uuid PRIMARY KEY,
  tenant uuid NOT NULL,
  position bigint NOT NULL,
  -- Order among the entries of one event.
  ordinal integer NOT NULL,
  occurred_at timestamptz NOT NULL,
  action text NOT NULL,
  result text NOT NULL,
  request_id text NOT NULL,
  actor text NOT NULL,
  subject uuid,
  -- The event that holds the entry among others. Null: the entry is an event of its own.
  recorded_by uuid,
  -- The stream of an entry that an event of another kind holds; 'credits' is credits-<tenant>. Null: audit-<tenant>.
  stream text,
  access text NOT NULL
);

CREATE INDEX audit_entries_newest ON audit_entries (tenant, occurred_at DESC, position DESC, ordinal DESC);
CREATE INDEX audit_entries_newest_of_kind
  ON audit_entries (tenant, action, result, actor, occurred_at DESC, position DESC, ordinal DESC);
CREATE INDEX audit_entries_of_subject ON audit_entries (subject, occurred_at DESC, position DESC, ordinal DESC)
  WHERE subject IS NOT NULL;
CREATE INDEX audit_entries_of_request ON audit_entries (hashtextextended(request_id, 0));

-- "access" is sealed at the place (tenant, stream, event_id, field "access"). Readers must add `action IS NOT NULL`. In the view itself it would keep Postgres from
-- using the indexes' order.
CREATE VIEW audit_log AS
  SELECT tenant, occurred_at, position, ordinal, action, result, actor, subject, event_id, recorded_by, stream,
    request_id, access
  FROM audit_entries
  UNION ALL
  SELECT tenant, occurred_at, position, 0, action, result, actor, subject, id, NULL, 'credits', request_id, access
  FROM credit_transactions;

-- How many entries of each kind a day has. A kind is an action with a result and an actor.
CREATE TABLE audit_days (
  tenant_id text NOT NULL,
  day date NOT NULL,
  action text NOT NULL,
  result text NOT NULL,
  actor text NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (tenant_id, day, action, result, actor)
);

CREATE TABLE open_deductions (
  tenant_id text NOT NULL,
  deduction_id uuid NOT NULL,
  operation text NOT NULL,
  actor text NOT NULL,
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
  -- The API key's id, or "token" or "service".
  actor text NOT NULL,
  credits bigint NOT NULL,
  PRIMARY KEY (tenant_id, day, operation, actor)
);

-- How the balance of an account moved on a day, and what was purchased of it.
CREATE TABLE credits_by_day (
  tenant_id text NOT NULL,
  day date NOT NULL,
  moved bigint NOT NULL,
  purchased bigint NOT NULL,
  PRIMARY KEY (tenant_id, day)
);

-- Revisions at which a credits stream may be truncated. There it holds the whole account.
CREATE TABLE carried_forward (
  tenant_id text NOT NULL,
  revision bigint NOT NULL,
  carried_at timestamptz NOT NULL,
  open_deductions uuid[] NOT NULL,
  PRIMARY KEY (tenant_id, revision)
);
