import { present, presentTo } from '@kyc/tools/wallet/presentation';
import { redeem } from '@kyc/tools/wallet/wallet-client';
import { getListFromStatusListJWT } from '@sd-jwt/jwt-status-list';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { hash, randomUUID } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { type Answer, type Json } from '../support/load/http.js';
import { readByOther } from '../support/other-wallet.js';
import { eventually } from '../support/processes.js';
import { AUDIENCE, first, WalletWorld } from '../support/wallets.js';

let world: WalletWorld;

beforeAll(async () => {
  world = await WalletWorld.start(82_000, { VERIFIER_CERT_FILE: '', VERIFIER_KEY_FILE: '' });
}, 90_000);

afterAll(() => world.deployment.stop(), 60_000);

/** A proof of a key under an algorithm that the key does not have. */
const otherAlgorithm = (alg: string): string =>
  [
    { alg, typ: 'kb+jwt' },
    { iat: Math.floor(Date.now() / 1_000), aud: AUDIENCE, nonce: 'n', sd_hash: 'x' },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('c2ln')
    .join('.');

describe('what a wallet presents', () => {
  it('shows what the person chose, and nothing else', async () => {
    const { held } = await world.taken(await world.attested());
    const found = await world.presentedAt(first(held), randomUUID(), ['tier', 'age_over_18']);
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
    const { held } = await world.taken(await world.attested());
    const nonce = randomUUID();
    expect((await world.presentedAt(first(held), nonce))['valid']).toBe(true);
    expect(await world.presentedAt(first(held), nonce)).toMatchObject({ valid: false, code: 'NONCE_USED' });
  });

  it('is not valid stolen, for another verifier, or altered', async () => {
    const { held } = await world.taken(await world.attested());
    const { held: others } = await world.taken(await world.attested());
    const [mine, pem, nonce] = [first(held), await world.issuerKey(first(held)), randomUUID()];
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
      [[jwt, disclosure, otherAlgorithm('EdDSA')].join('~'), nonce, AUDIENCE, 'BAD_KEY_BINDING'],
      [[jwt, disclosure, otherAlgorithm('ES384')].join('~'), nonce, AUDIENCE, 'BAD_KEY_BINDING'],
      [[forged, disclosure, binding].join('~'), nonce, AUDIENCE, 'BAD_SIGNATURE'],
    ] as const;
    for (const [token, given, audience, code] of cases)
      expect([code, await world.verify(token, pem, given, audience)]).toEqual([
        code,
        expect.objectContaining({ valid: false, code }),
      ]);
    // None of them used the nonce up.
    expect((await world.verify(good, pem, nonce))['valid']).toBe(true);
  });

  it('needs a nonce and an audience, and costs nothing without', async () => {
    const { held } = await world.taken(await world.attested());
    const before = await world.balance();
    const body = { token: first(held).credential, public_key_pem: await world.issuerKey(first(held)) };
    const { json } = await world.http.expect(422, { path: '/api/v1/verify', apiKey: world.tenant.apiKey, body });
    expect(json).toMatchObject({ error_code: 'INVALID_FIELD', errors: [{ field: 'nonce' }] });
    expect(await world.balance()).toBe(before);
  });

  it('is not valid while the credential is suspended, nor once it is revoked; both lists say so within a second', async () => {
    const { offer, held } = await world.taken(await world.attested(), 2);
    const second = held[1] ?? first(held);
    const change = (verb: string) =>
      world.http.expect(200, {
        path: `/api/v1/credentials/${offer.id}/${verb}`,
        apiKey: world.tenant.apiKey,
        body: { reason: 'x' },
      });
    const { status } = decodeJwt<{ status: { status_list: { idx: number; uri: string } } }>(
      second.credential.split('~')[0] ?? '',
    );
    const { idx, uri } = status.status_list;
    const listed = async (): Promise<unknown> => {
      const { text } = await world.http.expect(200, { path: new URL(uri).pathname });
      expect(decodeProtectedHeader(text)).toMatchObject({ typ: 'statuslist+jwt' });
      expect(decodeJwt(text)).toMatchObject({ sub: uri });
      return getListFromStatusListJWT(text).getStatus(idx);
    };
    expect(await listed()).toBe(0);
    await change('suspend');
    expect(await listed()).toBe(2);
    expect(await world.presentedAt(second)).toMatchObject({ valid: false, code: 'SUSPENDED' });
    await change('reinstate');
    expect(await listed()).toBe(0);
    await change('revoke');
    expect(await listed()).toBe(1);
    expect(await world.presentedAt(second)).toMatchObject({ valid: false, code: 'REVOKED' });
  });

  it("is verified by another's library, from what the issuer publishes alone", async () => {
    const { held } = await world.taken(await world.attested());
    const nonce = randomUUID();
    const token = await present(first(held), { disclose: ['tier'], nonce, audience: AUDIENCE });
    const { json } = await world.http.expect(200, { path: '/.well-known/jwt-vc-issuer' });
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
      statusListFetcher: async (uri) => (await world.http.expect(200, { path: new URL(uri).pathname })).text,
      statusVerifier: (data, signature) => isSigned(data, signature, keys.at(-1), 'EdDSA'),
    });
    const { payload } = await peer.verify(token, { keyBindingNonce: nonce, requiredClaimKeys: ['tier'] });
    expect(payload).toMatchObject({ tier: 'Tier2', vct: 'urn:kyc:attestation:1' });
  });
});

describe('a verifier that asks a wallet without a certificate of its own', () => {
  const ask = async (claims: readonly string[]): Promise<{ id: string; link: string }> => {
    const { json } = await world.http.expect(201, {
      path: '/api/v1/verify/request',
      apiKey: world.tenant.apiKey,
      body: { claims },
    });
    return { id: json['presentation_id'] as string, link: json['deep_link'] as string };
  };
  const shown = async (id: string, apiKey = world.tenant.apiKey): Promise<Answer> =>
    world.http.send({ path: `/api/v1/verify/request/${id}`, apiKey });

  it('reads what the person chose to show, for the price of a verification, once', async () => {
    const { held } = await world.taken(await world.attested());
    const { id, link } = await ask(['tier', 'age_over_18']);
    expect((await shown(id)).json).toMatchObject({ status: 'waiting', verification: null });
    const before = await world.balance();
    expect(await presentTo(first(held), link)).toBe(200);
    expect(await world.balance()).toBe(before - 1);
    const { json } = await shown(id);
    expect(json).toMatchObject({
      status: 'answered',
      verification: { valid: true, payload: { tier: 'Tier2', age_over_18: true } },
    });
    expect((json['verification'] as Json)['payload']).not.toHaveProperty('full_name');
    expect(await presentTo(first(held), link)).toBe(404);
    expect(await world.balance()).toBe(before - 1);
    const type = await eventually('the event', async () => {
      const { json: feed } = await world.http.expect(200, {
        path: '/api/v1/events?limit=1000',
        apiKey: world.tenant.apiKey,
      });
      return (feed['events'] as { type: string; data: Json }[]).find(({ data }) => data['request_id'] === id)?.type;
    });
    expect(type).toBe('verification.completed');
  });

  it('pays for one answer, however many come at once', async () => {
    const { held } = await world.taken(await world.attested());
    const { id, link } = await ask(['tier']);
    const before = await world.balance();
    const statuses = await Promise.all(Array.from({ length: 8 }, () => presentTo(first(held), link)));
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(7).fill(404)]);
    expect(await world.balance()).toBe(before - 1);
    expect((await shown(id)).json['verification']).toMatchObject({ valid: true });
  });

  it('gets nothing without credits, and the wallet may answer again once there are some', async () => {
    const { held } = await world.taken(await world.attested());
    const rich = world.tenant;
    world.tenant = await world.newTenant();
    const { tenantId } = world.tenant;
    await world.deployment.operator.adjust(tenantId, -10_000);
    const { id, link } = await ask(['tier']);
    expect(await presentTo(first(held), link)).toBe(402);
    expect((await shown(id)).json['status']).toBe('waiting');
    await world.deployment.operator.adjust(tenantId, 5);
    expect(await presentTo(first(held), link)).toBe(200);
    expect((await shown(id)).json['verification']).toMatchObject({ valid: true });
    expect(await world.balance()).toBe(4);
    world.tenant = rich;
  });

  it('says that an asked claim is missing, and shows on none that was not asked for', async () => {
    const { held } = await world.taken(await world.attested());
    const [one, two] = [await ask(['tier']), await ask(['tier'])];
    expect(await presentTo(first(held), one.link, [])).toBe(200);
    expect((await shown(one.id)).json['verification']).toMatchObject({ valid: false, code: 'MISSING_CLAIM' });
    expect(await presentTo(first(held), two.link, ['tier', 'full_name'])).toBe(200);
    const { verification } = (await shown(two.id)).json as { verification: Json };
    expect(verification).toMatchObject({ valid: true, payload: { tier: 'Tier2' } });
    expect(verification['payload']).not.toHaveProperty('full_name');
  });

  it('spends no more than the cap of the key that asked, and counts for it', async () => {
    const { held } = await world.taken(await world.attested());
    const body = { name: 'Capped at one', credit_cap_per_day: 1 };
    const { json: key } = await world.http.expect(201, { path: '/api/v1/keys', apiKey: world.tenant.apiKey, body });
    const links: string[] = [];
    for (let asked = 0; asked < 2; asked += 1) {
      const call = { path: '/api/v1/verify/request', apiKey: key['api_key'] as string, body: { claims: ['tier'] } };
      links.push((await world.http.expect(201, call)).json['deep_link'] as string);
    }
    expect(await presentTo(first(held), links[0] ?? '')).toBe(200);
    expect(await presentTo(first(held), links[1] ?? '')).toBe(402);
    const path = `/api/v1/keys/${String(key['id'])}`;
    const raised = { method: 'PATCH', path, apiKey: world.tenant.apiKey, body: { credit_cap_per_day: 2 } } as const;
    await world.http.expect(200, raised);
    expect(await presentTo(first(held), links[1] ?? '')).toBe(200);
  });

  it('gets no answer once the key that asked has ended', async () => {
    const { held } = await world.taken(await world.attested());
    const { apiKey } = world.tenant;
    const { json: key } = await world.http.expect(201, { path: '/api/v1/keys', apiKey, body: { name: 'Short' } });
    const call = { path: '/api/v1/verify/request', apiKey: key['api_key'] as string, body: { claims: ['tier'] } };
    const link = String((await world.http.expect(201, call)).json['deep_link']);
    await world.http.expect(204, { method: 'DELETE', path: `/api/v1/keys/${String(key['id'])}`, apiKey });
    const before = await world.balance();
    expect(await presentTo(first(held), link)).toBe(404);
    expect(await world.balance()).toBe(before);
  });

  it('sees that a revoked credential is not valid', async () => {
    const { offer, held } = await world.taken(await world.attested());
    const path = `/api/v1/credentials/${offer.id}/revoke`;
    await world.http.expect(200, { path, apiKey: world.tenant.apiKey, body: { reason: 'lost' } });
    const { id, link } = await ask(['tier']);
    expect(await presentTo(first(held), link)).toBe(200);
    expect((await shown(id)).json['verification']).toMatchObject({ valid: false, code: 'REVOKED' });
  });

  it("asks in the link itself, which others' wallets read and answer", async () => {
    const { held } = await world.taken(await world.attested());
    const { id, link } = await ask(['tier']);
    const read = await readByOther(link);
    expect(read).toMatchObject({ version: 100, clientId: 'redirect_uri' });
    expect((await world.http.send({ path: `/openid4vp/requests/${id}` })).status).toBe(404);
    expect(await read.answer(first(held))).toBe(200);
    expect((await shown(id)).json['verification']).toMatchObject({ valid: true, payload: { tier: 'Tier2' } });
  });

  it('takes nothing that is not encrypted for it, and shows nothing to others', async () => {
    const { held } = await world.taken(await world.attested());
    const [{ id, link }, other] = [await ask(['tier']), await ask(['tier'])];
    const swapped = new URLSearchParams(link.slice(link.indexOf('?') + 1));
    swapped.set('client_metadata', new URLSearchParams(other.link.split('?')[1]).get('client_metadata') ?? '');
    expect(await presentTo(first(held), `openid4vp://?${swapped.toString()}`)).toBe(400);
    const odd = { alg: 'ECDH-ES', enc: 'A256GCM', epk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', key_ops: 5 } };
    const response = `${Buffer.from(JSON.stringify(odd)).toString('base64url')}..AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA`;
    const path = `/openid4vp/responses/${id}`;
    expect((await world.http.send({ path, body: { response } })).status).toBe(400);
    expect((await shown(id)).json['status']).toBe('waiting');
    const stranger = await world.newTenant();
    expect((await shown(id, stranger.apiKey)).status).toBe(404);
    const body = { claims: ['birth_date'] };
    const { json } = await world.http.expect(422, {
      path: '/api/v1/verify/request',
      apiKey: world.tenant.apiKey,
      body,
    });
    expect(json).toMatchObject({ errors: [{ field: 'claims' }] });
  });
});

describe('an erased person', () => {
  it('has no valid credential in a wallet, and none that waits for one', async () => {
    const who = await world.attested();
    const { held } = await world.taken(who);
    const waiting = await world.offerTo(who);
    const { identity_id: id } = await world.offerOf(waiting);
    const body = { reason: 'the person asked' };
    await world.http.expect(202, { path: `/api/v1/identity/${String(id)}/erase`, apiKey: world.tenant.apiKey, body });
    await eventually(
      'the credential is revoked',
      async () => (await world.presentedAt(first(held)))['code'] === 'REVOKED',
    );
    expect((await world.offerOf(waiting))['ended_because']).toBe('erased');
    await expect(redeem({ link: waiting.link })).rejects.toThrow();
  }, 90_000);
});
