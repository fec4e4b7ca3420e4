import { claimsIn, present, presentTo } from '@kyc/tools/wallet/presentation';
import { type HeldCredential, redeem } from '@kyc/tools/wallet/wallet-client';
import { OpenID4VCIClient } from '@sphereon/oid4vci-client';
import { getListFromStatusListJWT } from '@sd-jwt/jwt-status-list';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { createPublicKey, hash, randomUUID } from 'node:crypto';
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type JWK,
  compactVerify,
} from 'jose';
import { applicationOf, issuerTokenFor, type IssuingTenant } from '../support/credentials.js';
import { Deployment, SCALED_ERASURE } from '../support/load/deployment.js';
import { type Answer, type Http, type Json } from '../support/load/http.js';
import { type Person, person } from '../support/load/people.js';
import { balanceOf, ingestAll } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';

const COST = 10;

let deployment: Deployment;
let http: Http;
let other: Http;
let tenant: IssuingTenant;
let people = 81_000;

const newTenant = async (): Promise<IssuingTenant> => {
  const account = await deployment.operator.tenant({ credits: 10_000 });
  return { ...account, bearer: await issuerTokenFor(http, account) };
};

beforeAll(async () => {
  deployment = await Deployment.start({ instances: 2, env: { ...SCALED_ERASURE, TIMING_OFFER_LASTS_MS: '20000' } });
  [http, other] = [deployment.instance(0).http, deployment.instance(1).http];
  tenant = await newTenant();
}, 90_000);

afterAll(() => deployment.stop(), 60_000);

const attested = async (more: Json = {}): Promise<Person> => {
  const who = person((people += 1));
  await ingestAll(http, tenant, [{ ...who, ...more }], 'Tier2');
  return who;
};

interface Offer {
  readonly id: string;
  readonly link: string;
  readonly uri: string;
  readonly code: string | undefined;
}

const offerTo = async (who: Person, more: Json = {}): Promise<Offer> => {
  const body = { ...applicationOf(who, 'Tier2'), ...more };
  const { json } = await http.expect(201, { path: '/api/v1/issue/offer', token: tenant.bearer, body });
  return {
    id: json['offer_id'] as string,
    link: json['deep_link'] as string,
    uri: json['credential_offer_uri'] as string,
    code: json['tx_code'] as string | undefined,
  };
};

const offerOf = async ({ id }: Pick<Offer, 'id'>): Promise<Json> =>
  (await http.expect(200, { path: `/api/v1/offers/${id}`, apiKey: tenant.apiKey })).json;

const taken = async (who: Person, copies = 1): Promise<{ offer: Offer; held: readonly HeldCredential[] }> => {
  const offer = await offerTo(who);
  return { offer, held: await redeem({ link: offer.link, copies }) };
};

const issuerKey = async ({ credential }: Pick<HeldCredential, 'credential'>): Promise<string> => {
  const { kid } = decodeProtectedHeader(credential.split('~')[0] ?? '');
  const { json } = await http.expect(200, { path: '/.well-known/jwt-vc-issuer' });
  const { keys } = json['jwks'] as { keys: ({ kid: string } & JWK)[] };
  const jwk = keys.find((key) => key.kid === kid);
  return createPublicKey({ key: jwk as never, format: 'jwk' }).export({ format: 'pem', type: 'spki' }) as string;
};

const balanceAgain = (before: number): Promise<boolean> =>
  eventually('the credits came back', async () => (await balanceOf(http, tenant)) === before, 60_000);

const AUDIENCE = 'https://verifier.example';

const verify = async (token: string, pem: string, nonce: string, audience = AUDIENCE): Promise<Json> => {
  const body = { token, public_key_pem: pem, nonce, audience };
  return (await http.expect(200, { path: '/api/v1/verify', apiKey: tenant.apiKey, body })).json;
};

const first = ([one]: readonly HeldCredential[]): HeldCredential => one ?? { issuer: '', credential: '', key: null };

const presentedAt = async (
  held: HeldCredential,
  nonce: string = randomUUID(),
  disclose: readonly string[] = ['tier'],
): Promise<Json> => verify(await present(held, { disclose, nonce, audience: AUDIENCE }), await issuerKey(held), nonce);

describe('a wallet that takes an offer', () => {
  it('gets an SD-JWT bound to its key, for the price of an issuance', async () => {
    const who = await attested();
    const before = await balanceOf(http, tenant);
    const { offer, held } = await taken(who);
    expect(await balanceOf(http, tenant)).toBe(before - COST);
    const [jwt = ''] = first(held).credential.split('~');
    expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'EdDSA', typ: 'dc+sd-jwt' });
    const payload = decodeJwt(jwt);
    expect(Object.keys(payload).toSorted()).toEqual(['_sd', '_sd_alg', 'cnf', 'exp', 'iat', 'iss', 'status', 'vct']);
    expect(payload['vct']).toBe('urn:kyc:attestation:1');
    expect((payload.iat ?? 1) % 86_400).toBe(0);
    expect(payload['_sd']).toHaveLength(8);
    expect(await claimsIn(first(held))).toMatchObject({
      full_name: who.full_name,
      tier: 'Tier2',
      phone_number: who.phone_number,
      age_over_18: true,
    });
    expect(await offerOf(offer)).toMatchObject({
      status: 'redeemed',
      credential_id: `urn:uuid:${offer.id}`,
      wallet_notices: ['credential_accepted'],
      deep_link: null,
    });
  });

  it('gets ten copies that have nothing in common but the day, and one verdict for all', async () => {
    const { held } = await taken(await attested(), 10);
    expect(held).toHaveLength(10);
    const payloads = held.map(({ credential }) => decodeJwt(credential.split('~')[0] ?? ''));
    for (const name of ['cnf', 'status', '_sd']) {
      expect(new Set(payloads.map((payload) => JSON.stringify(payload[name]))).size).toBe(10);
    }
    expect(new Set(payloads.map(({ iat, exp, iss }) => `${iat} ${exp} ${iss}`)).size).toBe(1);
    expect((await presentedAt(held[9] ?? first(held)))['valid']).toBe(true);
  });

  it("gets the interface's JWT without a key, if it asks for that form", async () => {
    const who = await attested();
    const offer = await offerTo(who);
    const [jwt] = await redeem({ link: offer.link, form: 'kyc_credential_jwt' });
    const body = { token: jwt?.credential, public_key_pem: await issuerKey(jwt ?? { credential: '' }) };
    const { json } = await http.expect(200, { path: '/api/v1/verify', apiKey: tenant.apiKey, body });
    expect(json).toMatchObject({ valid: true, payload: { jti: `urn:uuid:${offer.id}` } });
  });

  it('needs the code of the person where one is asked for, and has five tries', async () => {
    const who = await attested();
    const right = await offerTo(who, { tx_code: true });
    expect(right.code).toMatch(/^[0-9]{6}$/);
    expect(await redeem({ link: right.link, code: right.code })).toHaveLength(1);
    const before = await balanceOf(http, tenant);
    const offer = await offerTo(who, { tx_code: true });
    const wrong = offer.code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries += 1)
      await expect(redeem({ link: offer.link, code: wrong })).rejects.toThrow('invalid_grant');
    await expect(redeem({ link: offer.link, code: offer.code })).rejects.toThrow();
    expect(await offerOf(offer)).toMatchObject({ status: 'ended', ended_because: 'wrong_codes' });
    await balanceAgain(before);
  });

  it('is answered by every instance alike', async () => {
    const offer = await offerTo(await attested());
    const path = new URL(offer.uri).pathname;
    const [one, two] = await Promise.all([http.expect(200, { path }), other.expect(200, { path })]);
    expect(one.json['credential_issuer']).toBe(two.json['credential_issuer']);
  });
});

describe("others' wallets", () => {
  // It speaks drafts up to 13, which name a form in place of a configuration and know no dc+sd-jwt.
  it('by @sphereon/oid4vci-client: takes the JWT', async () => {
    const offer = await offerTo(await attested());
    const client = await OpenID4VCIClient.fromURI({ uri: offer.link });
    await client.acquireAccessToken({});
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const got = await client.acquireCredentials({
      credentialTypes: ['KYCCredential'],
      format: 'jwt_vc_json',
      jwk: (await exportJWK(publicKey)) as never,
      alg: 'ES256' as never,
      proofCallbacks: {
        signCallback: ({ payload, header }) =>
          new SignJWT(payload as never).setProtectedHeader(header as never).sign(privateKey),
      },
    });
    expect(decodeJwt(got.credential as string).jti).toBe(`urn:uuid:${offer.id}`);
  });
});

describe('an offer', () => {
  beforeAll(async () => {
    tenant = await newTenant();
  });

  it('that no wallet takes gives its credits back', async () => {
    const who = await attested();
    const before = await balanceOf(http, tenant);
    const offer = await offerTo(who);
    expect(await balanceOf(http, tenant)).toBe(before - COST);
    await balanceAgain(before);
    expect(await offerOf(offer)).toMatchObject({ status: 'ended', ended_because: 'expired', deep_link: null });
    await expect(redeem({ link: offer.link })).rejects.toThrow();
  }, 90_000);

  it('that is withdrawn gives its credits back once, and no wallet can take it', async () => {
    const who = await attested();
    const before = await balanceOf(http, tenant);
    const offer = await offerTo(who);
    const withdraw = { method: 'POST', path: `/api/v1/offers/${offer.id}/withdraw`, apiKey: tenant.apiKey } as const;
    expect((await http.expect(200, withdraw)).json).toMatchObject({ status: 'ended', ended_because: 'withdrawn' });
    await http.expect(200, withdraw);
    await balanceAgain(before);
    await expect(redeem({ link: offer.link })).rejects.toThrow();
    expect(await balanceOf(http, tenant)).toBe(before);
  });

  it('that a wallet has redeemed cannot be withdrawn', async () => {
    const { offer } = await taken(await attested());
    const path = `/api/v1/offers/${offer.id}/withdraw`;
    const { json } = await http.expect(409, { method: 'POST', path, apiKey: tenant.apiKey });
    expect(json['error_code']).toBe('CONFLICT');
  });

  it('is not made for a person who the network does not attest, which costs as much as an issuance', async () => {
    const before = await balanceOf(http, tenant);
    const body = applicationOf(person((people += 1)), 'Tier2');
    const { json } = await http.expect(422, { path: '/api/v1/issue/offer', token: tenant.bearer, body });
    expect(json['error_code']).toBe('IDENTITY_NOT_ELIGIBLE');
    expect(await balanceOf(http, tenant)).toBe(before - COST);
  });
});

describe('what a wallet presents', () => {
  it('shows what the person chose, and nothing else', async () => {
    const { held } = await taken(await attested());
    const found = await presentedAt(first(held), randomUUID(), ['tier', 'age_over_18']);
    expect(found['checks']).toEqual({
      signature: 'passed',
      issuer_key: 'passed',
      not_before: 'passed',
      expiry: 'passed',
      status: 'passed',
      registry: 'passed',
      disclosures: 'passed',
      key_binding: 'passed',
    });
    expect(found).toMatchObject({ valid: true, payload: { tier: 'Tier2', age_over_18: true } });
    expect(found['payload']).not.toHaveProperty('full_name');
  });

  it('is not valid a second time', async () => {
    const { held } = await taken(await attested());
    const nonce = randomUUID();
    expect((await presentedAt(first(held), nonce))['valid']).toBe(true);
    expect(await presentedAt(first(held), nonce)).toMatchObject({ valid: false, code: 'NONCE_USED' });
  });

  it('is not valid stolen, for another verifier, or altered', async () => {
    const { held } = await taken(await attested());
    const { held: others } = await taken(await attested());
    const [mine, pem, nonce] = [first(held), await issuerKey(first(held)), randomUUID()];
    const good = await present(mine, { disclose: ['tier'], nonce, audience: AUDIENCE });
    const bare = good.slice(0, good.lastIndexOf('~') + 1);
    const foreign =
      (await present(first(others), { disclose: ['tier'], nonce, audience: AUDIENCE })).split('~')[1] ?? '';
    const [jwt = '', disclosure = '', binding = ''] = good.split('~');
    const forged = [...jwt.split('.').slice(0, 2), first(others).credential.split('~')[0]?.split('.')[2]].join('.');
    const thief = { ...mine, key: first(others).key };
    const stolen = await present(thief, { disclose: ['tier'], nonce, audience: AUDIENCE });
    const cases = [
      [bare, nonce, AUDIENCE, 'NO_KEY_BINDING'],
      [stolen, nonce, AUDIENCE, 'BAD_KEY_BINDING'],
      [good, randomUUID(), AUDIENCE, 'WRONG_NONCE'],
      [good, nonce, 'https://other.example', 'WRONG_AUDIENCE'],
      [[jwt, foreign, binding].join('~'), nonce, AUDIENCE, 'BAD_DISCLOSURE'],
      [[jwt, disclosure, disclosure, binding].join('~'), nonce, AUDIENCE, 'BAD_DISCLOSURE'],
      [[jwt, binding].join('~'), nonce, AUDIENCE, 'BAD_KEY_BINDING'],
      [[forged, disclosure, binding].join('~'), nonce, AUDIENCE, 'BAD_SIGNATURE'],
    ] as const;
    for (const [token, given, audience, code] of cases)
      expect([code, await verify(token, pem, given, audience)]).toEqual([
        code,
        expect.objectContaining({ valid: false, code }),
      ]);
    // None of them used the nonce up.
    expect((await verify(good, pem, nonce))['valid']).toBe(true);
  });

  it('needs a nonce and an audience, and costs nothing without', async () => {
    const { held } = await taken(await attested());
    const before = await balanceOf(http, tenant);
    const body = { token: first(held).credential, public_key_pem: await issuerKey(first(held)) };
    const { json } = await http.expect(422, { path: '/api/v1/verify', apiKey: tenant.apiKey, body });
    expect(json).toMatchObject({ error_code: 'INVALID_FIELD', errors: [{ field: 'nonce' }] });
    expect(await balanceOf(http, tenant)).toBe(before);
  });

  it('is not valid while the credential is suspended, nor once it is revoked; both lists say so within a second', async () => {
    const { offer, held } = await taken(await attested(), 2);
    const second = held[1] ?? first(held);
    const change = (verb: string) =>
      http.expect(200, {
        path: `/api/v1/credentials/${offer.id}/${verb}`,
        apiKey: tenant.apiKey,
        body: { reason: 'x' },
      });
    const { status } = decodeJwt<{ status: { status_list: { idx: number; uri: string } } }>(
      second.credential.split('~')[0] ?? '',
    );
    const { idx, uri } = status.status_list;
    const listed = async (): Promise<unknown> => {
      const { text } = await http.expect(200, { path: new URL(uri).pathname });
      expect(decodeProtectedHeader(text)).toMatchObject({ typ: 'statuslist+jwt' });
      expect(decodeJwt(text)).toMatchObject({ sub: uri });
      return getListFromStatusListJWT(text).getStatus(idx);
    };
    expect(await listed()).toBe(0);
    await change('suspend');
    expect(await listed()).toBe(2);
    expect(await presentedAt(second)).toMatchObject({ valid: false, code: 'SUSPENDED' });
    await change('reinstate');
    expect(await listed()).toBe(0);
    await change('revoke');
    expect(await listed()).toBe(1);
    expect(await presentedAt(second)).toMatchObject({ valid: false, code: 'REVOKED' });
  });

  it("is verified by another's library, from what the issuer publishes alone", async () => {
    const { held } = await taken(await attested());
    const nonce = randomUUID();
    const token = await present(first(held), { disclose: ['tier'], nonce, audience: AUDIENCE });
    const { json } = await http.expect(200, { path: '/.well-known/jwt-vc-issuer' });
    const keys = (json['jwks'] as { keys: ({ kid: string } & JWK)[] }).keys;
    const isSigned = async (data: string, signature: string, key: unknown, alg: string): Promise<boolean> =>
      compactVerify(`${data}.${signature}`, await importJWK(key as never, alg)).then(
        () => true,
        () => false,
      );
    const peer = new SDJwtVcInstance({
      hasher: (data) => hash('sha256', typeof data === 'string' ? data : new Uint8Array(data), 'buffer'),
      verifier: (data, signature) => isSigned(data, signature, keys.at(-1), 'EdDSA'),
      kbVerifier: (data, signature, payload) =>
        isSigned(data, signature, (payload['cnf'] as { jwk: unknown }).jwk, 'ES256'),
      statusListFetcher: async (uri) => (await http.expect(200, { path: new URL(uri).pathname })).text,
      statusVerifier: (data, signature) => isSigned(data, signature, keys.at(-1), 'EdDSA'),
    });
    const { payload } = await peer.verify(token, { keyBindingNonce: nonce, requiredClaimKeys: ['tier'] });
    expect(payload).toMatchObject({ tier: 'Tier2', vct: 'urn:kyc:attestation:1' });
  });
});

describe('a verifier that asks a wallet', () => {
  const ask = async (claims: readonly string[]): Promise<{ id: string; link: string }> => {
    const { json } = await http.expect(201, {
      path: '/api/v1/verify/request',
      apiKey: tenant.apiKey,
      body: { claims },
    });
    return { id: json['presentation_id'] as string, link: json['deep_link'] as string };
  };
  const shown = async (id: string, apiKey = tenant.apiKey): Promise<Answer> =>
    http.send({ path: `/api/v1/verify/request/${id}`, apiKey });

  it('reads what the person chose to show, for the price of a verification, once', async () => {
    const { held } = await taken(await attested());
    const { id, link } = await ask(['tier', 'age_over_18']);
    expect((await shown(id)).json).toMatchObject({ status: 'waiting', verification: null });
    const before = await balanceOf(http, tenant);
    expect(await presentTo(first(held), link)).toBe(200);
    expect(await balanceOf(http, tenant)).toBe(before - 1);
    const { json } = await shown(id);
    expect(json).toMatchObject({
      status: 'answered',
      verification: { valid: true, payload: { tier: 'Tier2', age_over_18: true } },
    });
    expect((json['verification'] as Json)['payload']).not.toHaveProperty('full_name');
    expect(await presentTo(first(held), link)).toBe(404);
    expect(await balanceOf(http, tenant)).toBe(before - 1);
    const { json: feed } = await http.expect(200, { path: '/api/v1/events?limit=1000', apiKey: tenant.apiKey });
    const events = feed['events'] as { type: string; data: Json }[];
    expect(events.find(({ data }) => data['request_id'] === id)?.type).toBe('verification.completed');
  });

  it('sees that a revoked credential is not valid', async () => {
    const { offer, held } = await taken(await attested());
    const path = `/api/v1/credentials/${offer.id}/revoke`;
    await http.expect(200, { path, apiKey: tenant.apiKey, body: { reason: 'lost' } });
    const { id, link } = await ask(['tier']);
    expect(await presentTo(first(held), link)).toBe(200);
    expect((await shown(id)).json['verification']).toMatchObject({ valid: false, code: 'REVOKED' });
  });

  it('takes nothing that is not encrypted for it, and shows nothing to others', async () => {
    const { held } = await taken(await attested());
    const [{ id, link }, other] = [await ask(['tier']), await ask(['tier'])];
    const swapped = new URLSearchParams(link.slice(link.indexOf('?') + 1));
    swapped.set('client_metadata', new URLSearchParams(other.link.split('?')[1]).get('client_metadata') ?? '');
    expect(await presentTo(first(held), `openid4vp://?${swapped.toString()}`)).toBe(400);
    expect((await shown(id)).json['status']).toBe('waiting');
    const stranger = await newTenant();
    expect((await shown(id, stranger.apiKey)).status).toBe(404);
    const body = { claims: ['birth_date'] };
    const { json } = await http.expect(422, { path: '/api/v1/verify/request', apiKey: tenant.apiKey, body });
    expect(json).toMatchObject({ errors: [{ field: 'claims' }] });
  });
});

describe('an erased person', () => {
  it('has no valid credential in a wallet, and none that waits for one', async () => {
    const who = await attested();
    const { held } = await taken(who);
    const waiting = await offerTo(who);
    const { identity_id: id } = await offerOf(waiting);
    const body = { reason: 'the person asked' };
    await http.expect(202, { path: `/api/v1/identity/${String(id)}/erase`, apiKey: tenant.apiKey, body });
    await eventually('the credential is revoked', async () => (await presentedAt(first(held)))['code'] === 'REVOKED');
    expect((await offerOf(waiting))['ended_because']).toBe('erased');
    await expect(redeem({ link: waiting.link })).rejects.toThrow();
  }, 90_000);
});
