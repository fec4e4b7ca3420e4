import { type Call } from '../load/http.js';
import { enquiry, type Person } from '../load/people.js';
import { accountEndpoints } from './accounts.js';
import { auditEndpoints } from './audit.js';
import { credentialEndpoints } from './credentials.js';
import { claimEndpoints } from './claims.js';
import { billingEndpoints } from './billing.js';
import { creditEndpoints } from './credits.js';
import { type Endpoint } from './endpoint.js';
import { identityEndpoints, PERSON, SOMEBODY } from './identity.js';
import { operationsEndpoints } from './operations.js';
import { memberEndpoints } from './members.js';
import { requestEndpoints } from './requests.js';
import { reportEndpoints } from './reports.js';
import { proofEndpoints } from './proofs.js';
import { screeningEndpoints } from './screening.js';
import { serviceEndpoints } from './service.js';
import { webhookEndpoints } from './webhooks.js';

export { callToNothing, costOf, type Endpoint, goodCall, rolesOf, titleOf, withQuery } from './endpoint.js';

/** Every endpoint, with the data for valid and invalid calls. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...identityEndpoints,
  ...auditEndpoints,
  ...claimEndpoints,
  ...billingEndpoints,
  ...creditEndpoints,
  ...credentialEndpoints,
  ...accountEndpoints,
  ...memberEndpoints,
  ...reportEndpoints,
  ...proofEndpoints,
  ...webhookEndpoints,
  ...requestEndpoints,
  ...screeningEndpoints,
  ...operationsEndpoints,
  ...serviceEndpoints,
];

/** Paths that the OpenAPI document does not list: itself and its readable form. */
export const DOCUMENTATION = ['/openapi.json', '/docs', '/'] as const;

const renamed = <Part>(part: Part, who: Person): Part => {
  let text = JSON.stringify(part);
  for (const before of [PERSON, SOMEBODY]) {
    for (const name of Object.keys(before) as (keyof Person)[]) text = text.replaceAll(before[name], who[name]);
  }
  return JSON.parse(text) as Part;
};

/** Bodies that name another person each time are about this one too. */
const aboutPerson = (body: object, who: Person): object => ({
  ...renamed(body, who),
  ...('email' in body ? enquiry(who) : {}),
});

/** Every call about a person that a tenant's key can make without an id. */
export const callsAbout = (who: Person, apiKey: string): Call[] =>
  ENDPOINTS.filter(
    ({ access, path, body, query, parameters }) =>
      // A member is no person of the network: name and address end with the membership.
      access === 'key' && path !== '/api/v1/members' && parameters === undefined && (body ?? query) !== undefined,
  ).map(({ method, path, body, query }) => ({
    method,
    path: query === undefined ? path : `${path}?${new URLSearchParams(renamed(query, who)).toString()}`,
    apiKey,
    ...(body === undefined ? {} : { body: aboutPerson(body, who) }),
  }));
