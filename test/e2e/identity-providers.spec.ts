import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { applicationOf } from '../support/credentials.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';

const who = person(79_001);

let deployment: Deployment;
let tenant: Tenant;
let provider: Server;
let key: CryptoKey;
let issuer: string;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  key = pair.privateKey;
  const jwk: JWK = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  provider = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  deployment = await Deployment.start({ env: LONG_STORE_BUDGET_MS });
  tenant = await deployment.operator.tenant({ credits: 10_000 });
  await ingestAll(deployment.http, tenant, [who]);
}, 90_000);

afterAll(async () => {
  await deployment.stop();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
}, 60_000);

/** The service again, with an identity provider of its own. */
const begin = async (changes: Readonly<Record<string, string>> = {}): Promise<void> => {
  const settings = { OIDC_ISSUER: issuer, OIDC_JWKS_URL: `${issuer}/keys`, OIDC_AUDIENCE: 'kyc', ...changes };
  await deployment.instance(0).service.stop();
  await deployment.restart(0, settings);
};

const issuing = async (claims: JWTPayload): Promise<Answer> => {
  const token = await new SignJWT({ tenant_id: tenant.tenantId, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .setIssuer(issuer)
    .setAudience('kyc')
    .setSubject('subject')
    .setExpirationTime('5m')
    .sign(key);
  return deployment.http.send({ path: '/api/v1/issue', token, body: applicationOf(who) });
};

describe('an identity provider', () => {
  beforeAll(() => begin(), 60_000);

  it.each<[string, JWTPayload]>([
    ['scope, as text', { scope: 'openid credentials:issue' }],
    ['scope, as a list', { scope: ['openid', 'credentials:issue'] }],
    ['scp, as text', { scp: 'openid credentials:issue' }],
    ['scp, as a list', { scp: ['openid', 'credentials:issue'] }],
  ])('may send scopes in the claim %s', async (_, claims) => {
    const answer = await issuing(claims);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"status":"issued"')]);
  });

  it.each<[string, JWTPayload, readonly string[]]>([
    ['scope', { scope: 'openid' }, ['scope']],
    ['scp', { scp: ['openid'] }, ['scp']],
    ['neither', {}, ['scope', 'scp']],
    ['another', { permissions: ['credentials:issue'] }, ['scope', 'scp']],
  ])('is told which claim was looked at where it sends %s without the scope', async (_, claims, named) => {
    const answer = await issuing(claims);
    expect([answer.status, answer.code]).toEqual([403, 'FORBIDDEN']);
    const detail = String(answer.json['detail']);
    expect(detail).toContain('credentials:issue');
    for (const claim of named) expect(detail).toMatch(new RegExp(`claims? [^.]*\\b${claim}\\b`));
  });
});

describe.each(['permissions', 'https://kyc.example.org/scopes'])('OIDC_SCOPE_CLAIM=%s', (claim) => {
  beforeAll(() => begin({ OIDC_SCOPE_CLAIM: claim }), 60_000);

  it('names the one claim that counts, as text or list', async () => {
    expect((await issuing({ [claim]: 'openid credentials:issue' })).status).toBe(200);
    expect((await issuing({ [claim]: ['credentials:issue'], scope: 'openid' })).status).toBe(200);
  });

  it('lets no other claim count, and the refusal names it', async () => {
    for (const claims of [{ scope: 'credentials:issue' }, { scp: ['credentials:issue'] }, { [claim]: 'openid' }]) {
      const answer = await issuing(claims);
      expect([answer.status, answer.code]).toEqual([403, 'FORBIDDEN']);
      expect(answer.json['detail']).toContain(claim);
    }
  });
});
