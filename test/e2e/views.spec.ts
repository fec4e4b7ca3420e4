import { Database } from '../../src/platform/postgres/database.js';
import { Deployment } from '../support/load/deployment.js';
import { type Answer, type Json } from '../support/load/http.js';
import { type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';

const PATH = '/api/v1/views';
const MINE = { name: 'Mine, overdue', query: 'assigned_to=Vera+Secret&overdue=true' };

let deployment: Deployment;
let database: Database;
let tenant: Tenant;

beforeAll(async () => {
  deployment = await Deployment.start({ instances: 1, env: { TIMING_PURGE_CHECK_EVERY_MS: '200' } });
  database = new Database({ connectionString: deployment.databaseUrl });
  tenant = await deployment.operator.tenant();
}, 90_000);

afterAll(async () => {
  await database.close();
  await deployment.stop();
}, 60_000);

const save = (apiKey: string, screen: string, views: readonly unknown[]): Promise<Answer> =>
  deployment.http.send({ method: 'PUT', path: PATH, apiKey, body: { screen, views } });
const viewsOf = async (apiKey: string): Promise<unknown> =>
  (await deployment.http.expect(200, { path: PATH, apiKey })).json['screens'];
const newKey = async (): Promise<{ id: string; apiKey: string }> => {
  const body = { name: `Views ${Math.random()}` };
  const { json } = await deployment.http.expect(201, { path: '/api/v1/keys', apiKey: tenant.apiKey, body });
  return { id: json['id'] as string, apiKey: json['api_key'] as string };
};
const stored = (actor: string): Promise<readonly Json[]> =>
  database.query('SELECT views::text AS views FROM saved_views WHERE actor_id = $1', [actor]);

it('are the own of each caller, replaced by screen, and kept sealed', async () => {
  const [one, other] = [await newKey(), await newKey()];
  expect((await save(one.apiKey, 'matches', [MINE])).status).toBe(200);
  await save(one.apiKey, 'audit', [{ name: 'Today', query: '' }]);
  await save(other.apiKey, 'matches', [{ name: 'Other', query: 'kind=pep' }]);
  await save(one.apiKey, 'audit', []);
  expect(await viewsOf(one.apiKey)).toEqual([{ screen: 'matches', views: [MINE] }]);
  expect(await viewsOf(other.apiKey)).toEqual([{ screen: 'matches', views: [{ name: 'Other', query: 'kind=pep' }] }]);
  const [row] = await stored(one.id);
  expect(JSON.stringify(row)).toContain('A256GCM');
  expect(JSON.stringify(row)).not.toMatch(/Vera|overdue/);
});

it('are twenty of 2 KiB at most', async () => {
  const views = Array.from({ length: 20 }, (_, index) => ({
    name: `View ${index}`.padEnd(60),
    query: 'x'.repeat(2_048),
  }));
  expect((await save(tenant.apiKey, 'requests', views)).status).toBe(200);
  expect((await save(tenant.apiKey, 'elsewhere', [MINE])).status).toBe(422);
});

it('end with the key that kept them, revoked or replaced, and with no other', async () => {
  const [revoked, replaced, other] = [await newKey(), await newKey(), await newKey()];
  for (const { apiKey } of [revoked, replaced, other]) await save(apiKey, 'matches', [MINE]);
  await deployment.http.expect(204, { method: 'DELETE', path: `/api/v1/keys/${revoked.id}`, apiKey: tenant.apiKey });
  await deployment.http.expect(201, {
    method: 'POST',
    path: `/api/v1/keys/${replaced.id}/rotate`,
    apiKey: tenant.apiKey,
    body: { overlap_seconds: 1 },
  });
  for (const { id } of [revoked, replaced]) await eventually('no row', async () => (await stored(id)).length === 0);
  expect(await stored(other.id)).toHaveLength(1);
});

it.each([
  ['twenty-one', Array.from({ length: 21 }, (_, index) => ({ name: `View ${index}`, query: '' }))],
  ['a name twice', [MINE, MINE]],
  ['a query of more than 2 KiB', [{ name: 'Long', query: 'é'.repeat(1_025) }]],
  ['no query', [{ name: 'None' }]],
  ['a text', 'matches'],
])('refuse %s, by the field', async (_what, views) => {
  const answer = await save(tenant.apiKey, 'matches', views as unknown[]);
  expect([answer.status, answer.json['errors']]).toMatchObject([422, [{ field: 'views' }]]);
});
