import { decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { type Ran, runCommand } from '../support/service-command.js';
import { issue, type Issued, issuerTokenFor, type IssuingTenant, verdictOf } from '../support/credentials.js';
import { Deployment } from '../support/load/deployment.js';
import { freshAddress, type Http } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { ingestAll } from '../support/load/tenants.js';

let deployment: Deployment;
let http: Http;
let other: Http;
let tenant: IssuingTenant;

beforeAll(async () => {
  deployment = await Deployment.start({ instances: 2 });
  [http, other] = [deployment.instance(0).http, deployment.instance(1).http];
  const account = await deployment.operator.tenant({ credits: 1_000_000 });
  tenant = { ...account, bearer: await issuerTokenFor(http, account) };
  await ingestAll(http, tenant, [person(72_001)]);
}, 90_000);

afterAll(() => deployment.stop(), 60_000);

const keys = (...words: string[]): Promise<Ran> => runCommand(['keys', ...words], deployment.env);

const newCredential = (): Promise<Issued> => issue(http, tenant, person(72_001));
const kidOf = ({ token }: Issued): string => decodeProtectedHeader(token).kid ?? '';

const publishedKids = async (): Promise<{ did: string[]; jwks: string[] }> => {
  const read = async (path: string): Promise<unknown> => (await other.expect(200, { path, from: freshAddress() })).json;
  const { verificationMethod } = (await read('/.well-known/did.json')) as {
    verificationMethod: { id: string }[];
  };
  const { keys: jwks } = (await read('/.well-known/jwks.json')) as JSONWebKeySet;
  return { did: verificationMethod.map(({ id }) => id), jwks: jwks.map(({ kid = '' }) => kid) };
};

/** Issues on one instance and verifies at once on the other, until `work` has ended. Answers with what was not valid. */
const underLoad = async (work: () => Promise<unknown>): Promise<unknown[]> => {
  let done = false;
  const faults: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (!done) {
      const verdict = await newCredential().then(
        (issued) => verdictOf(other, tenant, issued),
        (error: unknown) => String(error),
      );
      if (verdict !== 'valid') faults.push(verdict);
    }
  };
  const workers = Array.from({ length: 4 }, worker);
  await work();
  done = true;
  await Promise.all(workers);
  return faults;
};

it('rotates while credentials are issued and verified: none fails, and older ones stay valid', async () => {
  const before = await newCredential();
  const faults = await underLoad(async () => {
    for (let time = 0; time < 3; time += 1) {
      expect(await keys('rotate-issuer')).toMatchObject({ status: 0 });
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
  });
  expect(faults).toEqual([]);
  const after = await newCredential();
  expect(kidOf(after)).not.toBe(kidOf(before));
  expect([await verdictOf(http, tenant, before), await verdictOf(http, tenant, after)]).toEqual(['valid', 'valid']);
  const { did, jwks } = await publishedKids();
  for (const issued of [before, after]) expect([did, jwks].every((kids) => kids.includes(kidOf(issued)))).toBe(true);
}, 60_000);

it('accepts nothing of a compromised key, leaves it out of the documents, and lists the live credentials under it', async () => {
  const [lost, revoked] = [await newCredential(), await newCredential()];
  const path = `/api/v1/credentials/${revoked.jti}/revoke`;
  await http.expect(200, { path, apiKey: tenant.apiKey, body: { reason: 'Lost' } });
  const { status, output } = await keys('rotate-issuer', '--compromised', kidOf(lost));
  expect([status, output]).toEqual([0, expect.stringContaining(`${tenant.tenantId} ${lost.jti}`)]);
  expect(output).not.toContain(revoked.jti);
  for (const instance of [http, other]) expect(await verdictOf(instance, tenant, lost)).toBe('UNTRUSTED_KEY');
  const { did, jwks } = await publishedKids();
  expect([did.includes(kidOf(lost)), jwks.includes(kidOf(lost))]).toEqual([false, false]);
  const list = await other.expect(200, { path: '/credentials/status/revocation/1', from: freshAddress() });
  const after = await newCredential();
  expect(decodeProtectedHeader(list.text).kid).toBe(kidOf(after));
  expect(await verdictOf(other, tenant, after)).toBe('valid');
}, 60_000);

it('refuses a key that never signed a credential', async () => {
  expect(await keys('rotate-issuer', '--compromised', 'nothing')).toMatchObject({
    status: 1,
    output: expect.stringContaining('did.json'),
  });
});
