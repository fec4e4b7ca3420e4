import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Agent, request } from 'node:http';
import { REJECTION_CODES } from '../../src/kernel/contract.js';
import { type Clock, systemClock } from '../../src/kernel/clock.js';
import { refuse } from '../../src/kernel/rejection.js';
import { refusalOf } from '../../src/http/failure.js';
import { MemoryRateLimiter } from '../../src/platform/rate-limit/memory-rate-limiter.js';
import { type Answer, type CallOptions, fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';
import { expectError, sendBytes } from './http-expectations.js';

let app: TestApp;

/** Each request falls into a minute of its own: those that no header tells apart meet no limit, however quick the machine. */
const aMinuteLaterEachTime = (): Clock => {
  let minutes = 0;
  return { ...systemClock, now: () => new Date(60_000 * ++minutes) };
};

beforeAll(async () => {
  app = await startTestApp({ limiter: new MemoryRateLimiter(aMinuteLaterEachTime()) });
});

afterAll(() => app.close());

beforeEach(() => {
  app.scenario.operation = (_context, body) => ({ email: body.email });
});

const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  app.call(method, path, { ...options, headers: { ...fromNewAddress(), ...options.headers } });

describe('errors', () => {
  it.each(REJECTION_CODES)('gives %s its status', async (code) => {
    const { status, code: errorCode } = refusalOf(code);
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

  it.each([
    [
      'the scope that a key lacks',
      '/things',
      { key: 'narrow' },
      403,
      'FORBIDDEN',
      'The API key lacks the scope ingest',
    ],
    [
      'the scope that a token lacks',
      'POST /issue',
      { headers: { Authorization: 'Bearer tenant' } },
      403,
      'FORBIDDEN',
      'The access token lacks the scope credentials:issue: it is looked for in the claim scope',
    ],
    [
      'the roles of which a token has none',
      'POST /admin/things',
      { headers: { Authorization: 'Bearer nobody' } },
      403,
      'FORBIDDEN',
      'The access token has none of the roles admin in the claim roles',
    ],
    [
      'an API key sent as bearer token',
      '/things',
      { headers: { Authorization: 'Bearer kyc_sandbox_abc' } },
      403,
      'MISSING_API_KEY',
      'The API key stands in the header Authorization; send it in the header X-API-Key',
    ],
    [
      'a token where a key belongs',
      '/things',
      { headers: { Authorization: 'Bearer issuer' } },
      403,
      'MISSING_API_KEY',
      'This path takes an API key in the header X-API-Key, not a bearer token',
    ],
    [
      'an API key where a token belongs, sent as bearer token',
      'POST /issue',
      { headers: { Authorization: 'Bearer kyc_live_abc' } },
      401,
      'INVALID_TOKEN',
      'An API key was sent as bearer token; this path takes an access token of the identity provider',
    ],
    [
      'an API key where a token belongs',
      'POST /issue',
      { key: 'good' },
      401,
      'INVALID_TOKEN',
      'This path takes an access token in the header Authorization: Bearer <token>, not an API key',
    ],
    [
      'where a body stops being JSON',
      'POST /things',
      { key: 'good', body: '{\n  "email": "maria@example.org"\n  "tier": 1}' },
      400,
      'INVALID_JSON',
      'The body is not valid JSON: line 3, column 3: a comma is expected',
    ],
    [
      'why a phone number is none',
      'POST /things',
      { key: 'good', body: { ...PERSON, phone_number: '+1202555012' } },
      422,
      'INVALID_PHONE',
      'phone_number: A number of 9 digits after +1 has an impossible length for +1',
    ],
  ])('tells of %s', async (_case, target, options, status, code, detail) => {
    const [path = '', method = 'GET'] = target.split(' ').reverse();
    const answer = await call(method, path, options);
    expectError(answer, status, code);
    expect(answer.json['detail']).toBe(detail);
  });

  it('refers to the chapter of its code', async () =>
    expect((await call('GET', '/nowhere')).json['doc_url']).toMatch(/^http.*\/docs#errors-not-found$/));

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
    expect((await sendBytes(app.url, `${head}${chunks}0\r\n\r\n`)).json['error_code']).toBe('PAYLOAD_TOO_LARGE');
  });

  it.each([true, false])('lets whoever still sends too much hear so, and go on (announced: %s)', async (announced) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = Buffer.alloc(8 * 1_048_576, 'x');
    const length = announced ? { 'content-length': body.length } : {};
    const headers = { ...fromNewAddress(), 'x-api-key': 'good', 'content-type': 'application/json', ...length };
    const post = (): Promise<readonly (number | undefined)[]> =>
      new Promise((resolve, reject) => {
        const sending = request(`${app.url}/things`, { method: 'POST', agent, headers }, (answer) => {
          const port = sending.socket?.localPort;
          answer.resume().once('end', () => resolve([answer.statusCode, port]));
        });
        sending.once('error', reject);
        sending.end(body);
      });
    const answers = [await post(), await post(), await post()];
    agent.destroy();
    expect(answers.map(([status]) => status)).toEqual([413, 413, 413]);
    expect(new Set(answers.map(([, port]) => port)).size).toBe(1);
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

  it('answers 415 to a body that is said to be compressed', async () => {
    const answer = await call('POST', '/things', {
      key: 'good',
      body: PERSON,
      headers: { 'Content-Encoding': 'gzip' },
    });
    expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['utf-16', 'UTF-16LE', '"iso-8859-1"', 'latin1', 'windows-1252', ''])(
    'answers 415 to a body that is said to be in the charset %s',
    async (charset) => {
      const headers = { 'Content-Type': `application/json; charset=${charset}` };
      const answer = await call('POST', '/things', { key: 'good', body: PERSON, headers });
      expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    },
  );

  it.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'us-ascii'])('takes the charset %s', async (charset) => {
    const headers = { 'Content-Type': `application/json; charset=${charset}` };
    expect((await call('POST', '/things', { key: 'good', body: PERSON, headers })).status).toBe(202);
  });

  it('takes application/json with parameters', async () => {
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    expect((await call('POST', '/things', { key: 'good', body: PERSON, headers })).status).toBe(202);
  });

  it.each(['{', '[]', '"text"', 'null', '12', 'true', '{"a":1}x', '[{}]'])(
    'answers 400 INVALID_JSON to %s',
    async (body) => expectError(await call('POST', '/things', { key: 'good', body }), 400, 'INVALID_JSON'),
  );

  it.each([
    '"__proto__":{"polluted":1}',
    '"constructor":{"prototype":{"polluted":1}}',
    '"a":[{"__proto__":{"polluted":1}}]',
  ])('ignores the unknown member %s like any other, and touches no prototype', async (member) => {
    const body = `${JSON.stringify(PERSON).slice(0, -1)},${member}}`;
    expect((await call('POST', '/things', { key: 'good', body })).status).toBe(202);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('takes no field out of a __proto__ of the body', async () => {
    const body = JSON.stringify(PERSON).replace('{', '{"__proto__":{').concat('}');
    expectError(await call('POST', '/things', { key: 'good', body }), 400, 'MISSING_FIELD');
  });

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

  it.each([
    ['twice in the body', (text: string) => text.replace('{', '{"email":"other@example.org",'), 'email'],
    [
      'the second time by an escape',
      (text: string) => text.replace('{', '{"\\u0065mail":"other@example.org",'),
      'email',
    ],
    ['in an object of the body', (text: string) => text.replace(/}$/, ',"extra_data":{"note":1,"note":2}}'), 'note'],
    [
      'deep in a list',
      (text: string) => text.replace(/}$/, ',"extra_data":{"list":[1,{"deep":[{"n\\u006Fte":1,"note":{"note":1}}]}]}}'),
      'note',
    ],
    [
      'with an object that the second one hides',
      (text: string) => text.replace(/}$/, ',"a":{"b":{"c":1}},"a":1}'),
      'a',
    ],
    ['of an empty name', (text: string) => text.replace(/}$/, ',"extra_data":{"":1,"":2}}'), '""'],
    ['of the name __proto__', (text: string) => text.replace(/}$/, ',"__proto__":1,"__proto__":{}}'), '__proto__'],
  ])('answers 400 INVALID_JSON to a name that stands %s, and says which', async (_, twice, name) => {
    const before = app.scenario.calls;
    const answer = await call('POST', '/things', { key: 'good', body: twice(JSON.stringify(PERSON)) });
    expectError(answer, 400, 'INVALID_JSON');
    expect(answer.json['detail']).toContain(name);
    expect(app.scenario.calls).toBe(before);
  });

  it('takes a name again in another object, and in a text', async () => {
    const extra = '{"a":{"a":{"a":"\\"a\\":1,\\"a\\":2"}},"b":[{"a":1},{"a":1}],"A":1,"a ":{}}';
    const body = JSON.stringify(PERSON).replace(/}$/, `,"extra_data":${extra}}`);
    expect((await call('POST', '/things', { key: 'good', body })).status).toBe(202);
  });

  it('answers 400 INVALID_JSON to what is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"full_name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expectError(await call('POST', '/things', { key: 'good', body }), 400, 'INVALID_JSON');
  });

  it.each([
    ['CONNECT /things', '', 405, 'METHOD_NOT_ALLOWED'],
    ['CONNECT /things', 'Content-Length: 4\r\n\r\nbody', 405, 'METHOD_NOT_ALLOWED'],
    ['CONNECT /nowhere', '', 404, 'NOT_FOUND'],
    ['CONNECT example.org:443', '\r\n\x16\x03\x01', 404, 'NOT_FOUND'],
    ['OPTIONS *', '', 404, 'NOT_FOUND'],
    ['PUT http://a/things', '', 405, 'METHOD_NOT_ALLOWED'],
    ['GET http://a/nowhere', '', 404, 'NOT_FOUND'],
    ['GET /nowhere', 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n', 404, 'NOT_FOUND'],
    ['PROPFIND /things', 'Connection: Upgrade, close\r\nUpgrade: h2c\r\n', 405, 'METHOD_NOT_ALLOWED'],
  ])(
    'answers %s, which is no request for a path or none that is served, as any other',
    async (line, rest, status, code) => {
      const id = randomUUID();
      const from = `X-Forwarded-For: ${fromNewAddress()['X-Forwarded-For'] ?? ''}`;
      const head = `${line} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\n${from}\r\n`;
      const answer = await sendBytes(app.url, `${head}${rest === '' ? 'Connection: close\r\n' : rest}\r\n`);
      expectError(answer, status, code);
      expect(answer.headers['x-request-id']).toBe(id);
      expect(answer.headers['connection']).toBe('close');
      expect(answer.headers['allow']).toBe(status === 405 ? 'GET, HEAD, POST' : undefined);
    },
  );

  it.each([
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'BAD_REQUEST'],
    ['GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n', 400, 'BAD_REQUEST'],
    ['NONSENSE\r\n\r\n', 400, 'BAD_REQUEST'],
    ['POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\n', 400, 'BAD_REQUEST'],
    [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['get HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'BAD_REQUEST'],
    ['\x16\x03\x01\x02\x00', 400, 'BAD_REQUEST'],
    ['FOO /nowhere HTTP/1.1\r\nHost: a\r\n\r\n', 404, 'NOT_FOUND'],
    ['FOO /things HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['get /things?a=b HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
  ])('answers what is not HTTP, or of an unknown method, with the same body (%#)', async (bytes, status, code) => {
    const answer = await sendBytes(app.url, bytes);
    expectError(answer, status, code);
    expect(answer.headers['connection']).toBe('close');
    expect(answer.headers['allow']).toBe(status === 405 ? 'GET, HEAD, POST' : undefined);
  });
});
