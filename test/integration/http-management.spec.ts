import 'reflect-metadata';
import { eventually } from '../support/stack.js';
import { type Answer, type CallOptions, fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  app.call(method, path, { ...options, headers: { ...fromNewAddress(), ...options.headers } });

describe('health, metrics and logs', () => {
  it('is ready while every needed part is up: tells anybody that much, and operators the parts', async () => {
    let postgres: 'up' | 'down' = 'up';
    let looks = 0;
    app.health.register('postgres', true, () => ((looks += 1), postgres));
    app.health.register('queue', false, () => Promise.reject(new Error('gone')));
    const ready = () => call('GET', '/health/ready');
    const readyInFull = () => call('GET', '/health/ready', { headers: { Authorization: 'Bearer support' } });
    const answers = await Promise.all(Array.from({ length: 20 }, ready));
    for (const { status, json } of answers) expect([status, json]).toEqual([200, { status: 'degraded' }]);
    expect((await readyInFull()).json).toEqual({ status: 'degraded', parts: { postgres: 'up', queue: 'down' } });
    expect(looks).toBe(1);
    postgres = 'down';
    await eventually('the next look', async () => (await ready()).status === 503, 3_000);
    const { json } = await ready();
    expect(json).toEqual({
      status: 'down',
      detail: expect.any(String) as string,
      error_code: 'UNAVAILABLE',
      request_id: expect.any(String) as string,
    });
    expect((await readyInFull()).json).toMatchObject({ status: 'down', parts: { postgres: 'down', queue: 'down' } });
    expect(looks).toBeLessThanOrEqual(3);
  });

  it.each(['/health/ready', '/metrics'])('takes no token that is none at %s', async (path) => {
    const answer = (token: string) => call('GET', path, { headers: { Authorization: `Bearer ${token}` } });
    expect(await answer('bad')).toMatchObject({ status: 401, json: { error_code: 'INVALID_TOKEN' } });
    expect(await answer('nobody')).toMatchObject({ status: 403, json: { error_code: 'FORBIDDEN' } });
  });

  it('shows metrics to operators alone, and records no scrape', async () => {
    const { status, json, headers } = await call('GET', '/metrics');
    expect([status, json['error_code']]).toEqual([401, 'INVALID_TOKEN']);
    expect(headers['www-authenticate']).toMatch(/^Bearer /);
    expect((await call('GET', '/metrics', { key: 'good' })).status).toBe(401);
    const recorded = app.operators.recorded.length;
    for (const role of ['support', 'admin', 'security']) {
      expect((await call('GET', '/metrics', { headers: { Authorization: `Bearer ${role}` } })).status).toBe(200);
    }
    expect(app.operators.recorded).toHaveLength(recorded);
  });

  it('measures requests by route template and status', async () => {
    await call('GET', '/things/known', { key: 'good' });
    const { text } = await call('GET', '/metrics', { headers: { Authorization: 'Bearer support' } });
    expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/things\/:id",status="200"\} \d+/);
  });

  it('logs one line a request, without anything that the caller sent', async () => {
    const before = app.logs.length;
    const address = fromNewAddress();
    const headers = { ...address, 'User-Agent': 'secret-agent' };
    await call('POST', '/things?email=maria', { key: 'good', body: PERSON, headers });
    const lines = await eventually('the line', () => app.logs.length > before && app.logs.slice(before));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      method: 'POST',
      route: '/things',
      status: 422,
      error_code: 'INVALID_FIELD',
      tenant_id: 't01arz3ndektsv4rrffq69g5fav',
      key_id: expect.any(String) as string,
    });
    for (const personalText of ['maria', 'example', 'secret-agent', ...Object.values(address)]) {
      expect(lines[0]?.toLowerCase()).not.toContain(personalText);
    }
  });

  it('names in the line of a refused request the error, and the account and key if they are valid', async () => {
    const before = app.logs.length;
    await call('GET', '/nowhere', { key: 'good' });
    await call('GET', '/nowhere', { key: 'bad' });
    const lines = await eventually('both lines', () => app.logs.length >= before + 2 && app.logs.slice(before));
    const [known, unknown] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(known).toMatchObject({ error_code: 'NOT_FOUND', tenant_id: 't01arz3ndektsv4rrffq69g5fav' });
    expect(known).toHaveProperty('key_id');
    expect(unknown).toHaveProperty('error_code');
    expect(unknown).not.toHaveProperty('tenant_id');
    expect(unknown).not.toHaveProperty('key_id');
  });
});
