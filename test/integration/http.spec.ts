import 'reflect-metadata';
import { type RejectionCode } from '../../src/kernel/contract.js';
import { systemClock } from '../../src/kernel/clock.js';
import { refuse } from '../../src/kernel/rejection.js';
import { type Conclusion, noteChanges } from '../../src/http/operator-trail.js';
import { type OperatorPrincipal, type RequestContext } from '../../src/http/request-context.js';
import { MemoryRateLimiter } from '../../src/platform/rate-limit/memory-rate-limiter.js';
import { ManualClock } from '../support/manual-clock.js';
import { type Answer, type CallOptions, fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';

import { expectError, expectLimits } from './http-expectations.js';

let app: TestApp;

beforeAll(async () => {
  // Its limits see one moment: no request is let through because others took long.
  app = await startTestApp({ limiter: new MemoryRateLimiter(new ManualClock(Date.now())) });
});

afterAll(() => app.close());

beforeEach(() => {
  app.scenario.operation = (_context, body) => ({ email: body.email });
});

const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  app.call(method, path, { ...options, headers: { ...fromNewAddress(), ...options.headers } });

const refusing = (code: RejectionCode): never => {
  throw refuse(code);
};

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

  it.each<[string, () => unknown, number, Partial<Conclusion>]>([
    ['done', () => ({}), 201, { outcome: 'done', status: 201, code: null }],
    ['refused', () => refusing('account_state_conflict'), 409, { outcome: 'refused', status: 409, code: 'CONFLICT' }],
    ['unknown', () => refusing('timeout'), 504, { outcome: 'unknown', status: 504, code: 'TIMEOUT' }],
  ])('records that a request of an operator is %s, with what it changed', async (_, operation, status, conclusion) => {
    const { concluded } = app.operators;
    concluded.length = 0;
    const changes = [{ field: 'tier', from: 'starter', to: 'growth' }];
    app.scenario.operation = (context) => {
      expect(concluded).toEqual([]);
      noteChanges(context as RequestContext<OperatorPrincipal>, changes);
      return operation();
    };
    const answer = await call('POST', '/admin/things', { headers: { Authorization: 'Bearer admin' } });
    expect(answer.status).toBe(status);
    expect(concluded).toEqual([['POST /admin/things', { ...conclusion, changes }]]);
  });

  it('answers as it would where the outcome cannot be recorded, and says so in its log', async () => {
    app.operators.failsToConclude = true;
    app.scenario.operation = () => ({ ok: true });
    const answer = await call('POST', '/admin/things', { headers: { Authorization: 'Bearer admin' } });
    app.operators.failsToConclude = false;
    expect([answer.status, answer.json]).toEqual([201, { ok: true }]);
    expect(app.logs.at(-1) + String(app.logs.at(-2))).toContain('stays unknown');
  });

  it('notes no changes of a tenant', async () => {
    app.operators.concluded.length = 0;
    app.scenario.operation = (context) => {
      noteChanges(context as RequestContext<OperatorPrincipal>, [{ field: 'tier' }]);
      return { changes: context.changes };
    };
    expect((await call('POST', '/things', { key: 'good', body: PERSON })).json).toEqual({});
    expect(app.operators.concluded).toEqual([]);
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
    expect(Object.fromEntries(codes)).toEqual({ 200: 15, BURST_EXCEEDED: 25 });
    const answer = await app.call('GET', '/open', { headers });
    expectError(answer, 429, 'BURST_EXCEEDED');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answer.headers['x-ratelimit-limit']).toBe('60');
    expect((await call('GET', '/open')).status).toBe(200);
  });

  it("limits guessing of keys by address, and leaves the address's good keys alone", async () => {
    const headers = fromNewAddress();
    const attempts = await Promise.all(
      Array.from({ length: 30 }, (_, index) => app.call('GET', '/things', { key: `junk-${index}`, headers })),
    );
    expect(attempts.filter(({ status }) => status === 403)).toHaveLength(15);
    expect(attempts.filter(({ status }) => status === 429)).toHaveLength(15);
    expect((await app.call('GET', '/things', { key: 'good', headers })).status).toBe(200);
  });

  it.each([{}, { key: 'junk' }, { key: 'junk', headers: { Authorization: 'Bearer bad' } }])(
    'lets a good key in that it meets for the first time, whatever junk came from its address before (%j)',
    async (junk) => {
      const headers = fromNewAddress();
      const post = (call: CallOptions) =>
        app.call('GET', '/things', { ...call, headers: { ...call.headers, ...headers } });
      const refused = await Promise.all(Array.from({ length: 70 }, () => post(junk)));
      expect(refused.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
      expectError(await post(junk), 429, 'BURST_EXCEEDED');
      const { status, headers: responseHeaders } = await post({ key: 'unmet' });
      expect([status, responseHeaders['x-ratelimit-limit']]).toEqual([200, '1000000']);
    },
  );

  it('counts a wrong key that could be a good one by itself: neither its address nor another key suffers', async () => {
    const headers = fromNewAddress();
    const guess = (key: string): Promise<Answer> => app.call('GET', '/things', { key, headers });
    const before = app.authenticator.lookUps;
    const codes: number[] = [];
    for (let n = 0; n < 30; n += 1) codes.push((await guess('wrong-again-and-again')).status);
    expect(codes.filter((status) => status === 403)).toHaveLength(15);
    expect(app.authenticator.lookUps - before).toBe(15);
    expectError(await guess('wrong-again-and-again'), 429, 'BURST_EXCEEDED');
    expectError(await guess('another-wrong-one'), 403, 'INVALID_API_KEY');
    expect((await app.call('GET', '/open', { headers })).headers['x-ratelimit-remaining']).toBe('59');
  });

  it('does not refuse the first requests of a good key that come all at once', async () => {
    const headers = fromNewAddress();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => app.call('GET', '/things', { key: 'unmet', headers })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200);
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
    expect(await ipOf('maria@example.org')).toBeNull();
    expect(await ipOf('::ffff:198.51.100.8')).toBe('198.51.100.8');
  });
});

describe('caches', () => {
  it.each([
    ['POST', '/things', { key: 'good', body: PERSON }],
    ['POST', '/things/charged', { key: 'good', body: PERSON }],
    ['GET', '/things', { key: 'good' }],
    ['HEAD', '/things', { key: 'good' }],
    ['DELETE', '/things/known', { key: 'good' }],
    ['GET', '/things/unknown', { key: 'good' }],
    ['GET', '/things', {}],
    ['GET', '/nowhere', { key: 'good' }],
    ['PUT', '/things', { key: 'good' }],
    ['POST', '/issue', { headers: { Authorization: 'Bearer issuer' } }],
    ['GET', '/health/ready', {}],
    ['GET', '/metrics', {}],
  ] as const)('keep nothing of %s %s (%j), and tell callers apart', async (method, path, options) => {
    const { headers } = await call(method, path, options);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: 'X-API-Key, Authorization' });
  });

  it.each(['/open', '/health/live', '/things/failing/surprise'])('keep nothing of %s', async (path) =>
    expect((await call('GET', path)).headers['cache-control']).toBe('no-store'),
  );

  it.each(['/openapi.json', '/docs'])(
    'may keep %s for a while, which is the same for all, but no error of it',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await call(method, path);
        expect([status, headers['cache-control'], headers.vary]).toEqual([
          200,
          'public, max-age=300',
          'Accept-Encoding',
        ]);
      }
      const headers = fromNewAddress();
      for (let request = 0; request < 30; request += 1) await app.call('GET', '/open', { headers });
      expectError(await app.call('GET', path, { headers }), 429, 'BURST_EXCEEDED');
    },
  );
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
    const management = (json['paths'] as Record<string, { get: object }>)['/metrics']?.get;
    expect(management).toMatchObject({
      security: [{ operatorToken: [] }],
      responses: { '200': {}, '401': {}, '403': {} },
    });
  });

  it('shows readable documentation without a redirect or anything from elsewhere', async () => {
    const { status, text, headers } = await call('GET', '/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/html');
    expect(text).toContain('/things/charged');
    expect(text).toContain('id="errors-insufficient-credits"');
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(text).not.toMatch(/<script>|<style|style=/);
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  });
});

describe('files of the documentation', () => {
  it.each(['docs', 'openapi.json', 'docs/docs.css', 'docs/docs.browser.js'])(
    'serves %s, compressed where the reader takes that',
    async (name) => {
      const plain = await fetch(`${app.url}/${name}`, { headers: { 'Accept-Encoding': 'identity' } });
      const zipped = await fetch(`${app.url}/${name}`, { headers: { 'Accept-Encoding': 'gzip' } });
      expect([plain.status, zipped.status]).toEqual([200, 200]);
      expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([null, 'gzip']);
      expect(await zipped.text()).toBe(await plain.text());
    },
  );
});

describe('today', () => {
  it("is the injected clock's, for who is born on the day that begins first on Earth", async () => {
    let now = '2026-11-22T09:59:59.999Z';
    const kiribati = await startTestApp({ clock: { ...systemClock, now: () => new Date(now) } });
    const born = async (date_of_birth: string): Promise<unknown> => {
      const { status, json } = await kiribati.call('POST', '/things', {
        key: 'good',
        body: { ...PERSON, date_of_birth },
      });
      return status === 202 ? status : json['error_code'];
    };
    expect([await born('2026-11-23'), await born('1899-12-31')]).toEqual(['INVALID_DATE', 'INVALID_DATE']);
    now = '2026-11-22T10:00:00.000Z';
    expect([await born('2026-11-23'), await born('1900-01-01')]).toEqual([202, 202]);
    await kiribati.close();
  });
});
