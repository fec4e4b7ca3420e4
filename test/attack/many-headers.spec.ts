import { randomUUID } from 'node:crypto';
import { startTestApp } from '../integration/http-test-app.js';
import { sendRaw } from '../support/attack/raw.js';
import { expectConventions, expectRefusal } from '../support/checks/conventions.js';
import { Deployment } from '../support/load/deployment.js';
import { type Answer, freshAddress } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { balanceOf, type Tenant } from '../support/load/tenants.js';
import { ownPort } from '../support/ports.js';
import { eventually } from '../support/stack.js';

/** The most that a request may have. */
const MOST = 100;
/** Node passes on this many and drops the others without a word. */
const KEPT_BY_NODE = 1_000;
const CALLER = '203.0.113.9';

type Header = readonly [name: string, value: string];

let deployment: Deployment;
let tenant: Tenant;

beforeAll(async () => {
  deployment = await Deployment.start();
  tenant = await deployment.operator.tenant({ credits: 1_000 });
  const { service } = deployment.instance(0);
  await service.stop();
  // The development identity provider ends where a proxy stands in front.
  await deployment.restart(0, { TRUST_PROXY: 'true' });
}, 120_000);
afterAll(() => deployment.stop());

const fillers = (count: number): Header[] =>
  Array.from({ length: count }, (_, index): Header => [`a${index.toString(36)}`, '']);

const BODY = JSON.stringify(enquiry(person(1)));

/** A check with this many headers, the last of which are these. */
const check = (count: number, last: readonly Header[]): Promise<Answer> => {
  const first: Header[] = [
    ['Host', 'localhost'],
    ['X-API-Key', tenant.apiKey],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(BODY.length)],
  ];
  const headers = [...first, ...fillers(count - first.length - last.length), ...last];
  expect(headers).toHaveLength(count);
  return sendRaw(deployment.http.baseUrl, { method: 'POST', path: '/api/v1/check-eligibility', headers, body: BODY });
};

const FORWARDED: Header = ['X-Forwarded-For', CALLER];

const addressIn = async (answer: Answer): Promise<unknown> => {
  const path = `/api/v1/compliance/audit-log?request_id=${answer.header('x-request-id') ?? ''}`;
  const entries = await eventually('the entry', async () => {
    const { json } = await deployment.http.expect(200, { path, apiKey: tenant.apiKey });
    const found = json['logs'] as { ip_address: string }[];
    return found.length > 0 && found;
  });
  return entries[0]?.ip_address;
};

it(`a request may have ${MOST} headers, and each of them is heeded`, async () => {
  const answer = await check(MOST, [FORWARDED]);
  expect(answer.status).toBe(200);
  expect(await addressIn(answer)).toBe(CALLER);
});

it.each([MOST + 1, 130, KEPT_BY_NODE, KEPT_BY_NODE + 5, 1_400])('one with %i is refused', async (count) => {
  const answer = await check(count, [FORWARDED]);
  expectRefusal(answer, 431, 'HEADERS_TOO_LARGE');
  expect(answer.json['detail']).toContain(String(MOST));
  expect(answer.header('x-credits-charged')).toBeUndefined();
});

it('one whose address would be lost behind the others leaves no entry that names the proxy', async () => {
  const answer = await check(KEPT_BY_NODE + 5, [FORWARDED]);
  if (answer.status === 200) expect(await addressIn(answer)).toBe(CALLER);
  else expectRefusal(answer, 431, 'HEADERS_TOO_LARGE');
});

it('one whose Idempotency-Key would be lost behind the others is charged once at most', async () => {
  const before = await balanceOf(deployment.http, tenant);
  const key: Header = ['Idempotency-Key', randomUUID()];
  await check(KEPT_BY_NODE + 5, [key]);
  await check(KEPT_BY_NODE + 5, [key]);
  expect(before - (await balanceOf(deployment.http, tenant))).toBeLessThanOrEqual(1);
});

it.each<[string, string]>([
  ['an unknown path', '/nothing'],
  ['a path that cannot be routed', '/%zz'],
  ['a public document', '/.well-known/did.json'],
  ['the prices', '/billing/pricing'],
])('too many are refused at %s, and counted against the address that they name', async (_case, path) => {
  const caller = freshAddress();
  const headers = [['Host', 'localhost'], ...fillers(1_200), ['X-Forwarded-For', caller]] as Header[];
  const answer = await sendRaw(deployment.http.baseUrl, { path, headers });
  expectRefusal(answer, 431, 'HEADERS_TOO_LARGE');
  const next = await sendRaw(deployment.http.baseUrl, {
    path: '/nothing',
    headers: [
      ['Host', 'localhost'],
      ['X-Forwarded-For', caller],
    ],
  });
  expect(Number(next.header('x-ratelimit-limit')) - Number(next.header('x-ratelimit-remaining'))).toBe(2);
});

it('too many are refused on the management port too', async () => {
  const managementPort = await ownPort();
  const app = await startTestApp({ config: { managementPort } });
  const headers = [['Host', 'localhost'], ...fillers(MOST)] as Header[];
  const answer = await sendRaw(`http://127.0.0.1:${managementPort}`, { path: '/health/live', headers });
  await app.close();
  expectRefusal(answer, 431, 'HEADERS_TOO_LARGE');
});

it('lines of one name are counted each', async () => {
  const headers = [['Host', 'localhost'], ...Array.from({ length: MOST }, () => FORWARDED)] as Header[];
  const answer = await sendRaw(deployment.http.baseUrl, { path: '/billing/pricing', headers });
  expectConventions(answer);
  expect(answer.status).toBe(431);
});
