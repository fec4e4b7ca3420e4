import { claimsIn } from '@kyc/tools/wallet/presentation';
import { redeem } from '@kyc/tools/wallet/wallet-client';
import { OpenID4VCIClient } from '@sphereon/oid4vci-client';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { applicationOf } from '../support/credentials.js';
import { exportedFiles } from '../support/exported.js';
import { type Json } from '../support/load/http.js';
import { ingestAll } from '../support/load/tenants.js';
import { first, WalletWorld } from '../support/wallets.js';

const COST = 10;

let world: WalletWorld;

beforeAll(async () => {
  world = await WalletWorld.start(81_000);
}, 90_000);

afterAll(() => world.deployment.stop(), 60_000);

describe('a wallet that takes an offer', () => {
  it('gets an SD-JWT bound to its key, for the price of an issuance', async () => {
    const who = await world.attested();
    const before = await world.balance();
    const { offer, held } = await world.taken(who);
    expect(await world.balance()).toBe(before - COST);
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
    expect(await world.offerOf(offer)).toMatchObject({
      status: 'redeemed',
      credential_id: `urn:uuid:${offer.id}`,
      wallet_notices: ['credential_accepted'],
      deep_link: null,
    });
  });

  it('can show who attests its holder, of those that agreed', async () => {
    const who = await world.attested();
    const second = await world.newTenant();
    await ingestAll(world.http, second, [who], 'Tier2');
    const name = async ({ apiKey }: { apiKey: string }, isNamed: boolean): Promise<unknown> => {
      const body = { named_in_credentials: isNamed };
      const call = { method: 'PATCH', path: '/api/v1/account', apiKey, body } as const;
      return (await world.http.expect(200, call)).json['name'];
    };
    const named = await name(second, true);
    const { held } = await world.taken(who);
    expect((await claimsIn(first(held)))['attested_by']).toEqual([named]);
    const shown = await world.presentedAt(first(held), undefined, ['attested_by']);
    expect(shown).toMatchObject({ valid: true, payload: { attested_by: [named] } });
    await name(second, false);
    expect(await claimsIn(first((await world.taken(who)).held))).not.toHaveProperty('attested_by');
    const path = '/api/v1/compliance/audit-log?action=account_changed';
    const { json } = await world.http.expect(200, { path, apiKey: second.apiKey });
    expect(json['logs']).toHaveLength(2);
  });

  it('gets ten copies that have nothing in common but the day, and one verdict for all', async () => {
    const { held } = await world.taken(await world.attested(), 10);
    expect(held).toHaveLength(10);
    const payloads = held.map(({ credential }) => decodeJwt(credential.split('~')[0] ?? ''));
    for (const name of ['cnf', 'status', '_sd']) {
      expect(new Set(payloads.map((payload) => JSON.stringify(payload[name]))).size).toBe(10);
    }
    expect(new Set(payloads.map(({ iat, exp, iss }) => `${iat} ${exp} ${iss}`)).size).toBe(1);
    expect((await world.presentedAt(held[9] ?? first(held)))['valid']).toBe(true);
  });

  it("gets the interface's JWT without a key, if it asks for that form", async () => {
    const who = await world.attested();
    const offer = await world.offerTo(who);
    const [jwt] = await redeem({ link: offer.link, form: 'kyc_credential_jwt' });
    const body = { token: jwt?.credential, public_key_pem: await world.issuerKey(jwt ?? { credential: '' }) };
    const { json } = await world.http.expect(200, { path: '/api/v1/verify', apiKey: world.tenant.apiKey, body });
    expect(json).toMatchObject({ valid: true, payload: { jti: `urn:uuid:${offer.id}` } });
  });

  it('needs the code of the person where one is asked for, and has five tries', async () => {
    const who = await world.attested();
    const right = await world.offerTo(who, { tx_code: true });
    expect(right.code).toMatch(/^[0-9]{6}$/);
    expect(await redeem({ link: right.link, code: right.code })).toHaveLength(1);
    const before = await world.balance();
    const offer = await world.offerTo(who, { tx_code: true });
    const wrong = offer.code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries += 1)
      await expect(redeem({ link: offer.link, code: wrong })).rejects.toThrow('invalid_grant');
    await expect(redeem({ link: offer.link, code: offer.code })).rejects.toThrow();
    expect(await world.offerOf(offer)).toMatchObject({ status: 'ended', ended_because: 'wrong_codes' });
    await world.balanceAgain(before);
  });

  it('is answered by every instance alike', async () => {
    const offer = await world.offerTo(await world.attested());
    const path = new URL(offer.uri).pathname;
    const [one, two] = await Promise.all([
      world.http.expect(200, { path }),
      world.deployment.instance(1).http.expect(200, { path }),
    ]);
    expect(one.json['credential_issuer']).toBe(two.json['credential_issuer']);
  });
});

describe("others' wallets", () => {
  // It speaks drafts up to 13, which name a form in place of a configuration and know no dc+sd-jwt.
  it('by @sphereon/oid4vci-client: takes the JWT', async () => {
    const offer = await world.offerTo(await world.attested());
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
    world.tenant = await world.newTenant();
  });

  it('that no wallet takes gives its credits back', async () => {
    const who = await world.attested();
    const before = await world.balance();
    const offer = await world.offerTo(who);
    expect(await world.balance()).toBe(before - COST);
    await world.balanceAgain(before);
    expect(await world.offerOf(offer)).toMatchObject({ status: 'ended', ended_because: 'expired', deep_link: null });
    await expect(redeem({ link: offer.link })).rejects.toThrow();
  }, 90_000);

  it('that is withdrawn gives its credits back once, and no wallet can take it', async () => {
    const who = await world.attested();
    const before = await world.balance();
    const offer = await world.offerTo(who);
    const withdraw = {
      method: 'POST',
      path: `/api/v1/offers/${offer.id}/withdraw`,
      apiKey: world.tenant.apiKey,
    } as const;
    expect((await world.http.expect(200, withdraw)).json).toMatchObject({
      status: 'ended',
      ended_because: 'withdrawn',
    });
    await world.http.expect(200, withdraw);
    await world.balanceAgain(before);
    await expect(redeem({ link: offer.link })).rejects.toThrow();
    expect(await world.balance()).toBe(before);
  });

  it('stands in an export of the account, with who it was for', async () => {
    const who = await world.attested();
    const { offer } = await world.taken(who);
    const waiting = await world.offerTo(who);
    const files = await exportedFiles(world.http, world.tenant.apiKey);
    const offers = JSON.parse(files.get('credential_offers.json') ?? '') as Json[];
    const { email, phone_number: phone, full_name, date_of_birth } = who;
    expect(offers.filter(({ offer_id: id }) => id === offer.id || id === waiting.id)).toEqual([
      expect.objectContaining({ status: 'redeemed', person: { email, phone, full_name, date_of_birth } }),
      expect.objectContaining({ status: 'offered', credential_id: null }),
    ]);
    const other = await world.offerTo(await world.attested());
    const { identity_id } = await world.offerOf(other);
    const ofOne = await exportedFiles(world.http, world.tenant.apiKey, { identity_id });
    const found = JSON.parse(ofOne.get('credential_offers.json') ?? '') as Json[];
    expect(found.map(({ offer_id: id }) => id)).toEqual([other.id]);
  });

  it('that a wallet has redeemed cannot be withdrawn', async () => {
    const { offer } = await world.taken(await world.attested());
    const path = `/api/v1/offers/${offer.id}/withdraw`;
    const { json } = await world.http.expect(409, { method: 'POST', path, apiKey: world.tenant.apiKey });
    expect(json['error_code']).toBe('CONFLICT');
  });

  it('is not made for a person who the network does not attest, which costs as much as an issuance', async () => {
    const before = await world.balance();
    const body = applicationOf(world.someone(), 'Tier2');
    const { json } = await world.http.expect(422, { path: '/api/v1/issue/offer', token: world.tenant.bearer, body });
    expect(json['error_code']).toBe('IDENTITY_NOT_ELIGIBLE');
    expect(await world.balance()).toBe(before - COST);
  });
});
