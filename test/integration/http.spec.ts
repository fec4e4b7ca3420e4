import 'reflect-metadata';
import { type Answer, type CallOptions, fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';

import { expectError, expectLimits } from './http-expectations.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

beforeEach(() => {
  app.scenario.operation = (_context, body) => ({ email: body.email });
});

const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  app.call(method, path, { ...options, headers: { ...fromNewAddress(), ...options.headers } });

describe('answers', () => {
  it('gives the controller a validated body and sends what it returns with the declared status', async () => {
    const answer = await call('POST', '/things', { key: 'good', body: PERSON });
    expect(answer).toMatchObject({ status: 202, json: { email: 'maria@example.org' } });
    expectLimits(answer);
  });

  it('sends a charged answer as it is, with what it cost', async () => {
    const answer = await call('POST', '/things/charged', { key: 'good', body: PERSON });
    expect(answer.text).toBe('{"email":"maria@example.org"}');
    expect(answer.headers).toMatchObject({
      'x-credits-charged': '1',
      'x-credits-balance': '41',
      'x-ledger-revision': '7',
    });
  });

  it('answers 204 without a body', async () => {
    expect(await call('DELETE', '/things/known', { key: 'good' })).toMatchObject({ status: 204, text: '' });
  });

  it('answers HEAD where GET does, without a body', async () => {
    const head = await call('HEAD', '/things', { key: 'good' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    expectLimits(head);
  });

  it('takes numbers and dates out of query strings and fills in defaults', async () => {
    const { json } = await call('GET', '/things?limit=5&end_date=2026-02-28', { key: 'good' });
    expect(json).toMatchObject({ limit: 5, end_date: '2026-03-01T00:00:00.000Z' });
    expect((await call('GET', '/things', { key: 'good' })).json['limit']).toBe(100);
  });

  it('takes a request without a body for one without fields', async () => {
    expectError(await call('POST', '/things', { key: 'good' }), 400, 'MISSING_FIELD');
    expectError(await call('POST', '/things', { key: 'good', body: '' }), 400, 'MISSING_FIELD');
    expect((await call('POST', '/issue', { headers: { Authorization: 'Bearer issuer' } })).status).toBe(200);
  });
});

describe('request ids', () => {
  const accepted = [
    '0f8fad5b-d9cb-469f-a165-70867728950e',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '0123456789abcdef',
    'f'.repeat(64),
  ];
  it.each(accepted)('keeps %s', async (id) => {
    const answer = await call('GET', '/open', { headers: { 'X-Request-Id': id } });
    expect(answer.headers['x-request-id']).toBe(id);
  });

  it.each(['maria', 'f'.repeat(65), '0123456789abcde', '0f8fad5b-d9cb-469f-a165-7086772895 0e', ''])(
    'replaces %p',
    async (id) => {
      const answer = await call('GET', '/open', { headers: { 'X-Request-Id': id } });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe('who may call', () => {
  it.each([
    [undefined, 'MISSING_API_KEY'],
    ['', 'MISSING_API_KEY'],
    ['wrong', 'INVALID_API_KEY'],
    ['expired', 'EXPIRED_API_KEY'],
    ['suspended', 'ACCOUNT_DISABLED'],
    ['narrow', 'FORBIDDEN'],
  ])('refuses the key %p with 403 %s, before it looks at the body', async (key, code) => {
    expectError(await call('POST', '/things', { ...(key === undefined ? {} : { key }), body: '{' }), 403, code);
  });

  it.each(['', 'Bearer', 'Bearer bad', 'Basic YTpi'])(
    'refuses the authorization %p with 401',
    async (authorization) => {
      const answer = await call('POST', '/issue', { headers: { Authorization: authorization } });
      expectError(answer, 401, 'INVALID_TOKEN');
      const challenge =
        authorization === 'Bearer bad' ? 'Bearer realm="kyc", error="invalid_token"' : 'Bearer realm="kyc"';
      expect(answer.headers['www-authenticate']).toBe(challenge);
    },
  );

  it('records what an operator is let through to do before it is done, and does nothing that it cannot record', async () => {
    const { recorded } = app.operators;
    recorded.length = 0;
    const asAdmin = { headers: { Authorization: 'Bearer admin' } };
    let before = -1;
    app.scenario.operation = () => ({ before: (before = recorded.length) });
    await call('POST', '/admin/things', asAdmin);
    expect(before).toBe(1);
    expect(recorded).toEqual([
      expect.objectContaining({
        operatorHash: 'admin',
        roles: ['admin'],
        action: 'POST /admin/things',
        tenantId: null,
      }),
    ]);
    app.operators.fails = true;
    const { calls } = app.scenario;
    expect((await call('POST', '/admin/things', asAdmin)).status).toBe(503);
    expect(app.scenario.calls).toBe(calls);
    app.operators.fails = false;
    await call('POST', '/admin/things', { headers: { Authorization: 'Bearer support' } });
    await call('GET', '/things', { key: 'good' });
    expect(recorded).toHaveLength(1);
  });

  it('refuses a token without the scope and an operator without the role with 403', async () => {
    expectError(await call('POST', '/issue', { headers: { Authorization: 'Bearer reader' } }), 403, 'FORBIDDEN');
    expectError(
      await call('POST', '/admin/things', { headers: { Authorization: 'Bearer support' } }),
      403,
      'FORBIDDEN',
    );
    expect((await call('POST', '/admin/things', { headers: { Authorization: 'Bearer admin' } })).status).toBe(201);
  });

  it('answers 503 where it cannot find out, and counts that against nobody', async () => {
    const headers = fromNewAddress();
    for (let request = 0; request < 70; request += 1) {
      expectError(await app.call('POST', '/things', { key: 'store-down', headers, body: PERSON }), 503, 'UNAVAILABLE');
    }
    expect(await app.call('GET', '/open', { headers })).toMatchObject({
      status: 200,
      headers: { 'x-ratelimit-remaining': '59' },
    });
  });
});

describe('limits', () => {
  it('counts callers without an account per address, refused ones not', async () => {
    const headers = fromNewAddress();
    const codes = new Map<string, number>();
    for (let request = 0; request < 40; request += 1) {
      const { status, json } = await app.call('GET', '/open', { headers });
      const code = typeof json['error_code'] === 'string' ? json['error_code'] : String(status);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(codes.get('BURST_EXCEEDED')).toBeGreaterThanOrEqual(10);
    const answer = await app.call('GET', '/open', { headers });
    expectError(answer, 429, 'BURST_EXCEEDED');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answer.headers['x-ratelimit-limit']).toBe('60');
    expect((await call('GET', '/open')).status).toBe(200);
  });

  it("limits guessing of keys by address, and leaves the address's good keys alone", async () => {
    const headers = fromNewAddress();
    const attempts = await Promise.all(
      Array.from({ length: 30 }, (_, index) => app.call('GET', '/things', { key: `guess-${index}`, headers })),
    );
    expect(attempts.filter(({ status }) => status === 403)).toHaveLength(15);
    expect(attempts.filter(({ status }) => status === 429)).toHaveLength(15);
    expect((await app.call('GET', '/things', { key: 'good', headers })).status).toBe(200);
  });

  it('asks nobody about a key from an address that has used up its limit', async () => {
    const headers = fromNewAddress();
    const guess = (key: string): Promise<Answer> => app.call('GET', '/things', { key, headers });
    const before = app.authenticator.lookUps;
    const codes: number[] = [];
    for (let n = 0; n < 30; n += 1) codes.push((await guess(`guess-${n}`)).status);
    expect(codes.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(app.authenticator.lookUps - before).toBe(codes.filter((status) => status === 403).length);
    const refused = await guess('narrow');
    expectError(refused, 429, 'BURST_EXCEEDED');
    expect(refused.headers['x-ratelimit-limit']).toBe('60');
  });

  it('counts an account over all addresses and answers what is left', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => call('GET', '/things', { key: 'slow' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(18);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers).toMatchObject({ 'x-ratelimit-limit': '75', 'x-ratelimit-remaining': '57' });
  });

  it('does not limit health and metrics, but tells the limits there too', async () => {
    const headers = fromNewAddress();
    for (let request = 0; request < 70; request += 1) {
      const answer = await app.call('GET', '/health/live', { headers });
      expect(answer.status).toBe(200);
      expectLimits(answer);
    }
  });

  it('believes only the last forwarded address, and none that is not an address', async () => {
    const ipOf = async (forwarded: string): Promise<unknown> =>
      (await app.call('GET', '/things', { key: 'good', headers: { 'X-Forwarded-For': forwarded } })).json['ip'];
    expect(await ipOf('203.0.113.9, 198.51.100.7')).toBe('198.51.100.7');
    expect(await ipOf('maria@example.org')).toBe('127.0.0.1');
    expect(await ipOf('::ffff:198.51.100.8')).toBe('198.51.100.8');
  });
});

describe('documents', () => {
  it('describes itself in OpenAPI 3.1, with errors, headers and credentials', async () => {
    const { status, json, headers } = await call('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/json');
    expect(json['openapi']).toBe('3.1.0');
    const operation = (json['paths'] as Record<string, Record<string, Record<string, unknown>>>)['/things/charged']?.[
      'post'
    ];
    const responses = operation?.['responses'] as Record<string, { headers?: object }>;
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['200', '400', '402', '403', '409', '422', '429', '500', '503', '504']),
    );
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['X-Credits-Charged', 'X-Request-Id', 'X-RateLimit-Limit']),
    );
    expect(operation?.['security']).toEqual([{ apiKey: ['eligibility'] }]);
    expect(JSON.stringify(operation?.['requestBody'])).toContain('PersonBody');
  });

  it('shows readable documentation without a redirect or anything from elsewhere', async () => {
    const { status, text, headers } = await call('GET', '/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/html');
    expect(text).toContain('/things/charged');
    expect(text).not.toMatch(/<script|<link|<img|src=|url\(/);
  });
});

describe('health, metrics and logs', () => {
  it('is ready while every needed part is up, and names each', async () => {
    let postgres: 'up' | 'down' = 'up';
    app.health.register('postgres', true, () => postgres);
    app.health.register('queue', false, () => Promise.reject(new Error('gone')));
    expect(await call('GET', '/health/ready')).toMatchObject({
      status: 200,
      json: { status: 'degraded', parts: { postgres: 'up', queue: 'down' } },
    });
    postgres = 'down';
    expect(await call('GET', '/health/ready')).toMatchObject({
      status: 503,
      json: { status: 'down', error_code: 'UNAVAILABLE' },
    });
  });

  it('measures requests by route template and status', async () => {
    await call('GET', '/things/known', { key: 'good' });
    const { text } = await call('GET', '/metrics');
    expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/things\/:id",status="200"\} \d+/);
  });

  it('logs one line a request, without anything that the caller sent', async () => {
    const before = app.logs.length;
    const address = fromNewAddress();
    const headers = { ...address, 'User-Agent': 'secret-agent' };
    await call('POST', '/things?email=maria', { key: 'good', body: PERSON, headers });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const lines = app.logs.slice(before);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      method: 'POST',
      route: '/things',
      status: 202,
      tenant_id: 't01arz3ndektsv4rrffq69g5fav',
    });
    for (const told of ['maria', 'example', 'secret-agent', ...Object.values(address)]) {
      expect(lines[0]?.toLowerCase()).not.toContain(told);
    }
  });
});
