import { generateKeyPairSync } from 'node:crypto';
import { nastyValues } from '../support/attack/nasty.js';
import { type RawRequest, sendRaw } from '../support/attack/raw.js';
import { expectConventions } from '../support/checks/conventions.js';
import { type Endpoint, ENDPOINTS, goodCall, titleOf } from '../support/endpoints/endpoints.js';
import { type World, worldOf } from '../support/endpoints/world.js';
import { Deployment } from '../support/load/deployment.js';
import { type Answer, freshAddress } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { signed } from '../support/payments/signature.js';
import { soak } from '../support/soak.js';

/** Values for each gate. */
const COUNT = soak(60, 600);

let deployment: Deployment;
let world: World;

beforeAll(async () => {
  deployment = await Deployment.start({ env: { LOG_LEVEL: 'error', TIMING_STORE_BUDGET_MS: '30000' } });
  world = await worldOf(deployment);
}, 120_000);
afterAll(() => deployment.stop());

const EVENT = '{"id":"evt_1","object":"event","type":"customer.created","livemode":false,"data":{"object":{}}}';

type Header = readonly [name: string, value: string];

const send = ({ method = 'GET', path, headers = [], body, from }: RawRequest): Promise<Answer> =>
  sendRaw(deployment.http.baseUrl, {
    method,
    path,
    headers: [
      ['Host', 'localhost'],
      ['Connection', 'close'],
      ...(body === undefined ? [] : ([['Content-Length', String(Buffer.byteLength(body))]] as const)),
      ...(body === undefined || headers.some(([name]) => name === 'Content-Type')
        ? []
        : ([['Content-Type', 'application/json']] as const)),
      ...headers,
    ],
    ...(body === undefined ? {} : { body }),
    from: from ?? freshAddress(),
  });

/** Whether the request took something of its caller's limit, of which nothing was taken before. */
const isCounted = (answer: Answer): boolean =>
  Number(answer.header('x-ratelimit-remaining')) < Number(answer.header('x-ratelimit-limit'));

/** What is wrong with an answer to a nasty value. A request that is served anyway is none of this test's business. */
const faultOf = (answer: Answer): string | undefined => {
  if (answer.status >= 500) return String(answer.status);
  return answer.status >= 400 && !isCounted(answer) ? `${answer.status} ${answer.code ?? ''}, not counted` : undefined;
};

/** The faults of the answers, each with the first value that led to it. */
const faultsAmong = async (
  values: readonly string[],
  ask: (value: string) => Promise<Answer>,
): Promise<Readonly<Record<string, string>>> => {
  const faults: Record<string, string> = {};
  for (const value of values) {
    const answer = await ask(value);
    const fault = faultOf(answer);
    if (fault !== undefined) faults[fault] ??= value.slice(0, 200);
    else expectConventions(answer);
  }
  return faults;
};

/** Of an account of the tests. */
const PLENTY = 1_000_000_000;

/** Milliseconds, less than the minute of the limit. */
const WINDOW_JUDGED = 50_000;

const limitIn = (answer: Answer, name: 'limit' | 'remaining' | 'reset'): number =>
  Number(answer.header(`x-ratelimit-${name}`));

/** As above, and each request that is counted at all is counted on its own against the account of a fresh key. */
const faultsWithKey = async (
  values: readonly string[],
  ask: (value: string) => Promise<Answer>,
): Promise<Readonly<Record<string, string>>> => {
  const began = performance.now();
  let last: Answer | undefined;
  const uncounted: string[] = [];
  const faults = await faultsAmong(values, async (value) => {
    const answer = await ask(value);
    // What Node's parser refuses has no caller but its address.
    if (limitIn(answer, 'limit') !== PLENTY) return answer;
    // Behind a minute the first requests leave the sliding window, and what remains grows.
    if (performance.now() - began > WINDOW_JUDGED) return answer;
    const sameWindow = last !== undefined && limitIn(last, 'reset') === limitIn(answer, 'reset');
    if (sameWindow && limitIn(answer, 'remaining') >= limitIn(last ?? answer, 'remaining')) uncounted.push(value);
    last = answer;
    return answer;
  });
  return uncounted.length === 0 ? faults : { ...faults, uncounted: uncounted.join('\n') };
};

const withHeader = (request: RawRequest, name: string) => (value: string) =>
  send({ ...request, headers: [...(request.headers ?? []), [name, value] as Header] });

const PAYMENTS = { method: 'POST', path: '/webhooks/payments', body: EVENT };
const key = (): Header => ['X-API-Key', world.owner.apiKey];
/** A key of an account from whose limit nothing was taken yet. */
const freshKey = async (): Promise<Header> => ['X-API-Key', (await world.newTenant(10_000)).apiKey];

describe('a value that a gate cannot read is refused and counted, and never an error of ours', () => {
  const now = Math.floor(Date.now() / 1_000);

  it.each([
    ['an empty signature', `t=${now},v1=`],
    ['a signature without a value', `t=${now},v1`],
    ['two empty signatures', `t=${now},v1=,v1=`],
    ['a signature of 64 letters of two bytes', `t=${now},v1=${'é'.repeat(64)}`],
    ['an empty signature beside a wrong one', `t=${now},v1=${'0'.repeat(64)},v1=`],
    ['a wrong signature', `t=${now},v1=${'0'.repeat(64)}`],
  ])('%s at /webhooks/payments', async (_case, value) => {
    const answer = await withHeader(PAYMENTS, 'Stripe-Signature')(value);
    expect([answer.status, answer.code]).toEqual([400, 'BAD_REQUEST']);
    expect(isCounted(answer)).toBe(true);
  });

  it.each<[string, string, readonly Header[]]>([
    ['that is no JSON', '{', []],
    ['that is no object', '[]', []],
    ['that is no UTF-8', '{"\xff":1}', []],
    ['of another type', EVENT, [['Content-Type', 'text/plain']]],
    ['of a type that is none', EVENT, [['Content-Type', '/']]],
    ['in another charset', EVENT, [['Content-Type', 'application/json; charset=latin1']]],
    ['that is compressed', EVENT, [['Content-Encoding', 'gzip']]],
    ['that is too large', 'x'.repeat(1_100_000), []],
  ])('an unsigned body %s at /webhooks/payments', async (_case, body, headers) => {
    const answer = await send({ ...PAYMENTS, body: Buffer.from(body, 'latin1'), headers });
    expectConventions(answer);
    expect([answer.status, isCounted(answer)]).toEqual([answer.status, true]);
    expect(answer.status).toBeLessThan(500);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it('Stripe-Signature', async () => {
    const values = nastyValues([signed(EVENT)], 3 * COUNT, ['t', 'v1', 'v0', `t=${now},v1`]);
    expect(await faultsAmong(values, withHeader(PAYMENTS, 'Stripe-Signature'))).toEqual({});
  });

  it('X-API-Key', async () => {
    const values = nastyValues([world.owner.apiKey, `Bearer ${world.owner.apiKey}`], COUNT);
    expect(await faultsAmong(values, withHeader({ path: '/billing/credits' }, 'X-API-Key'))).toEqual({});
  });

  it.each<[string, RawRequest]>([
    ['of an operator', { path: '/admin/accounts' }],
    ['of an account', { method: 'POST', path: '/api/v1/issue', body: '{}' }],
  ])('Authorization %s', async (_case, request) => {
    const { admin } = world;
    const values = nastyValues([`Bearer ${admin}`, 'Bearer a.b.c', `Basic ${admin}`], COUNT);
    const bare = nastyValues([admin], COUNT).map((value) => `Bearer ${value}`);
    expect(await faultsAmong([...values, ...bare], withHeader(request, 'Authorization'))).toEqual({});
  });

  it('X-Dev-Secret', async () => {
    const request = { method: 'POST', path: '/dev/token', body: '{"roles":["support"]}' };
    const values = nastyValues([deployment.http.devSecret], COUNT);
    expect(await faultsAmong(values, withHeader(request, 'X-Dev-Secret'))).toEqual({});
  });

  it('Idempotency-Key', async () => {
    const body = JSON.stringify(enquiry(person(1)));
    const request = { method: 'POST', path: '/api/v1/check-eligibility', body, headers: [await freshKey()] };
    const values = nastyValues(['9f0c3b0e-6a57-4a6e-8a3c-1b2d3e4f5a6b'], COUNT);
    expect(await faultsWithKey(values, withHeader(request, 'Idempotency-Key'))).toEqual({});
  });

  it.each([
    ['Range', ['bytes=0-1', 'bytes=-1,0-0']],
    ['If-None-Match', ['W/"abc"', '"abc", *']],
    ['If-Modified-Since', ['Wed, 25 Nov 2026 00:00:00 GMT']],
    ['Accept', ['application/json;q=0.5, */*;q=1']],
    ['Accept-Encoding', ['gzip;q=0']],
    ['X-Request-Id', ['9f0c3b0e-6a57-4a6e-8a3c-1b2d3e4f5a6b']],
    ['X-Forwarded-For', ['203.0.113.9, 10.0.0.1']],
    ['Forwarded', ['for=203.0.113.9;proto=https']],
    ['traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']],
    ['User-Agent', ['curl/8']],
    ['Origin', ['https://example.org']],
    ['Prefer', ['wait=5']],
    ['Expect', ['100-continue', '200-ok']],
    ['Upgrade', ['websocket', 'h2c']],
    ['Transfer-Encoding', ['chunked', 'gzip, chunked']],
    ['Accept-Version', ['1.2.x']],
  ])('%s', async (name, good) => {
    const values = nastyValues(good, COUNT);
    for (const path of ['/.well-known/did.json', '/docs/docs.css'])
      expect(await faultsAmong(values, withHeader({ path }, name))).toEqual({});
    const request = { path: '/api/v1/compliance/audit-log', headers: [await freshKey()] };
    expect(await faultsWithKey(values.slice(0, 50), withHeader(request, name))).toEqual({});
  });

  it.each([
    ['Content-Type', ['application/json', 'application/json; charset="utf-8"', 'application/x;a="\\"']],
    ['Content-Encoding', ['identity', 'gzip']],
  ])('%s', async (name, good) => {
    const body = JSON.stringify(enquiry(person(1)));
    const request = { method: 'POST', path: '/api/v1/check-eligibility', body, headers: [await freshKey()] };
    const values = nastyValues(good, COUNT);
    expect(await faultsWithKey(values, withHeader(request, name))).toEqual({});
    expect(await faultsAmong(values, withHeader(PAYMENTS, name))).toEqual({});
  });

  it('the token and the key of a verification', async () => {
    const pem = generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }) as string;
    const asking = async (): Promise<(body: object) => Promise<Answer>> => {
      const headers = [await freshKey()];
      return (body) => send({ method: 'POST', path: '/api/v1/verify', headers, body: JSON.stringify(body) });
    };
    const askToken = await asking();
    const tokens = nastyValues([world.owner.bearer, world.admin], COUNT);
    expect(await faultsWithKey(tokens, (token) => askToken({ token, public_key_pem: pem }))).toEqual({});
    const keys = nastyValues([pem, pem.replaceAll('PUBLIC', 'PRIVATE'), pem.replaceAll('\n', '')], COUNT);
    const askKey = await asking();
    expect(await faultsWithKey(keys, (text) => askKey({ token: 'a.b.c', public_key_pem: text }))).toEqual({});
  });
});

it.each<[string, () => RawRequest, () => readonly Header[]]>([
  ['X-API-Key', () => ({ path: '/billing/credits' }), () => [key(), key()]],
  [
    'Stripe-Signature',
    () => PAYMENTS,
    () => [signed(EVENT), signed(`${EVENT} `)].map((value) => ['Stripe-Signature', value]),
  ],
  ['Content-Type', () => PAYMENTS, () => ['text/plain', 'application/json'].map((value) => ['Content-Type', value])],
  ['X-Forwarded-For', () => ({ path: '/admin/accounts' }), () => ['é', ''].map((value) => ['X-Forwarded-For', value])],
  [
    'X-Dev-Secret',
    () => ({ method: 'POST', path: '/dev/token', body: '{}' }),
    () => ['a', 'b'].map((value) => ['X-Dev-Secret', value]),
  ],
])('%s twice is refused or counted, and no error of ours', async (_name, request, headers) => {
  const answer = await send({ ...request(), headers: headers() });
  expect(faultOf(answer)).toBeUndefined();
});

/** What may stand in a URL. */
const inUrl = (value: string): string =>
  encodeURIComponent(value)
    .slice(0, 3_000)
    .replace(/%[^%]?$/, '');

const requiredHeaders = (endpoint: Endpoint): readonly Header[] => {
  if (endpoint.access === 'key') return [key()];
  if (endpoint.access === 'role') return [['Authorization', `Bearer ${world.admin}`]];
  return endpoint.access === 'token' ? [['Authorization', `Bearer ${world.owner.bearer}`]] : [];
};

const gets = ENDPOINTS.filter(({ method, access }) => method === 'GET' && access !== 'unlimited');

describe('a URL that cannot be read is refused and counted', () => {
  const named = ENDPOINTS.filter(({ path, access }) => path.includes('{') && access !== 'unlimited');

  it.each(named.map((endpoint) => [titleOf(endpoint), endpoint] as const))(
    'in the ids of %s',
    async (_title, endpoint) => {
      const { method, path } = endpoint;
      const ids = nastyValues(
        ['idn_00000000000000000000000000000000', 'urn:uuid:1', 't01jd0000000000000000000000'],
        25,
      );
      const request = { method, headers: requiredHeaders(endpoint), ...(method === 'GET' ? {} : { body: '{}' }) };
      const ask = (id: string): Promise<Answer> =>
        send({ ...request, path: path.replace(/\{\w+\}/g, inUrl(id) || 'x') });
      expect(await faultsAmong(ids, ask)).toEqual({});
      // Bytes as they are, some of which no URL may hold.
      const bare = ids.map((id) => id.replaceAll(' ', ''));
      expect(
        await faultsAmong(bare, (id) => send({ ...request, path: path.replace(/\{\w+\}/g, () => id || 'x') })),
      ).toEqual({});
    },
  );

  it.each(gets.map((endpoint) => [titleOf(endpoint), endpoint] as const))(
    'in the query of %s',
    async (_title, endpoint) => {
      const good = await goodCall(endpoint, world);
      const [path = '', search = ''] = good.path.split('?');
      const names = [
        ...new URLSearchParams(search).keys(),
        ...Object.keys(endpoint.invalidQuery ?? {}),
        'cursor',
        'after',
        'before',
        'limit',
        'expires',
        'sig',
        '__proto__',
      ];
      const right = [...new URLSearchParams(search).values(), '2026-11-01', '10', 'MTcwMDAwMDAwMDAwMC4xLjE'];
      const values = nastyValues(right, 3 * names.length);
      const request = { headers: requiredHeaders(endpoint) };
      const queries = values.map((value, index) => {
        const name = names[index % names.length] ?? '';
        const query = new URLSearchParams(search);
        if (name !== '__proto__') query.delete(name);
        return `${query.toString()}&${name}=${index % 3 === 0 ? value.replaceAll(/[ #]/g, '') : inUrl(value)}`;
      });
      expect(await faultsAmong(queries, (query) => send({ ...request, path: `${path}?${query}` }))).toEqual({});
    },
  );
});

it('no error was logged', () => {
  expect(deployment.instance(0).service.output()).not.toContain('INTERNAL_ERROR');
});
