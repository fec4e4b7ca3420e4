import { createPublicKey, randomUUID, verify as verifySignature } from 'node:crypto';
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list';
import { verifyCredential } from 'did-jwt-vc';
import { type DIDResolver, Resolver } from 'did-resolver';
import { createLocalJWKSet, createRemoteJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  applicationOf,
  type Issued,
  issue,
  issuerTokenFor,
  type IssuingTenant,
  toIssued,
  verdictOf,
  verify,
} from '../support/credentials.js';
import { Deployment } from '../support/load/deployment.js';
import { freshAddress, type Http, type Json } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { balanceOf, ingestAll } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';

let deployment: Deployment;
let http: Http;
let other: Http;
let tenant: IssuingTenant;

beforeAll(async () => {
  deployment = await Deployment.start({ instances: 2 });
  [http, other] = [deployment.instance(0).http, deployment.instance(1).http];
  const account = await deployment.operator.tenant({ credits: 10_000 });
  tenant = { ...account, bearer: await issuerTokenFor(http, account) };
}, 90_000);

afterAll(() => deployment.stop(), 60_000);

let people = 70_000;

const attested = async (tier = 'Tier2', more: Json = {}): Promise<Person> => {
  const who = person((people += 1));
  await ingestAll(http, tenant, [{ ...who, ...more }], tier);
  return who;
};

const change = (verb: string, { jti }: Issued, body: object = {}): Promise<Json> =>
  http
    .expect(200, { path: `/api/v1/credentials/${jti}/${verb}`, apiKey: tenant.apiKey, body })
    .then(({ json }) => json);

const identityOf = async (who: Person): Promise<string> => {
  const path = `/api/v1/identities?${new URLSearchParams(enquiry(who)).toString()}`;
  const { json } = await http.expect(200, { path, apiKey: tenant.apiKey });
  return (json['identities'] as { identity_id: string }[])[0]?.identity_id ?? '';
};

/** The identity hashes of the audit entries of an action, newest first. */
const auditedOf = async ({ apiKey }: { readonly apiKey: string }, action: string): Promise<unknown[]> => {
  const { json } = await http.expect(200, { path: `/api/v1/compliance/audit-log?action=${action}`, apiKey });
  return (json['logs'] as Json[]).map((entry) => entry['identity_hash']);
};

const published = async (path: string): Promise<string> =>
  (await http.expect(200, { path, from: freshAddress() })).text;

/** did:web, with the document of this deployment. */
const didWeb = (): Resolver => {
  const web: DIDResolver = async () => ({
    didResolutionMetadata: {},
    didDocumentMetadata: {},
    didDocument: JSON.parse(await published('/.well-known/did.json')) as { id: string },
  });
  return new Resolver({ web });
};

/** The statuses that the published lists show, by purpose; each list's signature is checked. */
const listed = async ({ token }: Issued): Promise<Record<string, boolean>> => {
  const keys = createLocalJWKSet(JSON.parse(await published('/.well-known/jwks.json')) as JSONWebKeySet);
  const documentLoader = async (url: string) => {
    const { payload } = await jwtVerify(await published(new URL(url).pathname), keys, { typ: 'vc+jwt' });
    expect(payload['id']).toBe(url);
    return { document: payload };
  };
  const credential = decodeJwt(token)['vc'] as object;
  const { verified, error, results } = await checkStatus({
    credential,
    documentLoader,
    verifyBitstringStatusListCredential: false,
  });
  expect([verified, error]).toEqual([true, undefined]);
  return Object.fromEntries(results.map(({ credentialStatus, status }) => [credentialStatus.statusPurpose, status]));
};

describe('an issued credential', () => {
  it('has the claims of the contract, costs 10, and its verification 1', async () => {
    const who = await attested('Tier3', { kyc_expires_at: '2999-01-01T00:00:00Z' });
    const before = await balanceOf(http, tenant);
    const answer = await http.expect(200, {
      path: '/api/v1/issue',
      token: tenant.bearer,
      body: { ...applicationOf(who, 'Tier2'), full_name: who.full_name.toUpperCase() },
    });
    expect(answer.header('x-credits-charged')).toBe('10');
    expect(answer.json).toMatchObject({ status: 'issued', token: expect.any(String), public_key: expect.any(String) });
    const { token, publicKey, jti } = toIssued(answer);
    const claims = decodeJwt(token);
    const vc = claims['vc'] as Json;
    expect(claims).toMatchObject({ jti, nbf: expect.any(Number), iss: expect.stringMatching(/^did:web:localhost%3A/) });
    expect((claims.exp ?? 0) - (claims.nbf ?? 0)).toBe(365 * 86_400);
    expect(vc).toMatchObject({ id: jti, issuer: claims.iss, type: ['VerifiableCredential', 'KYCCredential'] });
    expect(vc['credentialSubject']).toEqual({
      id: claims.sub,
      full_name: who.full_name.toUpperCase(),
      tier: 'Tier2',
      phone_number: who.phone_number,
    });
    expect(claims.sub).toMatch(/^did:kyc:user:[0-9a-f]{64}$/);
    expect(token).not.toContain(who.date_of_birth);
    expect(await verify(other, tenant, token, publicKey)).toEqual({
      valid: true,
      payload: claims,
      checks: {
        signature: 'passed',
        issuer_key: 'passed',
        not_before: 'passed',
        expiry: 'passed',
        status: 'passed',
        registry: 'passed',
      },
    });
    expect(await balanceOf(http, tenant)).toBe(before - 11);
    // The verification names whose credential it was, to the tenant that issued it and to any other.
    const stranger = await deployment.operator.tenant({ credits: 10 });
    await verify(http, stranger, token, publicKey);
    await verify(http, stranger, `${token}x`, publicKey);
    const [issuance] = await auditedOf(tenant, 'credential_issued');
    expect(issuance).toMatch(/^[0-9a-f]{64}$/);
    expect((await auditedOf(tenant, 'credential_verified'))[0]).toBe(issuance);
    expect(await auditedOf(stranger, 'credential_verified')).toEqual(['', issuance]);
  });

  it('is accepted by other implementations, and refused by them once it is revoked', async () => {
    const issued = await issue(http, tenant, await attested());
    const { token, publicKey, jti } = issued;
    const did = await verifyCredential(token, didWeb());
    expect(did.verifiableCredential.credentialSubject).toMatchObject({ tier: 'Tier1' });
    const remote = createRemoteJWKSet(new URL(`${http.baseUrl}/.well-known/jwks.json`));
    expect((await jwtVerify(token, remote, { typ: 'JWT' })).payload.jti).toBe(jti);
    const [head = '', body = '', signature = ''] = token.split('.');
    const signed = Buffer.from(`${head}.${body}`);
    expect(verifySignature(null, signed, createPublicKey(publicKey), Buffer.from(signature, 'base64url'))).toBe(true);
    expect(await listed(issued)).toEqual({ revocation: false, suspension: false });
    await change('suspend', issued);
    expect(await listed(issued)).toEqual({ revocation: false, suspension: true });
    await change('reinstate', issued);
    expect(await listed(issued)).toEqual({ revocation: false, suspension: false });
    await change('revoke', issued, { reason: 'The phone was lost' });
    expect(await listed(issued)).toEqual({ revocation: true, suspension: false });
  });

  it('ends with the attestation, and is shown to its issuer alone', async () => {
    const until = '2027-03-04T05:06:07.890Z';
    const who = await attested('Tier1', { kyc_expires_at: until });
    const issued = await issue(http, tenant, who);
    expect(decodeJwt(issued.token).exp).toBe(Math.floor(Date.parse(until) / 1_000));
    const path = `/api/v1/credentials/${issued.jti}`;
    const shown = await http.expect(200, { path, apiKey: tenant.apiKey });
    expect(shown.json).toMatchObject({
      credential_id: issued.jti,
      status: 'issued',
      token: issued.token,
      tier: 'Tier1',
    });
    const stranger = await deployment.operator.tenant({ credits: 10 });
    for (const call of [{ path }, { path: `${path}/revoke`, body: { reason: 'Not mine' } }]) {
      expect((await http.send({ ...call, apiKey: stranger.apiKey })).status).toBe(404);
    }
    expect(await verdictOf(http, stranger, issued)).toBe('valid');
  });

  it('appears in the list of its issuer, which can be filtered and paged', async () => {
    const who = await attested();
    const [first, second] = [await issue(http, tenant, who), await issue(http, tenant, who)];
    await change('revoke', first, { reason: 'Replaced' });
    const page = async (query: string): Promise<unknown[]> => {
      const path = `/api/v1/credentials?identity_id=${await identityOf(who)}${query}`;
      const { json } = await http.expect(200, { path, apiKey: tenant.apiKey });
      return (json['credentials'] as Json[]).map((row) => [row['credential_id'], row['status']]);
    };
    expect(await page('')).toEqual([
      [second.jti, 'issued'],
      [first.jti, 'revoked'],
    ]);
    expect(await page('&status=revoked')).toEqual([[first.jti, 'revoked']]);
    expect(await page('&limit=1&offset=1')).toEqual([[first.jti, 'revoked']]);
  });
});

describe('a repeated request', () => {
  it('answers with the same token by its Idempotency-Key, and charges once', async () => {
    const who = await attested();
    const before = await balanceOf(http, tenant);
    const headers = { 'idempotency-key': randomUUID() };
    const call = { path: '/api/v1/issue', token: tenant.bearer, body: applicationOf(who), headers };
    const first = await http.expect(200, call);
    const second = await http.expect(200, call);
    expect(second.text).toBe(first.text);
    expect(second.header('x-credits-charged')).toBe('0');
    expect(await balanceOf(http, tenant)).toBe(before - 10);
  });
});

describe('a change of status', () => {
  it('holds on every instance when it is answered, and revocation is final', async () => {
    const issued = await issue(http, tenant, await attested());
    const path = `/api/v1/credentials/${issued.jti}`;
    expect(await change('suspend', issued, { reason: 'Asked' })).toMatchObject({
      status: 'suspended',
      reason: 'Asked',
    });
    expect(await verdictOf(other, tenant, issued)).toBe('SUSPENDED');
    expect(await change('reinstate', issued)).toMatchObject({ status: 'issued', reason: null });
    expect(await verdictOf(other, tenant, issued)).toBe('valid');
    expect((await http.send({ path: `${path}/reinstate`, apiKey: tenant.apiKey, body: {} })).code).toBe('CONFLICT');
    const revoked = await change('revoke', issued, { reason: 'Lost' });
    expect(revoked).toMatchObject({ credential_id: issued.jti, status: 'revoked', reason: 'Lost' });
    expect(await verdictOf(other, tenant, issued)).toBe('REVOKED');
    for (const verb of ['suspend', 'reinstate']) {
      expect((await http.send({ path: `${path}/${verb}`, apiKey: tenant.apiKey, body: {} })).code).toBe('CONFLICT');
    }
    expect(await change('revoke', issued, { reason: 'Again' })).toEqual(revoked);
  });

  it('follows the identity: deletion suspends, restoration reinstates what it suspended', async () => {
    const who = await attested();
    const [plain, held] = [await issue(http, tenant, who), await issue(http, tenant, who)];
    await change('suspend', held);
    const path = `/api/v1/identity/${await identityOf(who)}`;
    await http.expect(202, { method: 'DELETE', path, apiKey: tenant.apiKey });
    await eventually('the suspension', async () => (await verdictOf(other, tenant, plain)) === 'SUSPENDED');
    const reinstated = await http.send({
      path: `/api/v1/credentials/${plain.jti}/reinstate`,
      apiKey: tenant.apiKey,
      body: {},
    });
    expect(reinstated.code).toBe('CONFLICT');
    await http.expect(200, { method: 'POST', path: `${path}/restore`, apiKey: tenant.apiKey });
    await eventually('the reinstatement', async () => (await verdictOf(other, tenant, plain)) === 'valid');
    expect(await verdictOf(other, tenant, held)).toBe('SUSPENDED');
  });

  it('leaves no valid credential that was issued after the deletion, whatever both processes were at', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => attested()));
    const ids = await Promise.all(people.map(identityOf));
    const race = people.flatMap((who, place) => {
      const path = `/api/v1/identity/${ids[place] ?? ''}`;
      const body = applicationOf(who, 'Tier2');
      const issuing = [http, other, http, other].map((on) =>
        on.send({ path: '/api/v1/issue', token: tenant.bearer, body }),
      );
      return [
        ...issuing.slice(0, 2),
        http.expect(202, { method: 'DELETE', path, apiKey: tenant.apiKey }),
        ...issuing.slice(2),
      ];
    });
    await Promise.all(race);
    await eventually('every credential of the deleted to be invalid', async () => {
      const { json } = await http.expect(200, {
        path: '/api/v1/credentials?limit=100&status=issued',
        apiKey: tenant.apiKey,
      });
      const valid = (json['credentials'] as Json[]).map((each) => each['identity_id']);
      return ids.every((id) => !valid.includes(id));
    });
  });

  it('is taken by a verifier whose clock is a minute behind', async () => {
    const issued = await issue(http, tenant, await attested());
    await change('revoke', issued, { reason: 'Lost' });
    const [{ statusListCredential = '' } = {}] = (
      decodeJwt(issued.token)['vc'] as { credentialStatus: { statusListCredential?: string }[] }
    ).credentialStatus;
    const { text } = await http.expect(200, { path: new URL(statusListCredential).pathname, from: freshAddress() });
    const { validFrom } = decodeJwt(text) as { validFrom?: string };
    expect(Date.parse(validFrom ?? '1970-01-01')).toBeLessThanOrEqual(Date.now() - 60_000);
  });

  it('gives the list another entity tag, and an unchanged list is not sent again', async () => {
    const issued = await issue(http, tenant, await attested());
    const [{ statusListCredential = '' } = {}] = (
      decodeJwt(issued.token)['vc'] as { credentialStatus: { statusListCredential?: string }[] }
    ).credentialStatus;
    const path = new URL(statusListCredential).pathname;
    const read = (from: Http, known?: string) =>
      from.send({
        path,
        from: freshAddress(),
        ...(known === undefined ? {} : { headers: { 'if-none-match': known } }),
      });
    const before = await read(http);
    const etag = before.header('etag') ?? '';
    expect([before.status, before.header('content-type')]).toEqual([200, 'application/vc+jwt']);
    expect((await read(other)).text).toBe(before.text);
    expect(await read(other, etag)).toMatchObject({ status: 304, text: '' });
    await change('revoke', issued, { reason: 'Lost' });
    const after = await read(other, etag);
    expect([after.status, after.header('etag') === etag]).toEqual([200, false]);
  });
});

describe('a person whom the network does not attest as described', () => {
  const asks = (body: object, headers = {}) =>
    http.send({ path: '/api/v1/issue', token: tenant.bearer, body, headers });

  it('gets the same refusal whatever differs, charged, and after five of them no answer for a day', async () => {
    const who = await attested('Tier2');
    const before = await balanceOf(http, tenant);
    const guesses = [
      { full_name: 'Somebody Else' },
      { full_name: 'Nobody At All' },
      { dob: '1950-01-01' },
      { tier: 'Tier3' },
      { full_name: `${who.full_name}x` },
    ];
    const answers = [];
    for (const guess of guesses) answers.push(await asks({ ...applicationOf(who), ...guess }));
    const bodies = answers.map(({ status, json }) => ({ status, ...json, request_id: '' }));
    expect(new Set(bodies.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(bodies[0]).toMatchObject({ status: 422, error_code: 'IDENTITY_NOT_ELIGIBLE' });
    for (const full_name of ['A Sixth Guess', 'A Seventh', 'An Eighth', 'A Ninth', who.full_name]) {
      const late = await asks({ ...applicationOf(who), full_name });
      expect([late.status, late.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(late.header('retry-after'))).toBeGreaterThan(86_000);
    }
    expect(await balanceOf(http, tenant)).toBe(before - 50);
  });

  it('cannot be guessed by many requests at once', async () => {
    const who = await attested();
    const before = await balanceOf(http, tenant);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, guess) => asks({ ...applicationOf(who), full_name: `Guess ${guess}` })),
    );
    const refused = answers.filter(({ status }) => status === 422);
    expect([refused.length, answers.filter(({ status }) => status === 429).length]).toEqual([5, 15]);
    await eventually('the refunds', async () => (await balanceOf(http, tenant)) === before - 50);
  });

  it('is refused once the attestation has ended or the identity is deleted', async () => {
    const who = await attested();
    await http.expect(202, {
      method: 'DELETE',
      path: `/api/v1/identity/${await identityOf(who)}`,
      apiKey: tenant.apiKey,
    });
    expect((await asks(applicationOf(who))).code).toBe('IDENTITY_NOT_ELIGIBLE');
    expect((await asks(applicationOf(person(69_999)))).code).toBe('IDENTITY_NOT_ELIGIBLE');
  });
});
