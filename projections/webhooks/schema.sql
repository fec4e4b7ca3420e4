-- Envelopes are sealed at the place (tenant, stream of the endpoint, the event beside each, its column's name).
CREATE TABLE webhook_endpoints (
  tenant_id text NOT NULL,
  endpoint_id uuid NOT NULL,
  -- Commit position of the registration: an endpoint hears of later events only.
  position bigint NOT NULL,
  active boolean NOT NULL,
  -- When it was registered or last activated.
  active_since timestamptz NOT NULL,
  -- Why the service disabled it; null where the tenant did.
  disabled_reason text,
  events text[] NOT NULL,
  registered_at timestamptz NOT NULL,
  url jsonb NOT NULL,
  url_event uuid NOT NULL,
  description jsonb,
  description_event uuid,
  secret jsonb NOT NULL,
  secret_event uuid NOT NULL,
  former_secret jsonb,
  former_secret_event uuid,
  -- Until then the former secret signs too.
  former_until timestamptz,
  PRIMARY KEY (endpoint_id)
);

CREATE INDEX webhook_endpoints_of_tenant ON webhook_endpoints (tenant_id, position);
