import { SigningKeys } from '../../src/platform/crypto/signing-keys.js';
import { parseKeyMaterial } from '../../src/kernel/key-material.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { Database } from '../../src/platform/postgres/database.js';
import { type Deployment } from './load/deployment.js';
import { type Answer, type Http, type Json } from './load/http.js';
import { type Person } from './load/people.js';
import { type Tenant, tokenFor } from './load/tenants.js';

/** A credential as its issuer was given it. */
export interface Issued {
  readonly token: string;
  readonly publicKey: string;
  /** urn:uuid:… */
  readonly jti: string;
}

/** What a request to issue says of a person. */
export const applicationOf = ({ email, phone_number, full_name, date_of_birth: dob }: Person, tier = 'Tier1') => ({
  email,
  phone_number,
  full_name,
  dob,
  tier,
});

/** A tenant that may issue. */
export interface IssuingTenant extends Tenant {
  readonly bearer: string;
}

export const issuerTokenFor = (http: Http, tenant: Tenant): Promise<string> =>
  tokenFor(http, { tenant_id: tenant.tenantId, scope: 'credentials:issue' });

export const toIssued = ({ json }: Answer): Issued => ({
  token: json['token'] as string,
  publicKey: json['public_key'] as string,
  jti: json['credential_id'] as string,
});

export const issue = async (http: Http, tenant: IssuingTenant, person: Person, tier?: string): Promise<Issued> =>
  toIssued(await http.expect(200, { path: '/api/v1/issue', token: tenant.bearer, body: applicationOf(person, tier) }));

export const verify = async (http: Http, { apiKey }: Tenant, token: string, publicKey: string): Promise<Json> => {
  const body = { token, public_key_pem: publicKey };
  return (await http.expect(200, { path: '/api/v1/verify', apiKey, body })).json;
};

/** `valid`, or the code of the fault. */
export const verdictOf = async (http: Http, tenant: Tenant, { token, publicKey }: Issued): Promise<unknown> => {
  const { valid, code } = await verify(http, tenant, token, publicKey);
  return valid === true ? 'valid' : code;
};

/** The issuer's own keys, for tests that sign what the service would never sign. */
export const signingKeysOf = ({
  databaseUrl,
  env,
}: Pick<Deployment, 'databaseUrl' | 'env'>): { keys: SigningKeys; close: () => Promise<void> } => {
  const database = new Database({ connectionString: databaseUrl });
  const ring = new KeyRing(parseKeyMaterial(env['KEYS'] ?? '', 'KEYS'));
  return { keys: new SigningKeys(database, ring), close: () => database.close() };
};
