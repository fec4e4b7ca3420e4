import { type Announcer } from '../../kernel/announcement.js';
import { type StoredEvent } from '../../kernel/events.js';
import { WEBHOOK_STREAM_PREFIX, type WebhookEndpointDisabled } from './endpoint.events.js';

export const endpointAnnouncer: Announcer = {
  streamPrefixes: [WEBHOOK_STREAM_PREFIX],
  eventTypes: ['WebhookEndpointDisabled.v1'] satisfies readonly WebhookEndpointDisabled['type'][],
  announce: ({ data }: StoredEvent) => {
    const { endpointId, reason, disabledAt } = data as WebhookEndpointDisabled['data'];
    return [{ type: 'webhook.endpoint_disabled', data: { endpoint_id: endpointId, reason, disabled_at: disabledAt } }];
  },
};
