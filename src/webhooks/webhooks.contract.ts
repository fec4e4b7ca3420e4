import { AT, UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

export const WEBHOOKS_CONTRACT = {
  tags: { Webhooks: 'Receivers of events, deliveries and the feed of events.' },
  auditActions: {
    events_read: 'read events with own ids of persons',
  },
  rejections: {
    webhook_url_registered: {
      code: 'CONFLICT',
      detail: 'Another webhook endpoint of the account has this URL; change its events instead',
    },
    webhook_endpoints_used_up: { code: 'CONFLICT', detail: 'The account has 20 webhook endpoints' },
    webhook_endpoint_changed_too_often: {
      code: 'CONFLICT',
      detail: 'The webhook endpoint was changed 1,000 times; delete it, and register another',
    },
    webhook_endpoint_inactive: {
      code: 'CONFLICT',
      detail: 'The webhook endpoint is not active; set is_active first',
    },
  },
  announcements: {
    'webhook.endpoint_disabled': {
      summary: 'A webhook endpoint was disabled: it answered 410 (gone), or failed for five days (failing)',
      example: { endpoint_id: UUID, reason: 'failing', disabled_at: AT },
    },
  },
  pathIds: {
    deliveries: [UUID, 'The id of a delivery'],
    endpoints: [UUID, 'The id of the webhook endpoint'],
  },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly webhooks: typeof WEBHOOKS_CONTRACT;
  }
}
