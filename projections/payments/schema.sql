-- One row a purchase or checkout of a subscription, until its stream is purged.
CREATE TABLE payments (
  tenant_id text NOT NULL,
  purchase_id uuid NOT NULL,
  -- Time of its last event, by the appender's clock.
  latest_at timestamptz NOT NULL,
  -- Position of the event that opened a purchase of credits, by which they are listed. Null for another payment.
  opened_at bigint,
  -- What it was opened for, as JSON: {eventId, purchaseId, origin, package, credits, amountMinor, labels, createdAt}; "labels" is sealed
  -- at the place (tenant, payment-<tenant>_<purchase>, eventId, field "labels"). Null where "opened_at" is.
  opened jsonb,
  -- absent, open, received, failed, cancelled or expired; the state of each dispute by its id. Amounts are US cents.
  status text NOT NULL,
  paid_minor bigint NOT NULL,
  refunded_minor bigint NOT NULL,
  refused boolean NOT NULL,
  disputes jsonb NOT NULL,
  payment_intent_id text,
  PRIMARY KEY (tenant_id, purchase_id)
);

CREATE INDEX payments_of_tenant ON payments (tenant_id, opened_at) WHERE opened_at IS NOT NULL;

CREATE INDEX payments_oldest ON payments (latest_at);

-- Payments that wait for an operator.
CREATE TABLE held_payments (
  purchase_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  reason text NOT NULL,
  -- US cents; null where the provider named no amount.
  amount_minor bigint,
  currency text NOT NULL,
  package text,
  provider_id text NOT NULL,
  held_at timestamptz NOT NULL,
  position bigint NOT NULL
);

CREATE INDEX held_payments_oldest ON held_payments (position);

-- Subscriptions whose last payment failed.
CREATE TABLE graces (
  tenant_id text PRIMARY KEY,
  subscription_id text NOT NULL,
  ends_at timestamptz NOT NULL
);

CREATE INDEX graces_next ON graces (ends_at);
