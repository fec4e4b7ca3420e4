import { accountEndpoints } from './accounts.js';
import { auditEndpoints } from './audit.js';
import { creditEndpoints } from './credits.js';
import { type Endpoint } from './endpoint.js';
import { identityEndpoints } from './identity.js';
import { serviceEndpoints } from './service.js';

export { type Endpoint, goodCall, rolesOf, titleOf } from './endpoint.js';

/** Every endpoint, with what a test needs to call it well or badly. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...identityEndpoints,
  ...auditEndpoints,
  ...creditEndpoints,
  ...accountEndpoints,
  ...serviceEndpoints,
];

/** Paths that the OpenAPI document does not list: itself and its readable form. */
export const DOCUMENTATION = ['/openapi.json', '/docs'] as const;
