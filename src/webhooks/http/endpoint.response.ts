import { type OpenedEndpoint } from '../endpoint-reader.js';
import { type EndpointResponse } from './endpoints.dto.js';

export const endpointMembers = ({ row, url, description }: OpenedEndpoint): Omit<EndpointResponse, 'is_verified'> => ({
  id: row.endpointId,
  url,
  events: row.events,
  description,
  is_active: row.active,
  disabled_reason: row.disabledReason,
  created_at: row.registeredAt.toISOString(),
});

/** `proven`: the URLs at which endpoints have proved themselves, by their events. */
export const toEndpoint = (endpoint: OpenedEndpoint, proven: ReadonlyMap<string, string>): EndpointResponse => ({
  ...endpointMembers(endpoint),
  is_verified: proven.get(endpoint.row.endpointId) === endpoint.row.urlEvent,
});
