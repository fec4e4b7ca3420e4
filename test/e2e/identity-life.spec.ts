import { type Answer, type Json } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

const PERSON = person(77);

let deployment: SharedDeployment;
let tenant: Tenant;

const send = (
  path: string,
  more: { readonly method?: 'DELETE' | 'POST'; readonly body?: object } = {},
): Promise<Answer> => deployment.http.send({ path: `/api/v1/${path}`, apiKey: tenant.apiKey, ...more });

const ingest = async (tier: string): Promise<string> => {
  const { email, phone_number } = PERSON;
  const body = { ...PERSON, kyc_status: 'APPROVED', tier };
  await deployment.http.expect(202, { path: '/api/v1/ingest', apiKey: tenant.apiKey, body });
  return eventually('the identity', async () => {
    const { json } = await send('identities/search', { body: { email, phone_number } });
    const [found] = (json['identities'] ?? []) as Json[];
    const id = found?.['identity_id'] as string | undefined;
    if (id === undefined) return undefined;
    return (await send(`identity/${id}`)).json['tier'] === tier ? id : undefined;
  });
};

const lifeOf = async (id: string): Promise<readonly Json[]> =>
  (await send(`identity/${id}/life`)).json['life'] as Json[];
const kindsOf = async (id: string): Promise<readonly unknown[]> => (await lifeOf(id)).map(({ kind }) => kind);

beforeAll(async () => {
  deployment = await SharedDeployment.take('quick');
  tenant = await deployment.operator.tenant({ credits: 10 });
}, 90_000);
afterAll(() => deployment.leave());

it('is shown newest first, by who did it, and each look is an entry of the audit log', async () => {
  const id = await ingest('Tier1');
  await ingest('Tier2');
  await deployment.http.expect(202, { method: 'DELETE', path: `/api/v1/identity/${id}`, apiKey: tenant.apiKey });
  await send(`identity/${id}/restore`, { method: 'POST' });
  const life = await lifeOf(id);
  expect(life.map(({ kind }) => kind)).toEqual(['restored', 'deleted', 'verified', 'updated', 'verified', 'ingested']);
  expect(life[1]).toMatchObject({ actor: { type: 'api_key' }, ingestion_id: null, tier: null });
  expect(life[3]).toMatchObject({ ingestion_id: expect.any(String), kyc_status: 'APPROVED', tier: 'Tier2' });
  expect(JSON.stringify(life)).not.toContain(PERSON.email);
  const { logs } = (await send(`compliance/audit-log?action=identity_life_read&identity_id=${id}`)).json as {
    logs: Json[];
  };
  const before = logs.length;
  expect((await send(`identity/${id}/life?limit=1`)).json['life']).toHaveLength(1);
  const after = (await send(`compliance/audit-log?action=identity_life_read&identity_id=${id}`)).json['logs'] as Json[];
  expect(after).toHaveLength(before + 1);
  const stranger = await deployment.operator.tenant({ credits: 1 });
  const path = `/api/v1/identity/${id}/life`;
  expect((await deployment.http.send({ path, apiKey: stranger.apiKey })).code).toBe('NOT_FOUND');
});

it('ends with an erasure: a new record begins a life of its own', async () => {
  const id = await ingest('Tier3');
  await send(`identity/${id}/erase`, { body: { reason: 'Asked for it' } });
  await eventually('its end', async () => (await send(`identity/${id}/life`)).code === 'NOT_FOUND');
  await eventually('the certificate', async () => (await send(`identity/${id}/erasure-certificate`)).status === 200);
  expect(await ingest('Tier1')).toBe(id);
  expect(await kindsOf(id)).toEqual(['verified', 'ingested']);
});
