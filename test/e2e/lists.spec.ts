import { type Json } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';
import { answering, TestReceiver } from '../support/receiver.js';

const PEOPLE = [1, 2, 3, 4, 5].map(person);

let deployment: SharedDeployment;
let tenant: Tenant;
let other: Tenant;
let receiver: TestReceiver;

beforeAll(async () => {
  receiver = await TestReceiver.start();
  deployment = await SharedDeployment.take();
  tenant = await deployment.operator.tenant({ credits: 100 });
  other = await deployment.operator.tenant({ credits: 100 });
  await ingestAll(deployment.http, tenant, PEOPLE);
}, 90_000);

afterAll(async () => {
  await deployment.leave();
  await receiver.stop();
});

const get = async (path: string, { apiKey }: Tenant = tenant): Promise<Json> =>
  (await deployment.http.expect(200, { path, apiKey })).json;

/** All pages of two rows each. */
const allOf = async (path: string, rows: string, of?: Tenant): Promise<readonly Json[]> => {
  const found: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Json = await get(`${path}limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`, of);
    found.push(...(page[rows] as Json[]));
    cursor = page['next_cursor'] as string | null;
  }
  return found;
};

it('lists identities page by page, by their state of life, to their own account alone and without a name', async () => {
  const all = await allOf('/api/v1/identity?', 'identities');
  expect(new Set(all.map(({ identity_id }) => identity_id)).size).toBe(PEOPLE.length);
  const text = JSON.stringify(all);
  for (const { email, phone_number: phone, full_name: name } of PEOPLE)
    for (const personal of [email, phone, name]) expect(text).not.toContain(personal);
  const id = String(all[0]?.['identity_id']);
  await deployment.http.expect(202, { method: 'DELETE', path: `/api/v1/identity/${id}`, apiKey: tenant.apiKey });
  const deleted = await eventually('the deleted one', async () => {
    const found = await allOf('/api/v1/identity?status=soft_deleted&', 'identities');
    return found.length === 1 ? found : undefined;
  });
  expect(deleted).toMatchObject([{ identity_id: id, status: 'soft_deleted', purge_at: expect.any(String) as string }]);
  expect(await allOf('/api/v1/identity?status=active&', 'identities')).toHaveLength(PEOPLE.length - 1);
  expect(await allOf('/api/v1/identity?', 'identities', other)).toEqual([]);
});

it('lists ingestions page by page, newest first, to their own account alone', async () => {
  const all = await allOf('/api/v1/ingest?', 'ingestions');
  expect(all.length).toBeGreaterThan(0);
  const times = all.map(({ received_at }) => String(received_at));
  expect(times).toEqual(times.toSorted().reverse());
  expect(new Set(all.map(({ ingestion_id }) => ingestion_id)).size).toBe(all.length);
  expect(await allOf('/api/v1/ingest?status=completed&', 'ingestions')).toEqual(all);
  expect(all.reduce((sum, { records_received }) => sum + Number(records_received), 0)).toBe(PEOPLE.length);
  expect(await allOf('/api/v1/ingest?status=failed&', 'ingestions')).toEqual([]);
  expect(await allOf('/api/v1/ingest?', 'ingestions', other)).toEqual([]);
});

it('counts the entries of the audit log by day as the log itself does', async () => {
  const body = { email: 'nobody@example.org', phone_number: '+12025550199' };
  for (let turn = 0; turn < 3; turn += 1)
    await deployment.http.expect(200, { path: '/api/v1/check-eligibility', apiKey: tenant.apiKey, body });
  const log = await eventually('the entries', async () => {
    const page = await get('/api/v1/compliance/audit-log?action=eligibility_check');
    return (page['logs'] as Json[]).length === 3 ? page : undefined;
  });
  const { days } = (await get('/api/v1/compliance/audit-log/summary')) as { days: Json[] };
  const entries = (name: string): number =>
    days.filter(({ action }) => action === name).reduce((sum, day) => sum + Number(day['entries']), 0);
  expect(entries('eligibility_check')).toBe((log['logs'] as Json[]).length);
  expect(entries('data_ingested')).toBe(PEOPLE.length);
  expect((await get('/api/v1/compliance/audit-log/summary', other))['days']).toEqual([]);
  for (const query of ['start_date=2026-01-02&end_date=2026-01-01', 'start_date=2020-01-01&end_date=2021-01-02']) {
    const path = `/api/v1/compliance/audit-log/summary?${query}`;
    expect((await deployment.http.send({ path, apiKey: tenant.apiKey })).status).toBe(422);
  }
});

it('lists exports, newest first', async () => {
  const request = async (): Promise<unknown> => {
    const call = { path: '/api/v1/data-export', apiKey: tenant.apiKey, body: { format: 'json' } };
    const { json } = await eventually('no other export', async () => {
      const answer = await deployment.http.send(call);
      return answer.status === 202 ? answer : undefined;
    });
    return json['export_id'];
  };
  const [first, second] = [await request(), await request()];
  const exports = await eventually('both', async () => {
    const found = (await get('/api/v1/data-export'))['exports'] as Json[];
    return found.length === 2 ? found : undefined;
  });
  expect(exports.map((one) => one['export_id'])).toEqual([second, first]);
  expect((await get('/api/v1/data-export', other))['exports']).toEqual([]);
});

it('delivers again all that an endpoint failed to take, each event once', async () => {
  const { http } = deployment;
  const { apiKey } = other;
  const events = ['identity.created', 'identity.verified'];
  const made = await http.expect(201, {
    path: '/api/v1/webhooks/endpoints',
    apiKey,
    body: { url: receiver.url('/lists'), events },
  });
  const path = `/api/v1/webhooks/endpoints/${String(made.json['id'])}`;
  const deliveries = async (query: string): Promise<readonly Json[]> =>
    (await get(`${path}/deliveries?${query}`, other))['deliveries'] as Json[];
  const ofStatus = (status: string): Promise<readonly Json[]> =>
    deliveries(`status=${status}&event_type=identity.created&since=2026-01-01`);
  receiver.behaviours.set('/lists', answering(410));
  await ingestAll(http, other, [person(11)]);
  const [failed] = await eventually('a failure', async () => {
    const found = await ofStatus('failed');
    return found.length > 0 ? found : undefined;
  });
  expect(await get(`/api/v1/events/${String(failed?.['event_id'])}`, other)).toMatchObject({
    type: 'identity.created',
  });
  receiver.behaviours.set('/lists', answering(200));
  await http.expect(200, { method: 'PATCH', path, apiKey, body: { is_active: true } });
  const again = async (since: string): Promise<Json> =>
    (await http.expect(200, { path: `${path}/redeliver-failed`, apiKey, body: { since } })).json;
  expect(await again('2100-01-01')).toEqual({ deliveries: 0, has_more: false });
  expect(await deliveries('since=2100-01-01')).toEqual([]);
  const whole = (await deliveries('status=failed')).length;
  const single = `/api/v1/webhooks/deliveries/${String(failed?.['id'])}/redeliver`;
  await http.expect(200, { method: 'POST', path: single, apiKey });
  await eventually('the delivery', async () => (await ofStatus('delivered')).length === 1);
  // What was repeated since is not repeated again.
  expect(await again('2026-01-01')).toEqual({ deliveries: whole - 1, has_more: false });
  // One that had not failed yet is delivered by itself.
  await eventually('the others', async () => (await deliveries('status=delivered')).length >= whole);
  expect((await deliveries('event_type=identity.verified')).length).toBeLessThan((await deliveries('')).length);
  expect(await again('2026-01-01')).toEqual({ deliveries: 0, has_more: false });
  const foreign = { path: `/api/v1/events/${String(failed?.['event_id'])}`, apiKey: tenant.apiKey };
  expect((await http.send(foreign)).status).toBe(404);
}, 60_000);
