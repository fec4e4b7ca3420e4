import { defineCategory } from '../../kernel/category.js';
import { endpointDecider } from './endpoint.js';
import { webhookStream } from './endpoint.events.js';

export const webhookCategory = defineCategory({
  name: 'webhook',
  stream: webhookStream,
  decider: endpointDecider,
  events: {
    'WebhookEndpointRegistered.v1': { personal: { url: 'endpoint', description: 'endpoint', secret: 'endpoint' } },
    'WebhookEndpointChanged.v1': { personal: { url: 'endpoint', description: 'endpoint' } },
    'WebhookSecretRotated.v1': { personal: { secret: 'endpoint' } },
    'WebhookEndpointDisabled.v1': {},
    'WebhookEndpointDeleted.v1': {},
  },
  kept: 'for_good',
});
