import { randomUUID } from 'node:crypto';
import { type Deployment } from '../load/deployment.js';
import { freshAddress, type Http } from '../load/http.js';
import { person } from '../load/people.js';
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
    newKey: async (scopes) => {
      const body = { name: `A key ${randomUUID().slice(0, 8)}`, ...(scopes === undefined ? {} : { scopes }) };
      const { json } = await http.expect(201, { path: '/api/v1/keys', apiKey: tenant.apiKey, body });
      return { id: json['id'] as string, apiKey: json['api_key'] as string };
    },
  };
};

export const worldOf = async ({ http, operator }: Deployment): Promise<World> => ({
  http,
  owner: await ownerOf(http, await operator.tenant({ credits: 100_000 }), 1),
  stranger: await ownerOf(http, await operator.tenant({ credits: 100_000 }), 2),
  admin: operator.token,
  support: await tokenFor(http, { roles: ['support'] }),
  security: await tokenFor(http, { roles: ['security'] }),
  roleless: await tokenFor(http, { roles: [] }),
  newTenant: (credits = 0) => operator.tenant({ credits }),
});

/** Every call without an account needs this, since such callers are counted by their address. */
export const fromSomewhere = (): { readonly from: string } => ({ from: freshAddress() });
