import { type JWTPayload } from 'jose';
import { createHash } from 'node:crypto';
import { AUDIENCE, CLIENT, OpenIdProvider } from '../support/openid-provider.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';

let provider: OpenIdProvider;
let deployment: Deployment;
let base: string;
/** Two accounts. */
let own: Tenant;
let other: Tenant;

beforeAll(async () => {
  provider = await OpenIdProvider.start();
  const { issuer } = provider;
  deployment = await Deployment.start({ env: LONG_STORE_BUDGET_MS });
  const tenant = (): Promise<Tenant> => deployment.operator.tenant({ credits: 1 });
  [own, other] = [await tenant(), await tenant()];
  await deployment.instance(0).service.stop();
  await deployment.restart(0, {
    ...{ OIDC_ISSUER: issuer, OIDC_JWKS_URL: `${issuer}/keys`, OIDC_AUDIENCE: AUDIENCE },
    ...{ OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    ...{ PUBLIC_URL: deployment.http.baseUrl, NODE_EXTRA_CA_CERTS: provider.certFile },
  });
  base = deployment.http.baseUrl;
}, 120_000);

afterAll(async () => {
  await deployment.stop();
  await provider.stop();
}, 60_000);

beforeEach(() => (provider.behaviour = {}));

/** These tests share the burst of one address. */
const visit = (url: string, cookie = ''): Promise<Response> =>
  eventually('room within the limit', async () => {
    const answer = await fetch(new URL(url, base), { redirect: 'manual', headers: { cookie } });
    return answer.status === 429 ? undefined : answer;
  });

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ');

const hashOf = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');

const placeOf = (answer: Response): string => answer.headers.get('location') ?? '';

/** To the provider, and back to the address that it names. */
const depart = async (): Promise<{ readonly cookie: string; readonly back: string }> => {
  const away = await visit('/console/session/oidc');
  expect(away.status).toBe(302);
  expect(away.headers.getSetCookie()[0]).toMatch(
    /; Path=\/console\/session\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
  return { cookie: cookiesOf(away), back: provider.authorize(placeOf(away)) };
};

const signIn = async (): Promise<Response> => {
  const { cookie, back } = await depart();
  return visit(back, cookie);
};

const ask = (path: string, cookie: string): Promise<Response> => visit(`/console/api${path}`, cookie);

it('signs an operator in with the roles of the access token, and out at the provider too', async () => {
  const arrived = await signIn();
  expect([arrived.status, placeOf(arrived)]).toEqual([302, '/console']);
  const cookie = cookiesOf(arrived);
  const session = (await (await visit('/console/session', cookie)).json()) as object;
  expect(session).toMatchObject({ signed_in: true, kind: 'operator', roles: ['support'], oidc: true, demo: false });
  expect((await ask('/admin/accounts', cookie)).status).toBe(200);
  expect((await ask('/admin/projections', cookie)).status).toBe(403);
  const headers = { cookie, 'x-console': '1' };
  const out = await fetch(`${base}/console/session`, { method: 'DELETE', headers });
  expect(out.status).toBe(204);
  expect((await ask('/admin/accounts', cookie)).status).toBe(401);
  const end = new URL(placeOf(await visit('/console/session/oidc/end')));
  expect(end.origin + end.pathname).toBe(`${provider.issuer}/logout`);
  expect(end.searchParams.get('post_logout_redirect_uri')).toBe(`${base}/console`);
});

it('signs in whom the provider calls otherwise in the ID token, where that names the access token', async () => {
  provider.behaviour = { idClaims: (accessToken) => ({ sub: 'pairwise', at_hash: hashOf(accessToken) }) };
  expect(placeOf(await signIn())).toBe('/console');
});

it('ends a session with the token that granted its roles', async () => {
  provider.behaviour = { lasts: 3 };
  const cookie = cookiesOf(await signIn());
  expect((await ask('/admin/accounts', cookie)).status).toBe(200);
  await eventually('its end', async () => (await ask('/admin/accounts', cookie)).status === 401);
});

it.each([
  ['a token without a role', { claims: { roles: [] } }, 'forbidden'],
  ['a token with another role', { claims: { roles: ['owner'] } }, 'forbidden'],
  ['the answer to another question', { nonce: 'another' }, 'invalid_token'],
  ['an ID token of another key', { isForeign: true }, 'invalid_token'],
  ['an ID token of another person', { idClaims: () => ({ sub: 'another' }) }, 'invalid_token'],
  ['an ID token of another access token', { idClaims: () => ({ at_hash: hashOf('another') }) }, 'invalid_token'],
])('signs nobody in by %s', async (_, behaviour, code) => {
  provider.behaviour = behaviour;
  const arrived = await signIn();
  expect([placeOf(arrived), cookiesOf(arrived)]).toEqual([`/console?sign_in=${code}`, '']);
});

it('signs nobody in by an address that another browser was sent, or one used before', async () => {
  const [own, planted] = [await depart(), await depart()];
  const crossed = await visit(planted.back, own.cookie);
  expect([placeOf(crossed), cookiesOf(crossed)]).toEqual(['/console?sign_in=invalid_token', '']);
  expect(placeOf(await visit(own.back))).toBe('/console?sign_in=invalid_token');
  expect(placeOf(await visit(own.back, own.cookie))).toBe('/console');
  expect(placeOf(await visit(own.back, own.cookie))).toBe('/console?sign_in=invalid_token');
});

it('signs nobody in by an answer of another state, though all else fits', async () => {
  const { cookie, back } = await depart();
  const altered = new URL(back);
  altered.searchParams.set('state', 'another');
  const arrived = await visit(altered.href, cookie);
  expect([placeOf(arrived), cookiesOf(arrived)]).toEqual(['/console?sign_in=invalid_token', '']);
});

describe('a member', () => {
  const arrive = async (tenantId: string, idClaims: JWTPayload): Promise<Response> => {
    provider.behaviour = { claims: { tenant_id: tenantId }, idClaims: () => idClaims };
    return signIn();
  };
  const verified = (email: string): JWTPayload => ({ email, email_verified: true });

  it('joins and signs in by the address that the provider vouches for, with the rights of the role', async () => {
    const { tenantId, apiKey } = own;
    const body = { name: 'Vera', email: 'vera@example.org', role: 'viewer' };
    const invited = await deployment.http.expect(201, { path: '/api/v1/members', apiKey, body });
    const cookie = cookiesOf(await arrive(tenantId, verified('Vera@Example.org')));
    const session = await (await visit('/console/session', cookie)).json();
    expect(session).toMatchObject({ kind: 'tenant', tenant_id: tenantId, member: { name: 'Vera', role: 'viewer' } });
    expect((await ask('/billing/credits', cookie)).status).toBe(200);
    const path = `/api/v1/members/${String(invited.json['member_id'])}`;
    await deployment.http.expect(204, { method: 'DELETE', path, apiKey });
    expect((await ask('/billing/credits', cookie)).status).toBe(401);
    expect(placeOf(await arrive(tenantId, verified('vera@example.org')))).toBe('/console?sign_in=forbidden');
  });

  it('is no one whose address is not verified, is missing, or belongs to another account', async () => {
    const body = { name: 'Otto', email: 'otto@example.org', role: 'owner' };
    await deployment.http.expect(201, { path: '/api/v1/members', apiKey: own.apiKey, body });
    for (const [tenantId, claims] of [
      [own.tenantId, { email: 'otto@example.org' }],
      [own.tenantId, { email: 'otto@example.org', email_verified: 'true' }],
      [own.tenantId, { email_verified: true }],
      [own.tenantId, verified('else@example.org')],
      [other.tenantId, verified('otto@example.org')],
      [`t${'0'.repeat(26)}`, verified('otto@example.org')],
      ['nothing', verified('otto@example.org')],
    ] as const) {
      const answer = await arrive(tenantId, claims);
      expect([placeOf(answer), cookiesOf(answer)]).toEqual([expect.stringContaining('?sign_in='), '']);
    }
  });
});

it('ends the session that there was', async () => {
  const former = cookiesOf(await signIn());
  const { cookie, back } = await depart();
  const present = cookiesOf(await visit(back, `${cookie}; ${former}`));
  expect((await ask('/admin/accounts', former)).status).toBe(401);
  expect((await ask('/admin/accounts', present)).status).toBe(200);
});

it('is offered by the page where it is configured', async () => {
  expect(await (await visit('/console/session')).json()).toEqual({ signed_in: false, embedded: false, oidc: true });
});
