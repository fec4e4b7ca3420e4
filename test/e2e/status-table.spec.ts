import { randomUUID } from 'node:crypto';
import { Documented } from '../support/checks/documented.js';
import { expectConventions, expectLogged, expectRefusal } from '../support/checks/conventions.js';
import {
  callToNothing,
  costOf,
  DOCUMENTATION,
  type Endpoint,
  ENDPOINTS,
  goodCall,
  rolesOf,
  titleOf,
  withQuery,
} from '../support/endpoints/endpoints.js';
import { freshIdentity } from '../support/endpoints/identities.js';
import { everyTenth, fromSomewhere, keysWithoutScope, type World, worldOf } from '../support/endpoints/world.js';
import { issuerTokenFor } from '../support/credentials.js';
import { Deployment } from '../support/load/deployment.js';
import { type Answer, type Call, freshAddress } from '../support/load/http.js';
import { Pulse } from '../support/load/pulse.js';
import { balanceOf, tokenFor } from '../support/load/tenants.js';

const cases = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => [titleOf(endpoint), endpoint] as const);
const isPost = ({ method, access }: Endpoint): boolean => method === 'POST' && (access === 'key' || access === 'role');
const having = (wanted: (endpoint: Endpoint) => boolean) => cases(ENDPOINTS.filter(wanted));

let deployment: Deployment;
let world: World;
let keyWithout: (scope: string | undefined) => Promise<string>;
let documented: Documented;

/** Every answer here, of success or of error, is one that the OpenAPI document describes. */
const send = async (call: Call): Promise<Answer> =>
  documented.expect(call, await deployment.http.send({ ...fromSomewhere(), ...call }));
const callTo = (endpoint: Endpoint): Promise<Call> => goodCall(endpoint, world);
beforeAll(async () => {
  deployment = await Deployment.start();
  world = await worldOf(deployment);
  keyWithout = keysWithoutScope(world.owner);
  documented = await Documented.by(deployment.http);
}, 60_000);
afterAll(() => deployment.stop());

/** Few calls share one: refused keys have a budget of their own, which a quick machine would use up. */
const revokedKey = everyTenth(async (): Promise<string> => {
  const { id, apiKey } = await world.owner.newKey();
  await deployment.http.expect(204, { method: 'DELETE', path: `/api/v1/keys/${id}`, apiKey: world.owner.apiKey });
  return apiKey;
});

const keyOfSuspended = everyTenth(async (): Promise<string> => {
  const { tenantId, apiKey } = await world.newTenant(10);
  const path = `/admin/accounts/${tenantId}/suspend`;
  await deployment.http.expect(200, { path, token: world.admin, body: { reason: 'For a test' } });
  return apiKey;
});

it('knows every endpoint that the service documents, so that none goes untested', () => {
  const tested = ENDPOINTS.map(titleOf).map((title) => title.replace(' /api/v1/billing/', ' /billing/'));
  expect([...new Set(tested)].sort()).toEqual([...documented.operations].sort());
});

describe('success', () => {
  it.each(cases(ENDPOINTS))('%s answers with its own status', async (_title, endpoint) => {
    const answer = await send(await callTo(endpoint));
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([endpoint.success, answer.text.slice(0, 300)]);
    expectConventions(answer);
    expect(answer.header('x-credits-charged')).toBe(costOf(endpoint) === 0 ? undefined : String(costOf(endpoint)));
    expect(answer.text).not.toContain('"warnings":');
    if (endpoint.path.startsWith('/admin')) await expectLogged(answer, endpoint, world);
  });

  it.each(DOCUMENTATION.map((path) => [path]))('%s answers 200 without a redirect', async (path) => {
    const answer = await send({ path });
    expect(answer.status).toBe(200);
    expectConventions(answer);
  });
});

describe('400', () => {
  const bodies = having(({ body }) => body !== undefined);

  it.each(bodies)('%s: INVALID_JSON for what is not a JSON object', async (_title, endpoint) => {
    const call = callToNothing(endpoint, world);
    for (const raw of ['{', '[]', '"text"', 'null', '7', '{"a":1}}', Buffer.from([0x7b, 0xff, 0x7d])]) {
      expectRefusal(await send({ ...call, raw }), 400, 'INVALID_JSON');
    }
  });

  it.each(having(({ required }) => (required ?? []).length > 0))(
    '%s: MISSING_FIELD for each required field, which outranks invalid ones',
    async (_title, endpoint) => {
      const call = callToNothing(endpoint, world);
      for (const field of endpoint.required ?? []) {
        const others = Object.fromEntries(
          Object.entries(endpoint.invalid ?? {}).map(([name, [value]]) => [name, value]),
        );
        const body: Record<string, unknown> = { ...endpoint.body, ...others };
        for (const absent of [undefined, null]) {
          const answer = await send({ ...call, body: { ...body, [field]: absent } });
          expectRefusal(answer, 400, 'MISSING_FIELD');
          expect(answer.json['errors']).toContainEqual(expect.objectContaining({ field, code: 'MISSING_FIELD' }));
        }
      }
    },
  );
});

describe('401', () => {
  it.each(having(({ access }) => access === 'role' || access === 'token'))(
    '%s: INVALID_TOKEN',
    async (_title, endpoint) => {
      const call = callToNothing(endpoint, world);
      const forged = `${world.admin.slice(0, -4)}AAAA`;
      for (const token of [undefined, 'nonsense', forged]) {
        const answer = await send({ ...call, token });
        expectRefusal(answer, 401, 'INVALID_TOKEN');
        expect(answer.header('www-authenticate')).toMatch(/^Bearer /);
      }
      expectRefusal(await send({ ...call, token: undefined, apiKey: world.owner.apiKey }), 401, 'INVALID_TOKEN');
    },
  );
});

describe('402', () => {
  it.each(having((endpoint) => costOf(endpoint) > 0))('%s: CREDITS_DEPLETED', async (_title, endpoint) => {
    const poor = await world.newTenant(costOf(endpoint));
    const bearer = await issuerTokenFor(deployment.http, poor);
    const call = await goodCall(endpoint, world, { ...world.owner, ...poor, bearer });
    expect((await send(call)).status).toBe(endpoint.success);
    const answer = await send(call);
    expectRefusal(answer, 402, 'CREDITS_DEPLETED');
    expect(answer.json['detail']).toMatch(/^Insufficient Credits - Payment Required/);
    expect(answer.header('x-credits-charged')).toBeUndefined();
  });
});

describe('403', () => {
  const keyed = having(({ access }) => access === 'key');

  it.each(keyed)(
    '%s: MISSING_API_KEY, INVALID_API_KEY, EXPIRED_API_KEY, ACCOUNT_DISABLED',
    async (_title, endpoint) => {
      const call = callToNothing(endpoint, world);
      const otherEnvironment = world.owner.apiKey.replace('kyc_sandbox_', 'kyc_live_');
      const wrongSecret = `${world.owner.apiKey.slice(0, -8)}${randomUUID().slice(0, 8)}`;
      expectRefusal(await send({ ...call, apiKey: undefined }), 403, 'MISSING_API_KEY');
      expectRefusal(await send({ ...call, apiKey: undefined, token: world.admin }), 403, 'MISSING_API_KEY');
      for (const apiKey of ['nonsense', otherEnvironment, wrongSecret, `${world.owner.apiKey}x`]) {
        expectRefusal(await send({ ...call, apiKey }), 403, 'INVALID_API_KEY');
      }
      expectRefusal(await send({ ...call, apiKey: await revokedKey() }), 403, 'EXPIRED_API_KEY');
      expectRefusal(await send({ ...call, apiKey: await keyOfSuspended() }), 403, 'ACCOUNT_DISABLED');
    },
  );

  it.each(keyed)('%s: FORBIDDEN for a key with every scope but its own', async (_title, endpoint) => {
    const apiKey = await keyWithout(endpoint.scope);
    expectRefusal(await send({ ...callToNothing(endpoint, world), apiKey }), 403, 'FORBIDDEN');
  });

  it.each(having(({ access }) => access === 'token'))('%s: FORBIDDEN without the scope', async (_title, endpoint) => {
    const token = await tokenFor(deployment.http, { tenant_id: world.owner.tenantId, scope: 'credentials' });
    expectRefusal(await send({ ...callToNothing(endpoint, world), token }), 403, 'FORBIDDEN');
  });

  it.each(having(({ access }) => access === 'role'))('%s: FORBIDDEN without the role', async (_title, endpoint) => {
    const call = await callTo(endpoint);
    expectRefusal(await send({ ...call, token: world.roleless }), 403, 'FORBIDDEN');
    for (const role of ['support', 'security'] as const) {
      const answer = await send({ ...call, token: world[role] });
      expect([role, answer.status]).toEqual([role, rolesOf(endpoint).includes(role) ? endpoint.success : 403]);
    }
  });
});

describe('404', () => {
  it.each(having(({ path }) => path.includes('{')))(
    '%s: NOT_FOUND for what does not exist',
    async (_title, endpoint) => {
      const { path, ...call } = callToNothing(endpoint, world);
      const strange = [randomUUID(), 't01jd0000000000000000000000', 'abcdefgh', '%00', '%F0%9F%92%A9', 'x'.repeat(99)];
      for (const id of strange) {
        expectRefusal(await send({ ...call, path: endpoint.path.replace(/\{(\w+)\}/g, id) }), 404, 'NOT_FOUND');
      }
      expectRefusal(await send({ ...call, path: `${path}/nothing/at/all` }), 404, 'NOT_FOUND');
    },
  );

  it.each(['/api', '/api/v1', '/api/v1/nothing', '//', '/%zz', '/..%2f..%2fetc/passwd'])(
    '%s: NOT_FOUND',
    async (path) => expectRefusal(await send({ path }), 404, 'NOT_FOUND'),
  );
});

describe('405', () => {
  const matches = (template: string, path: string): boolean =>
    new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

  it.each(cases(ENDPOINTS))(
    '%s: METHOD_NOT_ALLOWED for a method that the path does not have',
    async (_title, { path }) => {
      const concrete = path.replace(/\{(\w+)\}/g, randomUUID());
      const serving = ENDPOINTS.filter((other) => matches(other.path, concrete));
      const has = new Set<string>(serving.map(({ method }) => method));
      for (const method of ['PUT', 'DELETE', 'PATCH', 'POST', 'GET'].filter((name) => !has.has(name))) {
        const answer = await send({ method, path: concrete });
        expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
        for (const name of has) expect(answer.header('allow')?.split(', ')).toContain(name);
      }
    },
  );
});

describe('409', () => {
  it('CONFLICT for what the state does not allow', async () => {
    const { tenantId } = await world.newTenant(5);
    const path = `/admin/accounts/${tenantId}/credits`;
    const body = { amount: -6, reason: 'Too much' };
    expectRefusal(await send({ token: world.admin, path, body }), 409, 'CONFLICT');
  });

  it('CONFLICT for restoring what is not deleted, retrying what has not failed, and rotating a revoked key', async () => {
    const { apiKey, newKey, ingestionId } = world.owner;
    const { id = '' } = await freshIdentity(world.owner, world);
    const key = await newKey();
    await deployment.http.expect(204, { method: 'DELETE', path: `/api/v1/keys/${key.id}`, apiKey });
    for (const path of [`identity/${id}/restore`, `ingest/${ingestionId}/retry`, `keys/${key.id}/rotate`]) {
      expectRefusal(await send({ method: 'POST', path: `/api/v1/${path}`, apiKey, body: {} }), 409, 'CONFLICT');
    }
  });
});

describe('413 and 415', () => {
  const bodies = having(({ body }) => body !== undefined);

  it.each(bodies)('%s: PAYLOAD_TOO_LARGE over 1 MiB', async (_title, endpoint) => {
    const call = callToNothing(endpoint, world);
    const raw = JSON.stringify({ ...endpoint.body, unknown: 'x'.repeat(1_048_576) });
    expectRefusal(await send({ ...call, raw }), 413, 'PAYLOAD_TOO_LARGE');
  });

  it.each(bodies)('%s: UNSUPPORTED_MEDIA_TYPE for what is not JSON', async (_title, endpoint) => {
    const call = callToNothing(endpoint, world);
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'nonsense']) {
      const headers = { ...call.headers, 'content-type': type };
      expectRefusal(await send({ ...call, headers }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    }
  });
});

describe('422', () => {
  it.each(having(({ invalid }) => invalid !== undefined))(
    '%s: every invalid field at once',
    async (_title, endpoint) => {
      const call = callToNothing(endpoint, world);
      const invalid = Object.entries(endpoint.invalid ?? {});
      for (const [field, [value, code]] of invalid) {
        const answer = await send({ ...call, body: { ...endpoint.body, [field]: value } });
        expectRefusal(answer, 422, code);
        expect(answer.json['errors']).toEqual([expect.objectContaining({ field, code })]);
      }
      if (invalid.length < 2) return;
      const body = { ...endpoint.body, ...Object.fromEntries(invalid.map(([field, [value]]) => [field, value])) };
      const { json } = await send({ ...call, body });
      expect((json['errors'] as { field: string }[]).map(({ field }) => field).sort()).toEqual(
        invalid.map(([field]) => field).sort(),
      );
    },
  );

  it.each(having(({ method, access, invalid }) => method === 'POST' && access !== 'public' && invalid !== undefined))(
    '%s: leaves the Idempotency-Key free for the corrected body',
    async (_title, endpoint) => {
      for (const [field, [value]] of Object.entries({ ...endpoint.invalid, ...endpoint.refused })) {
        const call = await callTo(endpoint);
        const keyed = { ...call, headers: { 'idempotency-key': randomUUID() } };
        const refused = await send({ ...keyed, body: { ...endpoint.body, [field]: value } });
        expect(refused.status).toBe(422);
        expect(refused.json['errors']).toEqual([expect.objectContaining({ field })]);
        expect((await send(keyed)).status).toBe(endpoint.success);
      }
    },
  );

  it.each(having(({ invalidQuery }) => invalidQuery !== undefined))(
    '%s: every invalid part of the query',
    async (_title, endpoint) => {
      const call = await callTo(endpoint);
      for (const [field, [value, code]] of Object.entries(endpoint.invalidQuery ?? {})) {
        const answer = await send(withQuery(call, field, value));
        expectRefusal(answer, 422, code);
        expect(answer.json['errors']).toEqual([expect.objectContaining({ field, code })]);
      }
    },
  );

  it.each(having(isPost))(
    '%s: IDEMPOTENCY_MISMATCH for a key that came with another body, INVALID_FIELD for one that is too long',
    async (_title, endpoint) => {
      const call = await callTo(endpoint);
      const headers = { 'idempotency-key': randomUUID() };
      expect((await send({ ...call, headers })).status).toBe(endpoint.success);
      const [member] = Object.keys(endpoint.body ?? {});
      const raw = JSON.stringify({ ...endpoint.body, ...(member === undefined ? {} : { [member]: null }) });
      expectRefusal(await send({ ...call, headers, raw }), 422, 'IDEMPOTENCY_MISMATCH');
      expectRefusal(await send({ ...call, headers: { 'idempotency-key': 'x'.repeat(256) } }), 422, 'INVALID_FIELD');
    },
  );
});

describe('429', () => {
  it.each(having(({ access }) => access === 'key'))(
    '%s: RATE_LIMITED and BURST_EXCEEDED, neither charged',
    async (_title, endpoint) => {
      const slow = await deployment.operator.tenant({ credits: 10, perMinute: 1, perSecond: 1_000 });
      const call = { ...(await callTo(endpoint)), apiKey: slow.apiKey };
      await send({ path: '/billing/credits', apiKey: slow.apiKey });
      const limited = await send(call);
      expectRefusal(limited, 429, 'RATE_LIMITED');
      expect(Number(limited.header('retry-after'))).toBeGreaterThan(0);
      expect(limited.header('x-ratelimit-limit')).toBe('1');
      await deployment.operator.limit(slow.tenantId, 1_000_000, 1);
      const burst = await Promise.all(Array.from({ length: 5 }, () => send({ ...call, path: call.path })));
      const exceeded = burst.filter(({ status }) => status === 429);
      expect(exceeded.length).toBeGreaterThanOrEqual(3);
      for (const answer of exceeded) {
        expectRefusal(answer, 429, 'BURST_EXCEEDED');
        expect(Number(answer.header('retry-after'))).toBeGreaterThan(0);
      }
      await deployment.operator.limit(slow.tenantId, 1_000_000, 1_000);
      const served = costOf(endpoint) * (burst.length - exceeded.length);
      expect(await balanceOf(deployment.http, slow)).toBe(10 - served);
    },
  );

  it('counts callers without an account by their address: 60 a minute', async () => {
    const from = { from: freshAddress() };
    // All at once: more than a second's share, on however slow a machine.
    const answers = await Promise.all(Array.from({ length: 75 }, () => send({ path: '/billing/pricing', ...from })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expectRefusal(answer, 429, answer.code === 'RATE_LIMITED' ? 'RATE_LIMITED' : 'BURST_EXCEEDED');
      expect(answer.header('x-ratelimit-limit')).toBe('60');
    }
    expect((await send({ path: '/health/live', ...from })).status).toBe(200);
  });
});

describe('HEAD and request ids', () => {
  it.each(having(({ method }) => method === 'GET'))(
    '%s: HEAD answers as GET does, without a body',
    async (_title, endpoint) => {
      const call = await callTo(endpoint);
      const answer = await send({ ...call, method: 'HEAD' });
      expect([answer.status, answer.text]).toEqual([endpoint.success, '']);
      expectConventions(answer);
    },
  );

  const ACCEPTABLE = [randomUUID(), '01JD0000000000000000000000', 'deadbeefdeadbeef'];
  const OTHERS = ['maria@example.org', 'deadbeef', '../../etc', 'g'.repeat(32)];
  const inTurn = ENDPOINTS.map((endpoint, index) => {
    const [acceptable = '', other = ''] = [ACCEPTABLE[index % ACCEPTABLE.length], OTHERS[index % OTHERS.length]];
    return { title: titleOf(endpoint), endpoint, acceptable, other };
  });

  it.each(inTurn)('$title keeps the request id $acceptable and replaces $other', async (each) => {
    const call = { ...callToNothing(each.endpoint, world), method: 'PUT' };
    const sent = (id: string) => send({ ...call, headers: { 'x-request-id': id } });
    expect((await sent(each.acceptable)).header('x-request-id')).toBe(each.acceptable);
    const replaced = await sent(each.other);
    expect(replaced.header('x-request-id')).not.toBe(each.other);
    expectConventions(replaced);
  });
});

/** Last, because it stops a store for good. */
describe('503', () => {
  it('UNAVAILABLE within 2 s on every path that needs the event store, while it does not answer', async () => {
    const needed = ENDPOINTS.filter((endpoint) => isPost(endpoint) && endpoint.needsNoLog !== true);
    const calls: Call[] = [];
    // One after another: of two people invited at once, one has to be invited again.
    for (const endpoint of needed) calls.push(await callTo(endpoint));
    const answers: Answer[] = [];
    const pulse = new Pulse([deployment.http]);
    deployment.eventStore.pause();
    try {
      for (const call of calls) answers.push(await send(call));
    } finally {
      deployment.eventStore.resume();
    }
    const withheld = await pulse.stop();
    for (const answer of answers) {
      expectRefusal(answer, 503, 'UNAVAILABLE');
      expect(answer.took).toBeLessThan(2_000 + withheld);
    }
  }, 60_000);
});
