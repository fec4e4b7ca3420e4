import { randomUUID } from 'node:crypto';
import { expectRefusal } from '../support/checks/conventions.js';
import { stated } from '../support/checks/statement.js';
import { type Endpoint, ENDPOINTS, goodCall, titleOf } from '../support/endpoints/endpoints.js';
import { type World, worldOf } from '../support/endpoints/world.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer, type Call, freshAddress } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { balanceOf, type Tenant } from '../support/load/tenants.js';

let deployment: Deployment;
let world: World;

const send = (call: Call): Promise<Answer> => deployment.http.send({ from: freshAddress(), ...call });
const withKey = (call: Call, key: string = randomUUID()): Call => ({ ...call, headers: { 'idempotency-key': key } });
const check = ({ apiKey }: Tenant, number = 1): Call => ({
  path: '/api/v1/check-eligibility',
  apiKey,
  body: enquiry(person(number)),
});

const entriesOf = async ({ tenantId }: Tenant): Promise<number> => (await deployment.log.audit(tenantId)).length;

/** An API key or a webhook secret is shown once; everything else is answered again byte for byte. */
const repeated = (text: string): string => text.replace(/"(api_key|secret)":"[^"]*"/, '"$1":null');

const expectReplay = (answer: Answer, first: Answer): void => {
  expect([answer.status, answer.text]).toEqual([first.status, repeated(first.text)]);
  expect(answer.header('idempotency-replayed')).toBe('true');
  expect(answer.header('x-credits-charged')).toBe('0');
  expect(answer.header('x-request-id')).not.toBe(first.header('x-request-id'));
};

beforeAll(async () => {
  deployment = await Deployment.start({ redis: true, env: LONG_STORE_BUDGET_MS });
  world = await worldOf(deployment);
}, 60_000);

afterAll(() => deployment.stop());

const posts = ENDPOINTS.filter(
  ({ method, access }) => method === 'POST' && ['key', 'token', 'role'].includes(access),
).map((endpoint) => [titleOf(endpoint), endpoint] as const);

const replays: { readonly call: Call; readonly first: Answer }[] = [];

describe('the same key and body', () => {
  it.each(posts)(
    '%s answers with the first answer, byte for byte but for a secret in it',
    async (_title, endpoint: Endpoint) => {
      const call = withKey(await goodCall(endpoint, world));
      const first = await send(call);
      expect([first.status, first.header('idempotency-replayed')]).toEqual([endpoint.success, undefined]);
      const again = await send(call);
      expectReplay(again, first);
      expect(again.text).not.toMatch(/kyc_(sandbox|live)_|whsec_/);
      replays.push({ call, first });
    },
  );

  it('is charged once, and leaves one audit entry', async () => {
    const tenant = await world.newTenant(10);
    const call = withKey(check(tenant));
    const first = await send(call);
    const entries = await entriesOf(tenant);
    for (let count = 0; count < 5; count += 1) expectReplay(await send(call), first);
    expect(await balanceOf(deployment.http, tenant)).toBe(9);
    expect(await entriesOf(tenant)).toBe(entries);
  });

  it('is charged once when all arrive together: one runs, the others wait their turn with 409 or get its answer', async () => {
    const tenant = await world.newTenant(100);
    const call = withKey(check(tenant));
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(call)));
    const fresh = answers.filter(
      (answer) => answer.status === 200 && answer.header('idempotency-replayed') === undefined,
    );
    expect(fresh.length).toBe(1);
    for (const answer of answers) {
      if (answer.status === 409) expectRefusal(answer, 409, 'IDEMPOTENCY_IN_PROGRESS');
      else expect([answer.status, answer.text]).toEqual([200, fresh[0]?.text]);
    }
    expect(await balanceOf(deployment.http, tenant)).toBe(99);
    expect(stated(await deployment.log.credits(tenant.tenantId)).deductions.size).toBe(1);
  });

  it('makes one ingestion, one account and one key out of many', async () => {
    const { owner, admin } = world;
    const calls: readonly [Call, string][] = [
      [
        { path: '/api/v1/ingest', apiKey: owner.apiKey, body: { ...person(7), kyc_status: 'APPROVED' } },
        'ingestion_id',
      ],
      [
        { path: '/admin/accounts', token: admin, body: { name: 'Once', contact_email: 'once@example.org' } },
        'tenant_id',
      ],
      [{ path: '/api/v1/keys', apiKey: owner.apiKey, body: { name: 'Once' } }, 'id'],
    ];
    for (const [call, member] of calls) {
      const keyed = withKey(call);
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(keyed)));
      const made = answers.filter(({ status }) => status < 300).map(({ json }) => json[member]);
      expect(made.length).toBeGreaterThan(0);
      expect(new Set(made).size).toBe(1);
    }
  });

  it('is charged once however the path is spelled', async () => {
    const tenant = await world.newTenant(10);
    const call = withKey(check(tenant));
    const first = await send(call);
    for (const path of ['/api/v1/check%2Deligibility', '/api/v1/%63heck-eligibility', '/api/v1/check-eligibility?']) {
      expectReplay(await send({ ...call, path }), first);
    }
    for (const path of ['/api/v1/check-eligibility/', '/api/v1/Check-Eligibility', '/api/v1/check%252Deligibility']) {
      expectRefusal(await send({ ...call, path }), 404, 'NOT_FOUND');
    }
    expect(await balanceOf(deployment.http, tenant)).toBe(9);
  });

  it('is charged once where the repeat comes with the key that the first one was rotated to', async () => {
    const tenant = await world.newTenant(10);
    const call = withKey(check(tenant));
    const first = await send(call);
    const { keys } = (await send({ path: '/api/v1/keys', apiKey: tenant.apiKey })).json as { keys: { id: string }[] };
    const rotate = { path: `/api/v1/keys/${keys[0]?.id ?? ''}/rotate`, apiKey: tenant.apiKey };
    const rotated = await deployment.http.expect(201, { ...rotate, body: { overlap_seconds: 0 } });
    expectRefusal(await send(call), 403, 'EXPIRED_API_KEY');
    const apiKey = rotated.json['api_key'] as string;
    expectReplay(await send({ ...call, apiKey }), first);
    expect(await balanceOf(deployment.http, { ...tenant, apiKey })).toBe(9);
  });

  it('has no meaning on another path, by another tenant, or with another key', async () => {
    const key = randomUUID();
    const call = withKey(check(world.owner), key);
    await send(call);
    const others: Call[] = [
      { ...call, apiKey: world.stranger.apiKey },
      withKey(check(world.owner), key.toUpperCase()),
      withKey({ path: '/api/v1/keys', apiKey: world.owner.apiKey, body: { name: 'Another path' } }, key),
    ];
    for (const other of others) expect((await send(other)).header('idempotency-replayed')).toBeUndefined();
  });
});

describe('a key of the account with less scopes', () => {
  it('gets nothing by repeating the creation or rotation of a mightier one', async () => {
    const { apiKey, newKey } = world.owner;
    const narrow = await newKey(['keys']);
    const rotatable = await newKey();
    for (const [path, body, status] of [
      ['/api/v1/keys', { name: 'Mighty' }, 201],
      ['/api/v1/keys', { name: 'Mighty', scopes: ['ingest', 'data'] }, 403],
      [`/api/v1/keys/${rotatable.id}/rotate`, { overlap_seconds: 600 }, 409],
    ] as const) {
      const call = withKey({ path, apiKey, body });
      const first = await deployment.http.expect(201, call);
      const answer = await send({ ...call, apiKey: narrow.apiKey });
      expect([answer.status, answer.header('idempotency-replayed')]).toEqual([status, undefined]);
      if (status === 201) expect(answer.json['scopes']).toEqual(['keys']);
      expect(answer.text).not.toContain(first.json['api_key']);
    }
  });

  it('is refused a repeat of what it may not ask for', async () => {
    const { apiKey } = await world.owner.newKey(['keys']);
    const call = withKey(check(world.owner));
    await deployment.http.expect(200, call);
    expectRefusal(await send({ ...call, apiKey }), 403, 'FORBIDDEN');
  });
});

describe('what is not kept', () => {
  it('402: once there are credits, the key runs', async () => {
    const tenant = await world.newTenant(0);
    const call = withKey(check(tenant));
    expectRefusal(await send(call), 402, 'CREDITS_DEPLETED');
    await deployment.operator.adjust(tenant.tenantId, 1);
    expect((await send(call)).status).toBe(200);
    expect(await balanceOf(deployment.http, tenant)).toBe(0);
  });

  it('a body that was never valid leaves its key free for another', async () => {
    const key = randomUUID();
    const bad = withKey({ ...check(world.owner), body: { email: 'nobody' } }, key);
    expect((await send(bad)).status).toBe(400);
    const good = await send(withKey(check(world.owner), key));
    expect([good.status, good.header('idempotency-replayed')]).toEqual([200, undefined]);
  });

  it('429: a refused request does not use its key up', async () => {
    const tenant = await deployment.operator.tenant({ credits: 5, perMinute: 1, perSecond: 10 });
    await balanceOf(deployment.http, tenant);
    const call = withKey(check(tenant));
    expect((await send(call)).status).toBe(429);
    await deployment.operator.limit(tenant.tenantId, 1_000, 1_000);
    expect((await send(call)).status).toBe(200);
  });
});

describe('the log of what operators did', () => {
  const logged = async (query: Readonly<Record<string, string>>): Promise<Record<string, unknown>[]> => {
    const path = `/admin/audit-log?${new URLSearchParams(query).toString()}`;
    const { json } = await deployment.http.expect(200, { path, token: world.security });
    return json['logs'] as Record<string, unknown>[];
  };

  it('shows requests and repeated answers by their template, itself included, page after page', async () => {
    const { tenantId } = await world.newTenant();
    const key = { 'idempotency-key': randomUUID() };
    const issuing = {
      path: `/admin/accounts/${tenantId}/keys`,
      token: world.admin,
      body: { name: 'A key' },
      headers: key,
    };
    const first = await deployment.http.expect(201, issuing);
    const again = await deployment.http.expect(201, issuing);
    expect(again.header('idempotency-replayed')).toBe('true');
    const action = 'POST /admin/accounts/{id}/keys';
    const entries = await logged({ tenant_id: tenantId, action });
    expect(entries.map(({ request_id }) => request_id)).toEqual(
      [again, first].map((answer) => answer.header('x-request-id')),
    );
    expect(entries[0]).toMatchObject({ action, tenant_id: tenantId, roles: ['admin'] });
    expect(entries.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['repeated', 201],
      ['done', 201],
    ]);
    const scopes = `keys[${String(first.json['id'])}].scopes`;
    expect(entries.map(({ changes }) => (changes as { field: string }[]).map(({ field }) => field))).toEqual([
      [],
      [expect.stringMatching(/^keys\[[0-9A-Za-z]{8}\]\.name$/), scopes],
    ]);
    expect(JSON.stringify(entries)).not.toContain(String(first.json['api_key']).split('_').at(-1));
    expect(await logged({ tenant_id: tenantId, outcome: 'repeated' })).toEqual([entries[0]]);
    const [newest] = await logged({ limit: '1' });
    expect(newest).toMatchObject({ action: 'GET /admin/audit-log', tenant_id: null, roles: ['security'] });
    expect(await logged({ tenant_id: tenantId, start_date: '2019-01-01', end_date: '2020-01-01' })).toEqual([]);
  });
});

describe('after the service was killed and Redis was lost', () => {
  beforeAll(async () => {
    await deployment.redis?.kill9();
    await deployment.instance(0).service.kill9();
    await deployment.restart(0);
  }, 60_000);

  it('the first answers are still replayed', async () => {
    expect(replays.length).toBe(posts.length);
    for (const { call, first } of replays) expectReplay(await send(call), first);
  });
});
