import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { defineProjection } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';
import { WEBHOOK_STREAM_PREFIX, type WebhookEvent } from '../../src/webhooks/domain/endpoint.events.js';

const REGISTER = `
  INSERT INTO webhook_endpoints (tenant_id, endpoint_id, position, active, active_since, events, registered_at,
    url, url_event, description, description_event, secret, secret_event)
  VALUES ($1, $2, $3, true, $4, $5, $4, $6, $7, $8, CASE WHEN $8::jsonb IS NULL THEN NULL ELSE $7::uuid END, $9, $7)`;

/** A parameter that is null leaves its column as it is. */
const CHANGE = `
  UPDATE webhook_endpoints SET events = coalesce($2, events),
    url = coalesce($3, url), url_event = CASE WHEN $3::jsonb IS NULL THEN url_event ELSE $4::uuid END
  WHERE endpoint_id = $1`;

const DESCRIBE = `
  UPDATE webhook_endpoints SET description = $2,
    description_event = CASE WHEN $2::jsonb IS NULL THEN NULL ELSE $3::uuid END
  WHERE endpoint_id = $1`;

const ACTIVATE = `
  UPDATE webhook_endpoints SET active = true, active_since = $2, disabled_reason = NULL WHERE endpoint_id = $1`;

const DEACTIVATE = 'UPDATE webhook_endpoints SET active = false, disabled_reason = $2 WHERE endpoint_id = $1';

const ROTATE = `
  UPDATE webhook_endpoints SET secret = $2, secret_event = $3, former_until = $4,
    former_secret = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret END,
    former_secret_event = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret_event END
  WHERE endpoint_id = $1`;

const REMOVE = 'DELETE FROM webhook_endpoints WHERE endpoint_id = $1';

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

const changed = (event: Extract<Recorded<WebhookEvent>, { type: 'WebhookEndpointChanged.v1' }>): Statement[] => {
  const { endpointId, events, url, description, active, changedAt } = event.data;
  return [
    { text: CHANGE, values: [endpointId, events ?? null, json(url), event.id] },
    ...(description === undefined ? [] : [{ text: DESCRIBE, values: [endpointId, json(description), event.id] }]),
    ...(active === true ? [{ text: ACTIVATE, values: [endpointId, changedAt] }] : []),
    ...(active === false ? [{ text: DEACTIVATE, values: [endpointId, null] }] : []),
  ];
};

/** Endpoints change rarely, so each event gets its own statements. */
const statementsOf = (event: Recorded<WebhookEvent>): Statement[] => {
  switch (event.type) {
    case 'WebhookEndpointRegistered.v1': {
      const { endpointId, registeredAt, events, url, description, secret } = event.data;
      const { id, position, stream } = event;
      const sealed = [json(url), id, json(description), json(secret)];
      const values = [tenantOfStream(stream), endpointId, position, registeredAt, events, ...sealed];
      return [{ text: REGISTER, values }];
    }
    case 'WebhookEndpointChanged.v1':
      return changed(event);
    case 'WebhookSecretRotated.v1': {
      const { endpointId, secret, overlapEndsAt } = event.data;
      return [{ text: ROTATE, values: [endpointId, json(secret), event.id, overlapEndsAt] }];
    }
    case 'WebhookEndpointDisabled.v1':
      return [{ text: DEACTIVATE, values: [event.data.endpointId, event.data.reason] }];
    case 'WebhookEndpointDeleted.v1':
      return [{ text: REMOVE, values: [event.data.endpointId] }];
  }
};

const project = (events: readonly StoredEvent[]): Statement[] =>
  events.flatMap((event) => statementsOf(event as Recorded<WebhookEvent>));

/** The webhook endpoints of all tenants. */
export const webhooks = defineProjection(import.meta.url, {
  name: 'webhooks',
  version: 1,
  tables: ['webhook_endpoints'],
  streamPrefixes: [WEBHOOK_STREAM_PREFIX],
  project,
});
