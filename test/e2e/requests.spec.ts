import { randomUUID } from 'node:crypto';
import { type Json } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';

let deployment: SharedDeployment;
let tenant: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  tenant = await deployment.operator.tenant({ credits: 100 });
  stranger = await deployment.operator.tenant({ credits: 100 });
}, 90_000);
afterAll(() => deployment.leave(), 60_000);

const get = async (path: string, { apiKey } = tenant): Promise<Json> =>
  (await deployment.http.expect(200, { path: `/api/v1/requests${path}`, apiKey })).json;

const found = (id: string, whole: (request: Json) => boolean = () => true): Promise<Json> =>
  eventually(`the request ${id}`, async () => {
    const { status, json } = await deployment.http.send({ path: `/api/v1/requests/${id}`, apiKey: tenant.apiKey });
    return status === 200 && whole(json) && json;
  });

const listed = async (query = '', of = tenant): Promise<Json[]> => (await get(query, of))['requests'] as Json[];

describe('the requests of an account', () => {
  it('say what each was, what it cost and who made it, and filters narrow them', async () => {
    const [bought, refused] = [randomUUID(), randomUUID()];
    const { apiKey } = tenant;
    const check = { path: '/api/v1/check-eligibility', apiKey };
    await deployment.http.expect(200, { ...check, body: enquiry(person(50)), headers: { 'x-request-id': bought } });
    await deployment.http.expect(400, { ...check, body: { email: 'x' }, headers: { 'x-request-id': refused } });
    await found(refused);
    const [first, second] = await listed('?route=/api/v1/check-eligibility');
    expect([first, second]).toMatchObject([
      { request_id: refused, status: 400, error_code: 'MISSING_FIELD', method: 'POST', credits: null },
      { request_id: bought, status: 200, error_code: null, credits: 1, actor: { type: 'api_key' } },
    ]);
    const keyId = String((first?.['actor'] as Json)['key_id']);
    const ids = async (query: string) => (await listed(query)).map((request) => request['request_id']);
    expect(await ids('?status=4xx')).toContain(refused);
    expect(await ids('?status=4xx')).not.toContain(bought);
    expect(await ids('?status=2xx')).not.toContain(refused);
    expect(await ids('?status=400&error_code=MISSING_FIELD')).toEqual([refused]);
    expect(await ids(`?key_id=${keyId}`)).toContain(bought);
    expect(await ids('?key_id=zzzzzzzz')).toEqual([]);
    expect(await ids('?actor_type=api_key')).toContain(bought);
    expect(await ids('?actor_type=member')).toEqual([]);
    expect(await ids('?since=2999-01-01')).toEqual([]);
    const page = await get('?limit=1&route=/api/v1/check-eligibility');
    expect(page['requests']).toMatchObject([{ request_id: refused }]);
    expect(page['next_cursor']).toMatch(new RegExp(`^\\d{13}_${refused}$`));
    const strange = { path: `/api/v1/requests?cursor=${Date.now()}_${randomUUID()}`, apiKey };
    expect((await deployment.http.send(strange)).status).toBe(422);
    const followed = await eventually('a look at one request', async () => {
      const [one] = await listed('?route=/api/v1/requests/{request_id}');
      return one;
    });
    expect(followed['route']).toBe('/api/v1/requests/{request_id}');
    expect(await ids(`?limit=1&route=/api/v1/check-eligibility&cursor=${String(page['next_cursor'])}`)).toEqual([
      bought,
    ]);
    const { since, by, counts } = await get('/summary?hours=2');
    expect([by, Date.parse(String(since)) < Date.now()]).toEqual(['hour', true]);
    expect(counts).toContainEqual(expect.objectContaining({ status: 400, error_code: 'MISSING_FIELD', requests: 1 }));
    expect((await get('/summary?actor_type=member'))['counts']).toEqual([]);
    expect(JSON.stringify(await listed())).not.toContain('@');
  });

  it('lead from a request to its charge, its audit entry, its events and their deliveries', async () => {
    const { apiKey } = tenant;
    const endpoint = await deployment.http.expect(201, {
      path: '/api/v1/webhooks/endpoints',
      apiKey,
      body: { url: 'https://receiver.example/hook', events: ['identity.created'] },
    });
    const ingest = randomUUID();
    const body = { ...person(51), kyc_status: 'APPROVED' };
    await deployment.http.expect(202, { path: '/api/v1/ingest', apiKey, body, headers: { 'x-request-id': ingest } });
    const ingested = await found(ingest, ({ deliveries }) => (deliveries as Json[]).length > 0);
    expect(ingested['deliveries']).toMatchObject([{ endpoint_id: endpoint.json['id'] }]);
    expect(ingested['transactions']).toEqual([]);
    expect((ingested['events'] as Json[]).map(({ type }) => type).sort()).toEqual([
      'identity.created',
      'identity.verified',
      'ingestion.completed',
    ]);
    const asked = randomUUID();
    await deployment.http.expect(200, {
      path: '/api/v1/check-eligibility',
      apiKey,
      body: enquiry(person(51)),
      headers: { 'x-request-id': asked },
    });
    const check = await found(asked, ({ transactions }) => (transactions as Json[]).length > 0);
    expect(check).toMatchObject({
      credits: 1,
      transactions: [{ type: 'usage', amount: -1 }],
      audit_entries: [{ action: 'eligibility_check' }],
      deliveries: [],
    });
    const [transaction] = check['transactions'] as Json[];
    const path = `/billing/transactions/${String(transaction?.['id'])}`;
    expect((await deployment.http.expect(200, { path, apiKey })).json['request_id']).toBe(asked);
  });

  it('are those of no other account, and unknown ids are not found', async () => {
    await ingestAll(deployment.http, stranger, [person(52)]);
    const [own] = await eventually('a request of the other', async () => {
      const rows = await listed('', stranger);
      return rows.length > 0 && rows;
    });
    const path = `/api/v1/requests/${String(own?.['request_id'])}`;
    await deployment.http.expect(200, { path, apiKey: stranger.apiKey });
    await deployment.http.expect(404, { path, apiKey: tenant.apiKey });
    await deployment.http.expect(404, { path: `/api/v1/requests/${randomUUID()}`, apiKey: tenant.apiKey });
  });

  it('show nothing of another account that gave its own request the same id', async () => {
    const shared = randomUUID();
    const made = async ({ apiKey }: Tenant, number: number): Promise<void> => {
      const headers = { 'x-request-id': shared };
      const body = { ...person(number), kyc_status: 'APPROVED' };
      await deployment.http.expect(202, {
        path: '/api/v1/ingest',
        apiKey,
        body,
        headers: { ...headers, prefer: 'wait=5' },
      });
      await deployment.http.expect(200, {
        path: '/api/v1/check-eligibility',
        apiKey,
        body: enquiry(person(number)),
        headers,
      });
    };
    await made(stranger, 61);
    await made(tenant, 62);
    const of = async ({ apiKey }: Tenant): Promise<Json> =>
      eventually('the requests of this id', async () => {
        const { status, json } = await deployment.http.send({ path: `/api/v1/requests/${shared}`, apiKey });
        const isWhole = status === 200 && (json['events'] as Json[]).length === 3 && json['credits'] === 1;
        return isWhole && (json['audit_entries'] as Json[]).length >= 2 && json;
      });
    const [own, others] = [await of(tenant), await of(stranger)];
    const idsIn = (found: Json) =>
      ['transactions', 'audit_entries', 'events'].flatMap((part) => (found[part] as Json[]).map(({ id }) => id));
    expect(idsIn(own)).toHaveLength(6);
    expect(idsIn(others)).toHaveLength(6);
    expect(idsIn(own).filter((id) => idsIn(others).includes(id))).toEqual([]);
    expect(own['deliveries']).toHaveLength(1);
    expect(others['deliveries']).toEqual([]);
  });
});
