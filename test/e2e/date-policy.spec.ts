import { type Json } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

/** Near a sandbox name, with another birth date than the listed one. */
const NEAR = { full_name: 'Confirmed Tesmatch', date_of_birth: '1985-09-17' };

let deployment: SharedDeployment;
let tenant: Tenant;

const API = '/api/v1/compliance';
const get = async (path: string): Promise<Json> =>
  (await deployment.http.expect(200, { path: `${API}/${path}`, apiKey: tenant.apiKey })).json;
const check = async (): Promise<Json> =>
  (await deployment.http.expect(200, { path: `${API}/sanctions`, apiKey: tenant.apiKey, body: NEAR })).json;
const set = async (date_policy: string): Promise<Json> => {
  const call = { method: 'PATCH', path: `${API}/review`, apiKey: tenant.apiKey, body: { date_policy } } as const;
  return (await deployment.http.expect(200, call)).json;
};

beforeAll(async () => {
  deployment = await SharedDeployment.take('quick');
  tenant = await deployment.operator.tenant({ credits: 1_000 });
}, 90_000);

afterAll(() => deployment.leave());

it('is lenient until the account says otherwise, and holds from the next check on', async () => {
  expect(await get('review')).toMatchObject({ date_policy: 'lenient' });
  const lenient = await check();
  expect(lenient).toMatchObject({ status: 'clear', matches: [] });
  expect(lenient['cleared']).not.toEqual([]);
  for (let repeated = 0; repeated < 2; repeated += 1)
    expect(await set('strict')).toMatchObject({ date_policy: 'strict' });
  const strict = await check();
  expect(strict).toMatchObject({ status: 'potential_match', cleared: [] });
  const { logs } = await get('audit-log?action=review_settings_changed');
  expect(logs).toHaveLength(1);
  expect(await get(`decisions/${String(lenient['decision_id'])}/replay`)).toMatchObject({ reproduced: true });
  expect(await get(`decisions/${String(strict['decision_id'])}/replay`)).toMatchObject({ reproduced: true });
});

it('holds for identities that are ingested, and their decisions are replayed as they were made', async () => {
  await set('strict');
  await ingestAll(deployment.http, tenant, [{ ...person(95_000), ...NEAR }]);
  const match = await eventually('the match', async () => {
    const { matches } = await get('matches?kind=sanctions');
    return (matches as Json[]).find(({ identity_id: id }) => id !== null);
  });
  await set('lenient');
  expect(await get(`decisions/${String(match['decision_id'])}/replay`)).toMatchObject({ reproduced: true });
  expect(await check()).toMatchObject({ status: 'clear' });
});
