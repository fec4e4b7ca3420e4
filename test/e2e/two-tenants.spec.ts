import { randomUUID } from 'node:crypto';
import { expectRefusal } from '../support/checks/conventions.js';
import { type Endpoint, ENDPOINTS, goodCall, titleOf } from '../support/endpoints/endpoints.js';
import { fromSomewhere, type World, worldOf } from '../support/endpoints/world.js';
import { type Answer, type Call } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { balanceOf, tokenFor } from '../support/load/tenants.js';

let deployment: SharedDeployment;
let world: World;

const send = (call: Call): Promise<Answer> => deployment.http.send({ ...fromSomewhere(), ...call });
const listed = ({ json }: Answer, member: string): Record<string, unknown>[] =>
  json[member] as Record<string, unknown>[];

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  world = await worldOf(deployment);
}, 60_000);

afterAll(() => deployment.leave());

const tenants = ENDPOINTS.filter(({ access }) => access === 'key').map(
  (endpoint) => [titleOf(endpoint), endpoint] as const,
);
// A list's id is the same for all accounts.
const withIds = tenants.filter(([, { path }]) => path.includes('{') && !path.includes('{list_id}'));
const operators = ENDPOINTS.filter(({ access }) => access === 'role').map(
  (endpoint) => [titleOf(endpoint), endpoint] as const,
);

describe('with the ids of another tenant', () => {
  it.each(withIds)('%s answers as if there were nothing', async (_title, endpoint) => {
    const theirs = await goodCall(endpoint, world, world.stranger);
    const answer = await send({ ...theirs, apiKey: world.owner.apiKey });
    expectRefusal(answer, 404, 'NOT_FOUND');
    const nothing = await send({ ...(await callToNothing(endpoint)), apiKey: world.owner.apiKey });
    expect({ ...answer.json, request_id: '' }).toEqual({ ...nothing.json, request_id: '' });
    expect((await send(theirs)).status).toBe(endpoint.success);
  });

  const callToNothing = async (endpoint: Endpoint): Promise<Call> => {
    const call = await goodCall(endpoint, world);
    const id = endpoint.path.includes('ingest') ? randomUUID() : 'ZZZZZZZZ';
    return { ...call, path: endpoint.path.replace(/\{\w+\}/, id) };
  };

  it.each(operators)('%s is closed to the keys of tenants', async (_title, endpoint) => {
    const call = await goodCall(endpoint, world, world.stranger);
    expectRefusal(await send({ ...call, token: undefined, apiKey: world.owner.apiKey }), 401, 'INVALID_TOKEN');
    const token = await tokenFor(deployment.http, { tenant_id: world.owner.tenantId, scope: 'credentials:issue' });
    expectRefusal(await send({ ...call, token }), 403, 'FORBIDDEN');
  });

  it.each(tenants)(
    '%s refuses a tenant named in the query, and takes no notice of one in headers or body',
    async (_title, endpoint) => {
      const call = await goodCall(endpoint, world);
      const { tenantId } = world.stranger;
      const before = await balanceOf(deployment.http, world.stranger);
      const path = `${call.path}${call.path.includes('?') ? '&' : '?'}tenant_id=${tenantId}`;
      expectRefusal(await send({ ...call, path }), 422, 'INVALID_FIELD');
      const answer = await send({
        ...call,
        headers: { 'x-tenant-id': tenantId },
        ...(call.body === undefined ? {} : { body: { ...call.body, tenant_id: tenantId, tenantId } }),
      });
      expect([answer.status, answer.header('cache-control')]).toEqual([endpoint.success, 'no-store']);
      expect(await balanceOf(deployment.http, world.stranger)).toBe(before);
    },
  );
});

describe('each tenant by its own key', () => {
  it('sees its own balance, which the other one does not move', async () => {
    const before = await balanceOf(deployment.http, world.stranger);
    for (let count = 0; count < 3; count += 1) {
      await deployment.http.expect(200, {
        path: '/api/v1/check-eligibility',
        apiKey: world.owner.apiKey,
        body: enquiry(person(2)),
      });
    }
    expect(await balanceOf(deployment.http, world.stranger)).toBe(before);
  });

  it('sees its own audit entries only', async () => {
    const requests = new Map<string, string>();
    for (const tenant of [world.owner, world.stranger]) {
      const id = randomUUID();
      requests.set(tenant.tenantId, id);
      await deployment.http.expect(200, {
        path: '/api/v1/check-eligibility',
        apiKey: tenant.apiKey,
        body: enquiry(person(1)),
        headers: { 'x-request-id': id },
      });
    }
    for (const tenant of [world.owner, world.stranger]) {
      const page = await send({ path: '/api/v1/compliance/audit-log?limit=1000', apiKey: tenant.apiKey });
      const seen = new Set(listed(page, 'logs').map((entry) => entry['request_id']));
      for (const [tenantId, id] of requests) expect(seen.has(id)).toBe(tenantId === tenant.tenantId);
    }
  });

  it('sees its own keys only', async () => {
    const { id } = await world.stranger.newKey();
    const ids = listed(await send({ path: '/api/v1/keys', apiKey: world.owner.apiKey }), 'keys').map(
      (key) => key['id'],
    );
    expect(ids).not.toContain(id);
  });

  it('has idempotency keys of its own: the same key of both runs for both', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const call = { path: '/api/v1/check-eligibility', headers, body: enquiry(person(1)) };
    for (const { apiKey } of [world.owner, world.stranger]) {
      const answer = await send({ ...call, apiKey });
      expect([answer.status, answer.header('idempotency-replayed')]).toEqual([200, undefined]);
    }
  });

  it('learns by a check that an identity is found, and nothing of who attested it', async () => {
    const answer = await send({
      path: '/api/v1/check-eligibility',
      apiKey: world.owner.apiKey,
      body: enquiry(person(2)),
    });
    expect(Object.keys(answer.json).sort()).toEqual(['found', 'last_verified_at', 'tier']);
    expect(answer.text).not.toContain(world.stranger.tenantId);
  });

  it('gets other ids for the same person', async () => {
    const ids: unknown[] = [];
    for (const tenant of [world.owner, world.stranger]) {
      const { json } = await deployment.http.expect(200, {
        path: `/api/v1/ingest/${tenant.ingestionId}`,
        apiKey: tenant.apiKey,
      });
      ids.push(json['identity_id']);
    }
    expect(new Set(ids).size).toBe(2);
  });
});
