import { type OpenedEndpoint } from '../endpoint-reader.js';
import { type EndpointResponse } from './endpoints.dto.js';

export const toEndpoint = ({ row, url, description }: OpenedEndpoint): EndpointResponse => ({
  id: row.endpointId,
  url,
  events: row.events,
  description,
  is_active: row.active,
  disabled_reason: row.disabledReason,
  created_at: row.registeredAt.toISOString(),
});
