import { setTimeout as pause } from 'node:timers/promises';
import { runningService } from '../support/running-service.js';

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

describe('a session of the console', () => {
  const service = runningService();

  const send = async (method: string, path: string, headers: Record<string, string>, body?: object): Promise<Reply> => {
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status === 429) {
      // All come from one address, which signs in 60 times a minute at most.
      await pause(1_000 * Number(answer.headers.get('retry-after')));
      return send(method, path, headers, body);
    }
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: text.startsWith('{') ? JSON.parse(text) : {} };
  };

  const OWN = { 'X-Console': '1' };
  const cookieOf = (reply: Reply): string => reply.headers.get('set-cookie')?.split(';')[0] ?? '';

  const signIn = async (body: object, headers = {}): Promise<Reply> =>
    send('POST', '/console/session', { ...OWN, ...headers }, body);

  const signedIn = async (): Promise<string> => {
    const reply = await signIn({ api_key: service.demo().api_key });
    expect(reply.status).toBe(200);
    return cookieOf(reply);
  };

  const link = (): string => new URL(service.demo().console_url).hash.slice('#k='.length);

  it('reads by the rights of its key, and its cookie is out of the reach of scripts and other sites', async () => {
    const reply = await signIn({ api_key: service.demo().api_key });
    expect(reply.headers.get('set-cookie')).toMatch(/; Path=\/console; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    expect(JSON.stringify(reply.json)).not.toContain(service.demo().api_key);
    const answer = await send('GET', '/console/api/billing/credits', { Cookie: cookieOf(reply) });
    expect([answer.status, answer.json['tier']]).toEqual([200, 'starter']);
  });

  it('counts for nothing outside the console: the public API asks for its key', async () => {
    const answer = await send('GET', '/billing/credits', { Cookie: await signedIn() });
    expect([answer.status, answer.json['error_code']]).toEqual([403, 'MISSING_API_KEY']);
  });

  it.each([
    ['without the header of its own page', {}],
    ['from another origin', { ...OWN, Origin: 'https://evil.example' }],
    ['from a page that hides its origin', { ...OWN, Origin: 'null' }],
    ['from another site', { ...OWN, 'Sec-Fetch-Site': 'cross-site' }],
  ])('changes nothing %s', async (_, headers) => {
    const cookie = { Cookie: await signedIn() };
    const path = '/console/api/billing/alerts';
    const answer = await send('PATCH', path, { ...cookie, ...headers }, { alert_thresholds: [42] });
    expect([answer.status, answer.json['error_code']]).toEqual([403, 'FORBIDDEN']);
    const after = await send('GET', path, cookie);
    expect(after.json['alert_thresholds']).not.toEqual([42]);
    const signing = await signIn({ api_key: service.demo().api_key }, { 'X-Console': '', ...headers });
    expect(signing.status).toBe(403);
  });

  it('is read by no page of another site', async () => {
    const headers = { Cookie: await signedIn(), 'Sec-Fetch-Site': 'cross-site' };
    for (const path of ['/console/api/billing/credits', '/console/session'])
      expect([path, (await send('GET', path, headers)).status]).toEqual([path, 403]);
  });

  it('cannot be planted: signing in gives another token, and ends the former', async () => {
    const planted = await signedIn();
    const reply = await signIn({ api_key: service.demo().api_key }, { Cookie: planted });
    expect(cookieOf(reply)).not.toBe(planted);
    const later = async (cookie: string) =>
      (await send('GET', '/console/api/billing/credits', { Cookie: cookie })).status;
    expect([await later(planted), await later(cookieOf(reply))]).toEqual([401, 200]);
    expect(await later(`kyc_console=${'A'.repeat(43)}`)).toBe(401);
    // Another host of the domain could add one of its own.
    expect(await later(`kyc_console=${'A'.repeat(43)}; ${cookieOf(reply)}`)).toBe(401);
  });

  it('ends with a sign-out beside a cookie of another host, and with one in parallel to a switch of its role', async () => {
    const later = async (cookie: string) =>
      (await send('GET', '/console/api/billing/credits', { Cookie: cookie })).status;
    const cookie = await signedIn();
    const both = `kyc_console=${'B'.repeat(43)}; ${cookie}`;
    expect((await send('DELETE', '/console/session', { ...OWN, Cookie: both })).status).toBe(204);
    expect(await later(cookie)).toBe(401);
    const demo = cookieOf(await signIn({ link: link() }));
    const [switched] = await Promise.all([
      send('POST', '/console/session/role', { ...OWN, Cookie: demo }, { role: 'operator' }),
      send('DELETE', '/console/session', { ...OWN, Cookie: demo }),
    ]);
    // One of them found the session; after the other there is none to switch.
    expect([200, 401, 403]).toContain(switched.status);
    expect(await later(demo)).toBe(401);
  });

  it('is begun by its own path alone, so that no kept answer says that it was', async () => {
    const headers = { ...OWN, Cookie: await signedIn(), 'Idempotency-Key': 'sign-in' };
    const body = { api_key: service.demo().api_key };
    expect((await send('POST', '/console/api/console/session', headers, body)).status).toBe(404);
  });

  it('ends with a sign-out, and with its key', async () => {
    const cookie = await signedIn();
    expect((await send('DELETE', '/console/session', { ...OWN, Cookie: cookie })).status).toBe(204);
    expect((await send('GET', '/console/api/billing/credits', { Cookie: cookie })).status).toBe(401);
    const key = { 'X-API-Key': service.demo().api_key };
    const made = await send('POST', '/api/v1/keys', key, { name: 'Console', scopes: ['billing'] });
    const stolen = cookieOf(await signIn({ api_key: String(made.json['api_key']) }));
    expect((await send('GET', '/console/api/billing/credits', { Cookie: stolen })).status).toBe(200);
    expect((await send('DELETE', `/api/v1/keys/${String(made.json['id'])}`, key)).status).toBe(204);
    const refused = await send('GET', '/console/api/billing/credits', { Cookie: stolen });
    expect([refused.status, refused.json['error_code']]).toEqual([403, 'EXPIRED_API_KEY']);
    const shown = await send('GET', '/console/session', { Cookie: stolen });
    expect([shown.status, shown.json['signed_in']]).toEqual([200, false]);
  });

  it('has the rights of one side at a time', async () => {
    const reply = await signIn({ link: link() });
    const tenant = cookieOf(reply);
    expect((await send('GET', '/console/api/admin/accounts', { Cookie: tenant })).status).toBe(403);
    const side = await send('POST', '/console/session/role', { ...OWN, Cookie: tenant }, { role: 'operator' });
    const operator = cookieOf(side);
    expect((await send('GET', '/console/api/admin/accounts', { Cookie: operator })).status).toBe(200);
    expect((await send('GET', '/console/api/billing/credits', { Cookie: operator })).status).toBe(403);
    expect((await send('GET', '/console/api/admin/accounts', { Cookie: tenant })).status).toBe(401);
  });

  it('of a key becomes no operator, and a wrong link nobody', async () => {
    const cookie = await signedIn();
    const side = await send('POST', '/console/session/role', { ...OWN, Cookie: cookie }, { role: 'operator' });
    expect(side.status).toBe(403);
    expect((await signIn({ link: 'A'.repeat(43) })).status).toBe(401);
    const proxied = await signIn({ link: link() }, { 'X-Forwarded-For': '203.0.113.7' });
    expect(proxied.status).toBe(401);
  });

  it('is shown in no frame, and runs nothing of others', async () => {
    const { headers } = await send('GET', '/console/audit', {});
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
      expect(policy).toContain(rule);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });
});
