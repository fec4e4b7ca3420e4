import 'reflect-metadata';
import { connect } from 'node:net';
import fc from 'fast-check';
import { refuse } from '../../src/kernel/rejection.js';
import { REFUSALS } from '../../src/platform/http/failure.js';
import { type Answer, type CallOptions, fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';

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

const expectError = (answer: Answer, status: number, code: string): void => {
  expect({ status: answer.status, code: answer.json['error_code'] }).toEqual({ status, code });
  const members = Object.keys(answer.json).filter((name) => name !== 'errors');
  expect(members).toEqual(['detail', 'error_code', 'request_id']);
  expect(answer.json['request_id']).toBe(answer.headers['x-request-id']);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expectLimits(answer);
};

const expectLimits = (answer: Answer): void => {
  expect(answer.headers['x-ratelimit-limit']).toMatch(/^\d+$/);
  expect(answer.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
  expect(Number(answer.headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1_000 - 1);
};

/** Sends bytes as they are and reads until the connection closes. */
const sendBytes = (bytes: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (data) => (received += data.toString()));
    socket.on('error', reject);
    socket.setTimeout(3_000, () => socket.destroy(new Error('no answer')));
    socket.on('close', () => {
      const [head = '', text = ''] = received.split('\r\n\r\n');
      const [line = '', ...lines] = head.split('\r\n');
      const headers: Record<string, string> = {};
      for (const header of lines) headers[(header.split(': ')[0] ?? '').toLowerCase()] = header.split(': ')[1] ?? '';
      resolve({ status: Number(line.split(' ')[1]), headers, text, json: JSON.parse(text) as Record<string, unknown> });
    });
  });

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
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
    },
  );

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

describe('errors', () => {
  it.each(Object.entries(REFUSALS))('gives %s its status', async (code, { status, code: errorCode }) => {
    const answer = await call('GET', `/things/failing/${code}`);
    expectError(answer, status, errorCode);
    expect(answer.headers['www-authenticate'] === undefined).toBe(status !== 401);
    if (status === 402) expect(answer.json['detail']).toMatch(/^Insufficient Credits - Payment Required/);
  });

  it.each([
    ['unavailable-part', 503, 'UNAVAILABLE'],
    ['invariant', 500, 'INTERNAL_ERROR'],
    ['surprise', 500, 'INTERNAL_ERROR'],
  ])('says nothing of the inside of %s', async (what, status, code) => {
    const before = app.logs.length;
    const answer = await call('GET', `/things/failing/${what}`);
    expectError(answer, status, code);
    expect(answer.text).not.toMatch(/maria|secret|postgres|Error:/);
    const logged = app.logs.slice(before).join('');
    expect(logged).toContain(String(answer.json['request_id']));
    if (what !== 'invariant') expect(logged).not.toContain('maria');
  });

  it('begins every 402 alike, whatever the operation says of it', async () => {
    app.scenario.operation = () => {
      throw refuse('insufficient_credits', { detail: '1 credit is left' });
    };
    const { json } = await call('POST', '/things', { key: 'good', body: PERSON });
    expect(json['detail']).toBe('Insufficient Credits - Payment Required: 1 credit is left');
  });

  it('names the field that an operation refuses', async () => {
    app.scenario.operation = () => {
      throw refuse('invalid_field', { field: 'tier', detail: 'Ask our sales' });
    };
    const { json } = await call('POST', '/things', { key: 'good', body: PERSON });
    expect(json).toMatchObject({
      detail: 'Ask our sales',
      errors: [{ field: 'tier', code: 'INVALID_FIELD', detail: 'Ask our sales' }],
    });
  });

  it.each([
    '/nothing',
    '/things/a/b/c',
    '/things/',
    '//',
    '/%zz',
    '/things/%E0%A4%A',
    `/things/${'x'.repeat(300)}`,
    '/THINGS',
  ])('answers 404 at %s', async (path) => expectError(await call('GET', path, { key: 'good' }), 404, 'NOT_FOUND'));

  it.each([
    ['PUT', '/things', 'GET, HEAD, POST'],
    ['OPTIONS', '/things', 'GET, HEAD, POST'],
    ['PATCH', '/things/known', 'DELETE, GET, HEAD'],
    ['DELETE', '/open', 'GET, HEAD'],
    ['PROPFIND', '/things', 'GET, HEAD, POST'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['POST', '/health/live', 'GET, HEAD'],
  ])('answers 405 to %s %s and names what is allowed', async (method, path, allow) => {
    const answer = await call(method, path, {
      key: 'good',
      ...(method === 'PUT' ? { body: '{', headers: { 'Content-Type': 'x/y' } } : {}),
    });
    expectError(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.allow).toBe(allow);
  });

  it('answers 413 to more than 1 MiB, announced or not', async () => {
    expectError(
      await call('POST', '/things', { key: 'good', body: JSON.stringify({ a: 'x'.repeat(1_048_576) }) }),
      413,
      'PAYLOAD_TOO_LARGE',
    );
    const chunks = `fffff\r\n${'x'.repeat(0xfffff)}\r\n`.repeat(2);
    const head =
      'POST /things HTTP/1.1\r\nHost: a\r\nX-API-Key: good\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
    expect((await sendBytes(`${head}${chunks}0\r\n\r\n`)).json['error_code']).toBe('PAYLOAD_TOO_LARGE');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'multipart/form-data; boundary=a',
    'nonsense',
  ])('answers 415 to %s', async (type) => {
    const answer = await call('POST', '/things', { key: 'good', body: PERSON, headers: { 'Content-Type': type } });
    expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('takes application/json with parameters', async () => {
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    expect((await call('POST', '/things', { key: 'good', body: PERSON, headers })).status).toBe(202);
  });

  it.each([
    '{',
    '[]',
    '"text"',
    'null',
    '12',
    'true',
    '{"a":1}x',
    '{"__proto__":{"a":1}}',
    '{"a":{"constructor":{"prototype":{}}}}',
    '[{}]',
  ])('answers 400 INVALID_JSON to %s', async (body) =>
    expectError(await call('POST', '/things', { key: 'good', body }), 400, 'INVALID_JSON'),
  );

  it('answers any body at all with 202, 400, 413 or 422, never with 5xx', async () => {
    const member = fc.oneof(
      fc.constantFrom('email', 'phone_number', 'full_name', 'extra_data', 'tier', '__proto__'),
      fc.string(),
    );
    const json = fc
      .dictionary(member, fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(PERSON))))
      .map((body) => JSON.stringify(body));
    const body = fc.oneof(
      json,
      fc.json(),
      fc.string(),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const answer = await call('POST', '/things', { key: 'good', body: sent });
        expect([202, 400, 413, 422]).toContain(answer.status);
        if (answer.status !== 202) expectError(answer, answer.status, answer.json['error_code'] as string);
      }),
      { numRuns: 500 },
    );
  }, 30_000);

  it('answers 400 INVALID_JSON to what is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"full_name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expectError(await call('POST', '/things', { key: 'good', body }), 400, 'INVALID_JSON');
  });

  it.each([
    ['GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n', 400, 'BAD_REQUEST'],
    ['NONSENSE\r\n\r\n', 400, 'BAD_REQUEST'],
    ['POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\n', 400, 'BAD_REQUEST'],
    [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ])('answers what is not HTTP with the same body (%#)', async (bytes, status, code) => {
    const answer = await sendBytes(bytes);
    expectError(answer, status, code);
    expect(answer.headers['connection']).toBe('close');
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
    const headers = { 'User-Agent': 'secret-agent' };
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
    expect(lines[0]).not.toMatch(/maria|example|secret-agent|10\.\d/i);
  });
});
