import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type GenerateKeyPairResult, type JWK, SignJWT } from 'jose';
import { applicationOf, issuerTokenFor, type IssuingTenant } from '../support/credentials.js';
import { freshAddress, type Answer, type Http, type Json } from '../support/load/http.js';
import { type Person, person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { balanceOf, ingestAll } from '../support/load/tenants.js';

const PRE_AUTHORIZED = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
const FORM = 'kyc_attestation_sd_jwt';
const COST = 10;

let deployment: SharedDeployment;
let http: Http;
let tenant: IssuingTenant;
let who: Person;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  ({ http } = deployment);
  const account = await deployment.operator.tenant({ credits: 10_000 });
  tenant = { ...account, bearer: await issuerTokenFor(http, account) };
  who = person(84_001);
  await ingestAll(http, tenant, [who], 'Tier2');
}, 90_000);

afterAll(() => deployment.leave());

const send = (call: Parameters<Http['send']>[0]): Promise<Answer> => http.send({ from: freshAddress(), ...call });

const newOffer = async (): Promise<Json> => {
  const body = applicationOf(who, 'Tier2');
  return (await http.expect(201, { path: '/api/v1/issue/offer', token: tenant.bearer, body })).json;
};

const pathOf = (offer: Json): string => new URL(String(offer['credential_offer_uri'])).pathname;

const codeIn = ({ json }: Answer): string =>
  (json['grants'] as Record<string, Json>)[PRE_AUTHORIZED]?.['pre-authorized_code'] as string;

const codeOf = async (offer: Json): Promise<string> => codeIn(await send({ path: pathOf(offer) }));

const exchange = (code: string): Promise<Answer> =>
  send({ path: '/openid4vci/token', body: { grant_type: PRE_AUTHORIZED, 'pre-authorized_code': code } });

const newAccess = async (): Promise<string> =>
  (await exchange(await codeOf(await newOffer()))).json['access_token'] as string;

const newNonce = async (): Promise<string> =>
  (await send({ method: 'POST', path: '/openid4vci/nonce' })).json['c_nonce'] as string;

const issuerOf = async (): Promise<string> =>
  (await send({ path: '/.well-known/openid-credential-issuer' })).json['credential_issuer'] as string;

interface ProofParts {
  readonly key?: GenerateKeyPairResult;
  readonly nonce?: string;
  readonly aud?: string;
  readonly typ?: string;
  readonly jwk?: JWK;
}

const proof = async ({ key, nonce, aud, typ = 'openid4vci-proof+jwt', jwk }: ProofParts = {}): Promise<string> => {
  const { privateKey, publicKey } = key ?? (await generateKeyPair('ES256', { extractable: true }));
  return new SignJWT({ nonce: nonce ?? (await newNonce()) })
    .setProtectedHeader({ alg: 'ES256', typ, jwk: jwk ?? (await exportJWK(publicKey)) })
    .setIssuedAt()
    .setAudience(aud ?? (await issuerOf()))
    .sign(privateKey);
};

const fetchFor = (access: string, jwt: readonly string[]): Promise<Answer> =>
  send({
    path: '/openid4vci/credential',
    token: access,
    body: { credential_configuration_id: FORM, proofs: { jwt } },
  });

const unsigned = (parts: object[]): string =>
  `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

it('a code works once, whoever brings it', async () => {
  const code = await codeOf(await newOffer());
  const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(400)]);
  expect((await exchange(code)).json['error']).toBe('invalid_grant');
});

it('no code, link or token can be made up, altered or used as another', async () => {
  const offer = await newOffer();
  const code = await codeOf(offer);
  const link = pathOf(offer).split('/').at(-1) ?? '';
  const cut = Math.floor(code.length / 2);
  const altered = code.slice(0, cut) + (code[cut] === 'A' ? 'B' : 'A') + code.slice(cut + 1);
  for (const bad of [altered, link, randomUUID(), '', 'a.b.c.d.e', 'x'.repeat(10_000)])
    expect((await exchange(bad)).json['error']).toMatch(/invalid_grant|invalid_request/);
  for (const bad of [altered, code, randomUUID(), '..%2f..', 'eyJhbGciOiJub25lIn0..a.b.c'])
    expect((await send({ path: `/openid4vci/offers/${bad}` })).status).toBe(404);
  const access = (await exchange(code)).json['access_token'] as string;
  for (const bad of [code, link, altered, randomUUID()])
    expect((await fetchFor(bad, [await proof()])).status).toBe(401);
  expect((await exchange(access)).json['error']).toBe('invalid_grant');
});

it('a proof must be of a nonce of ours, for us, by the key that it names', async () => {
  const access = await newAccess();
  const [mine, other] = await Promise.all([
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('ES256', { extractable: true }),
  ]);
  const payload = { nonce: await newNonce(), aud: await issuerOf(), iat: Math.floor(Date.now() / 1_000) };
  const jwk = await exportJWK(mine.publicKey);
  const none = unsigned([{ alg: 'none', typ: 'openid4vci-proof+jwt', jwk }, payload]);
  const cases: (readonly [string, string])[] = [
    [await proof({ nonce: randomUUID() }), 'invalid_nonce'],
    [await proof({ nonce: access }), 'invalid_nonce'],
    [await proof({ aud: 'https://other.example' }), 'invalid_proof'],
    [await proof({ key: other, jwk }), 'invalid_proof'],
    [await proof({ typ: 'JWT' }), 'invalid_proof'],
    [await proof({ key: mine, jwk: await exportJWK(mine.privateKey) }), 'invalid_proof'],
    [none, 'invalid_credential_request'],
    ['not a jwt', 'invalid_credential_request'],
  ];
  for (const [jwt, error] of cases) expect((await fetchFor(access, [jwt])).json['error']).toBe(error);
  // None of them used the access up.
  expect((await fetchFor(access, [await proof({ key: mine })])).status).toBe(200);
});

it.each(['toString', 'constructor', '__proto__', 'other'])(
  'a form named %s is none of ours, and uses nothing up',
  async (form) => {
    const access = await newAccess();
    const body = { credential_configuration_id: form };
    const answer = await send({ path: '/openid4vci/credential', token: access, body });
    expect([answer.status, answer.json['error']]).toEqual([400, expect.stringMatching(/configuration|request/)]);
    expect((await fetchFor(access, [await proof()])).status).toBe(200);
  },
);

it('a link is shorter than a path may be, with room to spare', async () => {
  expect(
    (
      pathOf(await newOffer())
        .split('/')
        .at(-1) ?? ''
    ).length,
  ).toBeLessThan(230);
});

it('a suspended account offers nothing to wallets', async () => {
  const account = await deployment.operator.tenant({ credits: 100 });
  const owner = tenant;
  tenant = { ...account, bearer: await issuerTokenFor(http, account) };
  await ingestAll(http, tenant, [who], 'Tier2');
  const code = await codeOf(await newOffer());
  const path = `/admin/accounts/${tenant.tenantId}/suspend`;
  await http.expect(200, { path, token: deployment.operator.token, body: { reason: 'An invoice is open' } });
  tenant = owner;
  const refused = async (): Promise<boolean> => (await exchange(code)).json['error'] === 'invalid_grant';
  expect(await refused()).toBe(true);
});

it('a batch takes ten keys, each once', async () => {
  const access = await newAccess();
  const key = await generateKeyPair('ES256', { extractable: true });
  const eleven = await Promise.all(Array.from({ length: 11 }, () => proof()));
  expect((await fetchFor(access, eleven)).json['error']).toBe('invalid_proof');
  expect((await fetchFor(access, [await proof({ key }), await proof({ key })])).json['error']).toBe('invalid_proof');
  expect((await fetchFor(access, [])).json['error']).toMatch(/invalid_proof|invalid_credential_request/);
  expect((await fetchFor(access, eleven.slice(0, 10))).json['credentials']).toHaveLength(10);
});

it('a repeat answers the same for the same keys, and nothing for others; all at once issue one', async () => {
  const before = await balanceOf(http, tenant);
  const access = await newAccess();
  const key = await generateKeyPair('ES256', { extractable: true });
  const mine = await Promise.all(Array.from({ length: 4 }, () => proof({ key })));
  const others = await Promise.all(Array.from({ length: 4 }, () => proof()));
  const answers = await Promise.all([...mine, ...others].map((jwt) => fetchFor(access, [jwt])));
  const given = answers.filter(({ status }) => status === 200).map(({ json }) => JSON.stringify(json['credentials']));
  expect(new Set(given).size).toBe(1);
  const isGiven = answers.map(({ status }) => status === 200);
  const [toMine, toOthers] = [isGiven.slice(0, 4), isGiven.slice(4)].map((some) => some.filter(Boolean).length);
  // One key came first, and it alone is answered.
  expect([
    [4, 0],
    [0, 1],
  ]).toContainEqual([toMine, toOthers]);
  for (const { json, status } of answers) if (status !== 200) expect(json['error']).toBe('credential_request_denied');
  expect(await balanceOf(http, tenant)).toBe(before - COST);
});

it('an offer names its own issuer, whatever host is asked', async () => {
  const offer = await newOffer();
  const { json } = await send({ path: pathOf(offer), headers: { host: 'evil.example' } });
  expect(json['credential_issuer']).toBe(await issuerOf());
});

it('what wallets read and what is refused holds nothing of the person', async () => {
  const offer = await newOffer();
  const texts = [
    JSON.stringify(offer),
    (await send({ path: pathOf(offer) })).text,
    (await exchange('x')).text,
    (await fetchFor(await newAccess(), ['x'])).text,
  ].join();
  for (const value of [who.email, who.phone_number, who.full_name, tenant.tenantId]) expect(texts).not.toContain(value);
});
