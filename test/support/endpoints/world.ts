import { randomUUID } from 'node:crypto';
import { issuerTokenFor } from '../credentials.js';
import { type Deployment } from '../load/deployment.js';
import { freshAddress, type Http } from '../load/http.js';
import { enquiry, person } from '../load/people.js';
import { eventually } from '../processes.js';
import { ingestAll, type Tenant, tokenFor } from '../load/tenants.js';

export interface Key {
  readonly id: string;
  readonly apiKey: string;
}

/** A tenant with one of every kind of data that a tenant can have. */
export interface Owner extends Tenant {
  /** Creates a key for the account through the tenant's own endpoint. */
  newKey(scopes?: readonly string[]): Promise<Key>;
  readonly ingestionId: string;
  /** A token that may issue credentials for the account. */
  readonly bearer: string;
  /** The event of a charged look-up, a leaf of the log's tree. */
  readonly eventId: string;
}

export interface World {
  readonly http: Http;
  readonly owner: Owner;
  readonly stranger: Owner;
  readonly admin: string;
  readonly support: string;
  readonly security: string;
  /** A token of the same provider without any role. */
  readonly roleless: string;
  /** A new account, for calls that change one. */
  newTenant(credits?: number): Promise<Tenant>;
}

const provenEventOf = async (http: Http, { apiKey }: Tenant, number: number): Promise<string> => {
  await http.expect(200, { path: '/api/v1/check-eligibility', apiKey, body: enquiry(person(number)) });
  const path = '/api/v1/compliance/audit-log?action=eligibility_check&limit=1';
  const id = await eventually('the entry of the check', async () => {
    const { json } = await http.expect(200, { path, apiKey });
    return (json['logs'] as { id: string }[])[0]?.id;
  });
  const isLeaf = async (): Promise<boolean> =>
    (await http.send({ path: `/api/v1/proofs/${id}`, apiKey })).status === 200;
  await eventually('the leaf', isLeaf);
  return id;
};

const ownerOf = async (http: Http, tenant: Tenant, number: number): Promise<Owner> => {
  await ingestAll(http, tenant, [person(number)]);
  const ingested = await http.expect(202, {
    path: '/api/v1/ingest',
    apiKey: tenant.apiKey,
    body: { ...person(number), kyc_status: 'APPROVED' },
  });
  return {
    ...tenant,
    ingestionId: ingested.json['ingestion_id'] as string,
    bearer: await issuerTokenFor(http, tenant),
    eventId: await provenEventOf(http, tenant, number),
    newKey: async (scopes) => {
      const body = { name: `A key ${randomUUID().slice(0, 8)}`, ...(scopes === undefined ? {} : { scopes }) };
      const { json } = await http.expect(201, { path: '/api/v1/keys', apiKey: tenant.apiKey, body });
      return { id: json['id'] as string, apiKey: json['api_key'] as string };
    },
  };
};

export const worldOf = async ({ http, operator }: Pick<Deployment, 'http' | 'operator'>): Promise<World> => ({
  http,
  owner: await ownerOf(http, await operator.tenant({ credits: 100_000 }), 1),
  stranger: await ownerOf(http, await operator.tenant({ credits: 100_000 }), 2),
  admin: operator.token,
  support: await tokenFor(http, { roles: ['support'] }),
  security: await tokenFor(http, { roles: ['security'] }),
  roleless: await tokenFor(http, { roles: [] }),
  newTenant: (credits = 0) => operator.tenant({ credits }),
});

/** The value for this many calls, then a new one. */
const CALLS_WITH_ONE = 10;
export const everyTenth = <Value>(make: () => Value): (() => Value) => {
  let calls = 0;
  let value: Value;
  return () => {
    if (calls % CALLS_WITH_ONE === 0) value = make();
    calls += 1;
    return value;
  };
};

const address = everyTenth(freshAddress);

/** Every call without an account needs this, since such callers are counted by their address. Few share a connection each. */
export const fromSomewhere = (): { readonly from: string } => ({ from: address() });

const SCOPES = ['ingest', 'eligibility', 'credentials', 'compliance', 'billing', 'webhooks', 'data', 'keys'];

/** Keys with every scope but one. Each is made once: an account has 100 keys at most. */
export const keysWithoutScope = (owner: Owner): ((scope: string | undefined) => Promise<string>) => {
  const made = new Map<string | undefined, Promise<Key>>();
  return async (scope) => {
    const key = made.get(scope) ?? owner.newKey(SCOPES.filter((other) => other !== scope));
    made.set(scope, key);
    return (await key).apiKey;
  };
};
