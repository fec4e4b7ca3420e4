import { Client } from 'pg';
import { type IssuingTenant, issue, issuerTokenFor } from '../support/credentials.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Json } from '../support/load/http.js';
import { enquiry, person, type Person } from '../support/load/people.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';
import { unzip } from '../support/unzip.js';

const LISTED = { full_name: 'Confirmed Testmatch', date_of_birth: '1970-01-01' };
const SHARED = person(89_000);
const OTHER = person(89_001);
const MATCHED = [89_002, 89_003].map((number) => ({ ...person(number), ...LISTED }));

let deployment: Deployment;
/** The data keys of its account and of one of its persons are lost. */
let unlucky: Tenant;
let other: IssuingTenant;

const get = async (path: string, { apiKey }: Tenant): Promise<Json> =>
  (await deployment.http.expect(200, { path, apiKey })).json;

const idOf = async (one: Person, tenant: Tenant): Promise<string> => {
  const { identities } = await get(`/api/v1/identities?${new URLSearchParams(enquiry(one)).toString()}`, tenant);
  return (identities as { identity_id: string }[])[0]?.identity_id ?? '';
};

const lose = async (subjects: readonly string[]): Promise<void> => {
  const client = new Client({ connectionString: deployment.databaseUrl });
  await client.connect();
  const lost = await client.query('DELETE FROM data_keys WHERE tenant_id = $1 AND subject LIKE ANY ($2)', [
    unlucky.tenantId,
    subjects,
  ]);
  await client.end();
  expect(lost.rowCount).toBe(subjects.length);
};

const matchesOf = async (): Promise<Json[]> =>
  (await get('/api/v1/compliance/matches?limit=50&reveal=true', unlucky))['matches'] as Json[];

beforeAll(async () => {
  deployment = await Deployment.start({ env: LONG_STORE_BUDGET_MS });
  unlucky = await deployment.operator.tenant({ credits: 1_000 });
  const account = await deployment.operator.tenant({ credits: 1_000 });
  other = { ...account, bearer: await issuerTokenFor(deployment.http, account) };
  await ingestAll(deployment.http, unlucky, [SHARED, OTHER, ...MATCHED]);
  await ingestAll(deployment.http, other, [SHARED]);
  // Each of the three sanctions lists has the name.
  const matches = await eventually('all matches of both', async () => {
    const found = await matchesOf();
    return found.length === 3 * MATCHED.length && found;
  });
  for (const { match_id } of matches) {
    const path = `/api/v1/compliance/matches/${String(match_id)}/assign`;
    await deployment.http.expect(200, { path, apiKey: unlucky.apiKey, body: { to: 'Vera' } });
  }
  const ids = await Promise.all([SHARED, MATCHED[0] as Person].map((one) => idOf(one, unlucky)));
  await deployment.instance(0).service.stop();
  await lose([...ids, '/texts/%']);
  await deployment.restart(0);
}, 120_000);

afterAll(() => deployment.stop());

describe('one lost data key', () => {
  it('leaves the list of accounts to operators', async () => {
    const { token } = deployment.operator;
    const { json } = await deployment.http.expect(200, { path: '/admin/accounts', token });
    const shown = new Map((json['accounts'] as Json[]).map((each) => [each['tenant_id'], each['contact_email']]));
    expect([shown.get(unlucky.tenantId), shown.get(other.tenantId)]).toEqual([null, expect.stringContaining('@')]);
  });

  it('leaves an issuance that another holder attests', async () => {
    expect((await issue(deployment.http, other, SHARED)).jti).toBeTruthy();
  });

  it('leaves the queue of matches, with what opens of each', async () => {
    const shown = (await matchesOf()).map(({ assigned_to: to, subject }) => [to, subject !== null]);
    expect(shown).toContainEqual(['Vera', true]);
    expect(shown).toContainEqual([null, false]);
  });

  it('leaves the export of the account, which marks what it lacks', async () => {
    const { apiKey } = unlucky;
    const { json } = await deployment.http.expect(202, {
      method: 'POST',
      path: '/api/v1/data-export',
      apiKey,
      body: { format: 'json' },
    });
    const done = await eventually('the export', async () => {
      const state = await get(`/api/v1/data-export/${String(json['export_id'])}`, unlucky);
      return state['status'] !== 'generating' && state;
    });
    expect(done['status']).toBe('completed');
    const { pathname, search } = new URL(String(done['download_url']));
    const answer = await fetch(`${deployment.instance(0).service.baseUrl}${pathname}${search}`);
    const files = await unzip(Buffer.from(await answer.arrayBuffer()));
    const records = JSON.parse(files.get('identities.json')?.toString() ?? '[]') as Json[];
    const marked = records.filter(({ unreadable }) => unreadable === true);
    expect([records.length, marked.length]).toEqual([4, 2]);
    expect(marked[0]).not.toHaveProperty('email');
  });
});
