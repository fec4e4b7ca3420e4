import { presentTo } from '@kyc/tools/wallet/presentation';
import { type HeldCredential } from '@kyc/tools/wallet/wallet-client';
import { Database } from '../../src/platform/postgres/database.js';
import { type Answer, type Json } from '../support/load/http.js';
import { readByOther } from '../support/other-wallet.js';
import { certified, MARIA, PidIssuer } from '../support/pid-issuer.js';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { eventually } from '../support/processes.js';
import { WalletWorld } from '../support/wallets.js';

let issuer: PidIssuer;
let world: WalletWorld;

beforeAll(async () => {
  issuer = await PidIssuer.start();
  world = await WalletWorld.start(83_000);
}, 90_000);

afterAll(async () => {
  await world.deployment.stop();
  await issuer.stop();
}, 60_000);

interface Asked {
  readonly id: string;
  readonly link: string;
}

const ask = async (claims: readonly string[], credential = 'pid'): Promise<Asked> => {
  const call = { path: '/api/v1/verify/request', apiKey: world.tenant.apiKey, body: { credential, claims } };
  const { json } = await world.http.expect(201, call);
  return { id: json['presentation_id'] as string, link: json['deep_link'] as string };
};

const shown = async ({ id }: Asked): Promise<Json> => {
  const path = `/api/v1/verify/request/${id}`;
  return (await world.http.expect(200, { path, apiKey: world.tenant.apiKey })).json;
};

const verdictOf = async (held: HeldCredential, claims = ['family_name']): Promise<unknown> => {
  const asked = await ask(claims);
  expect(await presentTo(held, asked.link)).toBe(200);
  const { verification } = (await shown(asked)) as { verification: Json };
  return verification['valid'] === true ? 'valid' : verification['code'];
};

const ingest = ({ id }: Asked, body: Json): Promise<Answer> => {
  const path = `/api/v1/verify/request/${id}/ingest`;
  return world.http.send({ path, apiKey: world.tenant.apiKey, body, headers: { prefer: 'wait=5' } });
};

const PERSON = ['given_name', 'family_name', 'birthdate', 'nationalities', 'issuing_country'];
const CONTACT = { email: 'maria@example.org', phone_number: '+4930123456789' };
const APPROVED = { kyc_status: 'APPROVED', tier: 'Tier2' };

describe('person identification data', () => {
  it('is verified by the authority behind its issuer, and shows what was asked, for the price of a verification', async () => {
    const asked = await ask(['family_name', 'age_over_18']);
    const before = await world.balance();
    expect(await presentTo(await issuer.issue(), asked.link)).toBe(200);
    expect(await world.balance()).toBe(before - 1);
    const { credential, verification } = (await shown(asked)) as { credential: string; verification: Json };
    expect(credential).toBe('pid');
    expect(verification).toMatchObject({
      valid: true,
      payload: {
        vct: 'urn:eudi:pid:1',
        family_name: MARIA.family_name,
        age_over_18: true,
        issuer: expect.stringContaining('CN=Test PID issuer') as unknown,
      },
      checks: {
        signature: 'passed',
        issuer_key: 'passed',
        expiry: 'passed',
        status: 'passed',
        registry: 'not_checked',
        disclosures: 'passed',
        key_binding: 'passed',
      },
    });
    expect(verification['payload']).not.toHaveProperty('given_name');
    const path = '/api/v1/compliance/audit-log?action=credential_verified&limit=1';
    const { json } = await world.http.expect(200, { path, apiKey: world.tenant.apiKey });
    expect(json['logs']).toEqual([expect.objectContaining({ ip_address: null, user_agent: '' })]);
  });

  it("is asked for in a way that others' wallets read, as OpenID4VP 1.0, and their answer is taken", async () => {
    const asked = await ask(['given_name', 'age_over_18']);
    const read = await readByOther(asked.link);
    expect(read).toMatchObject({ version: 100, clientId: 'x509_hash' });
    expect(read.query).toEqual({
      credentials: [
        {
          id: expect.any(String) as unknown,
          format: 'dc+sd-jwt',
          meta: { vct_values: ['urn:eudi:pid:1'] },
          claims: [{ path: ['given_name'] }, { path: ['age_equal_or_over', '18'] }],
        },
      ],
    });
    expect(await read.answer(await issuer.issue())).toBe(200);
    expect((await shown(asked))['verification']).toMatchObject({ valid: true, payload: { given_name: 'Maria' } });
  });

  it('is asked for under the certificate of the verifier, once', async () => {
    const [asked, other] = [await ask(['given_name']), await ask(['given_name'])];
    expect(asked.link.length).toBeLessThan(250);
    const parameters = new URLSearchParams(asked.link.split('?')[1]);
    const { pathname } = new URL(parameters.get('request_uri') ?? '');
    const signed = await world.http.expect(200, { path: pathname });
    expect(signed.header('content-type')).toBe('application/oauth-authz-req+jwt');
    const { x5c } = decodeProtectedHeader(signed.text);
    expect(x5c).toHaveLength(1);
    const claims = decodeJwt(signed.text);
    expect(claims).toMatchObject({ client_id: parameters.get('client_id'), aud: 'https://self-issued.me/v2' });
    expect(JSON.stringify(claims)).not.toContain('"d"');
    expect(await presentTo(await issuer.issue(), asked.link)).toBe(200);
    expect((await world.http.send({ path: pathname })).status).toBe(404);
    const elsewhere = other.link.replace(/client_id=[^&]+/, 'client_id=x509_hash%3Aanother');
    await expect(presentTo(await issuer.issue(), elsewhere)).rejects.toThrow('whoever the link names');
    expect((await world.http.send({ path: '/openid4vp/requests/none' })).status).toBe(404);
  });

  it('is asked for no longer than a quarter of an hour', async () => {
    const asked = await ask(['given_name']);
    const database = new Database({ connectionString: world.deployment.databaseUrl, budgetMs: 10_000 });
    await database.query('UPDATE presentation_requests SET expires_at = now() WHERE request_id = $1', [asked.id]);
    await database.close();
    expect((await world.http.send({ path: `/openid4vp/requests/${asked.id}` })).status).toBe(404);
    expect((await shown(asked))['status']).toBe('expired');
  });

  it('is not valid of an issuer without a trusted authority, forged, or stolen', async () => {
    const stranger = await certified('CN=Stranger', { isAuthority: true });
    const theirs = await certified('CN=Theirs', { by: stranger, isAuthority: false });
    expect(await verdictOf(await issuer.issue({ chain: [theirs, stranger] }))).toBe('UNTRUSTED_ISSUER');
    const [mine, other] = [await issuer.issue(), await issuer.issue()];
    const forged = mine.credential.replace(/\.[^.~]+~/, `.${/\.([^.~]+)~/.exec(other.credential)?.[1] ?? ''}~`);
    expect(await verdictOf({ ...mine, credential: forged })).toBe('BAD_SIGNATURE');
    expect(await verdictOf({ ...mine, key: other.key })).toBe('BAD_KEY_BINDING');
    expect(await verdictOf(mine)).toBe('valid');
  });

  it('is not valid where an asked claim is missing', async () => {
    expect(await verdictOf(await issuer.issue(), ['email'])).toBe('MISSING_CLAIM');
  });

  it('is not valid once its issuer says so, and waits where the issuer says nothing', async () => {
    const held = await issuer.issue();
    issuer.statuses.setStatus(held.idx, 2);
    expect(await verdictOf(held)).toBe('SUSPENDED');
    issuer.statuses.setStatus(held.idx, 1);
    expect(await verdictOf(held)).toBe('REVOKED');
    issuer.statuses.setStatus(held.idx, 0);
    const before = await world.balance();
    const asked = await ask(['family_name']);
    const instead = [
      '',
      'no list',
      await issuer.list({ sub: 'http://127.0.0.1:1/other' }),
      await issuer.list({ exp: 1 }),
    ];
    for (const text of instead) {
      issuer.instead = text;
      expect(await presentTo(held, asked.link)).toBe(503);
    }
    issuer.instead = undefined;
    expect([await world.balance(), (await shown(asked))['status']]).toEqual([before, 'waiting']);
    expect(await presentTo(held, asked.link)).toBe(200);
    expect((await shown(asked))['verification']).toMatchObject({ valid: true });
  });

  it('is asked for by claims that it has', async () => {
    for (const [credential, claim] of [
      ['pid', 'tier'],
      ['attestation', 'birthdate'],
      ['passport', 'tier'],
    ]) {
      const body = { credential, claims: [claim] };
      const call = { path: '/api/v1/verify/request', apiKey: world.tenant.apiKey, body };
      const { json } = await world.http.expect(422, call);
      expect(json).toMatchObject({ errors: [{ field: credential === 'passport' ? 'credential' : 'claims' }] });
    }
  });
});

describe('a person who a wallet identifies', () => {
  const identified = async (): Promise<Asked> => {
    const asked = await ask(PERSON);
    expect(await presentTo(await issuer.issue(), asked.link)).toBe(200);
    return asked;
  };

  it('is ingested by one call, with the PID as evidence', async () => {
    const asked = await identified();
    const answer = await ingest(asked, { ...CONTACT, ...APPROVED, external_id: 'm-1' });
    expect([answer.status, answer.json['status'], answer.header('preference-applied')]).toEqual([
      ...[202, 'received', 'wait=5'],
    ]);
    const other = await ingest(asked, { ...CONTACT, ...APPROVED, email: 'another@example.org' });
    expect([other.status, other.code]).toEqual([409, 'CONFLICT']);
    const { apiKey } = world.tenant;
    const query = new URLSearchParams({ email: CONTACT.email, phone_number: CONTACT.phone_number }).toString();
    const [found] = await eventually('the identity', async () => {
      const { json: list } = await world.http.expect(200, { path: `/api/v1/identities?${query}`, apiKey });
      const identities = list['identities'] as Json[];
      return identities.length > 0 && identities;
    });
    const { json: identity } = await world.http.expect(200, {
      path: `/api/v1/identity/${String(found?.['identity_id'])}`,
      apiKey,
    });
    expect(identity).toMatchObject({
      full_name: `${MARIA.given_name} ${MARIA.family_name}`,
      date_of_birth: MARIA.birthdate,
      document_reference: `openid4vp:${asked.id}`,
      extra_data: { pid: { vct: 'urn:eudi:pid:1', shown: { nationalities: ['DE'], issuing_country: 'DE' } } },
    });
    await world.http.expect(202, {
      path: `/api/v1/identity/${String(found?.['identity_id'])}/erase`,
      apiKey,
      body: { reason: 'the person asked' },
    });
    const call = { path: `/api/v1/verify/request/${asked.id}`, apiKey };
    const deleted = performance.now();
    while (performance.now() - deleted < 2_000) expect((await world.http.send(call)).status).toBe(404);
    expect((await ingest(asked, { ...CONTACT, ...APPROVED })).status).toBe(404);
  }, 60_000);

  it('is ingested as the wallet says, where both name an address', async () => {
    const asked = await ask([...PERSON, 'email', 'phone_number']);
    const claims = { ...MARIA, email: 'mm@example.org', phone_number: '+4930123456780' };
    await presentTo(await issuer.issue({ claims }), asked.link);
    const { json } = await ingest(asked, { ...APPROVED, email: 'other@example.org' });
    expect(json).toMatchObject({ error_code: 'INVALID_FIELD', errors: [{ field: 'email' }] });
    expect((await ingest(asked, { ...APPROVED, email: ' MM@example.org' })).status).toBe(202);
    expect((await ingest(asked, APPROVED)).status).toBe(202);
  });

  it('is not ingested without an address, before an answer, or by what is not valid or no PID', async () => {
    const { json } = await ingest(await identified(), APPROVED);
    expect(json).toMatchObject({
      error_code: 'MISSING_FIELD',
      errors: [{ field: 'email' }, { field: 'phone_number' }],
    });
    const body = { ...CONTACT, ...APPROVED };
    const nameless = await ask(['birthdate']);
    await presentTo(await issuer.issue(), nameless.link);
    const invalid = await ask(PERSON);
    await presentTo(await issuer.issue({ signed: { exp: 1 } }), invalid.link);
    const unfit = await ask(PERSON);
    await presentTo(await issuer.issue({ claims: { ...MARIA, birthdate: '9999-99-99' } }), unfit.link);
    const refused = [await ask(PERSON), nameless, invalid, unfit, await ask(['tier'], 'attestation')];
    for (const asked of refused) {
      const answer = await ingest(asked, body);
      expect([answer.status, answer.code]).toEqual([409, 'CONFLICT']);
    }
    const stranger = await world.newTenant();
    const path = `/api/v1/verify/request/${(await identified()).id}/ingest`;
    expect((await world.http.send({ path, apiKey: stranger.apiKey, body })).status).toBe(404);
  });
});
