import { type Json } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { TestReceiver } from '../support/receiver.js';
import { eventually } from '../support/stack.js';

/** Sandbox names. */
const HOLDER = { full_name: 'Primus Testpep' };
const LISTED = { full_name: 'Potential Testmatch' };

let deployment: SharedDeployment;
let receiver: TestReceiver;
let tenant: Tenant;

const API = '/api/v1/compliance';
const get = async (path: string): Promise<Json> =>
  (await deployment.http.expect(200, { path: `${API}/${path}`, apiKey: tenant.apiKey })).json;
const post = async (path: string, body: object): Promise<Json> =>
  (await deployment.http.expect(200, { path: `${API}/${path}`, apiKey: tenant.apiKey, body })).json;
const matches = async (query: string): Promise<Json[]> => (await get(`matches?${query}`))['matches'] as Json[];

beforeAll(async () => {
  receiver = await TestReceiver.start();
  deployment = await SharedDeployment.take('quick');
  tenant = await deployment.operator.tenant({ credits: 1_000 });
  const body = { url: receiver.url('/watched'), events: ['pep.match'] };
  await deployment.http.expect(201, { path: '/api/v1/webhooks/endpoints', apiKey: tenant.apiKey, body });
  await ingestAll(deployment.http, tenant, [
    { ...person(93_000), ...HOLDER },
    { ...person(93_001), ...LISTED },
  ]);
}, 90_000);

afterAll(async () => {
  await deployment.leave();
  await receiver.stop();
});

const inQueue = (): Promise<Json> =>
  eventually('the match', async () =>
    (await matches('kind=pep&status=open')).find(({ identity_id: id }) => id !== null),
  );
const announced = (): Json[] =>
  receiver.at('/watched').map(({ body }) => JSON.parse(body) as { data: Json; type: string } as unknown as Json);

describe('an office holder who is ingested', () => {
  it('is in the queue of their kind, announced and audited, and costs nothing', async () => {
    const match = await inQueue();
    expect(match).toMatchObject({ kind: 'pep', list: 'PEP', entry_id: 'sandbox-level-1', result: 'potential_match' });
    const event = await eventually('the event', () =>
      announced().find(({ data }) => (data as Json)['match_id'] === match['match_id']),
    );
    expect(event).toMatchObject({ type: 'pep.match', data: { identity_id: match['identity_id'], list: 'PEP' } });
    const { logs } = await get('audit-log?action=pep_check');
    expect(logs).toContainEqual(expect.objectContaining({ match_id: match['match_id'], result: 'pep' }));
    expect(await balanceOf(deployment.http, tenant)).toBe(1_000);
  });

  it('stays apart from what is found for sanctions', async () => {
    await eventually('the sanctions match', async () => (await matches('kind=sanctions')).length > 0);
    const kinds = async (query: string): Promise<unknown[]> => (await matches(query)).map(({ kind }) => kind);
    expect(new Set(await kinds('kind=sanctions'))).toEqual(new Set(['sanctions']));
    expect(new Set(await kinds('kind=pep'))).toEqual(new Set(['pep']));
    expect(new Set(await kinds(''))).toEqual(new Set(['sanctions', 'pep']));
  });

  it('has a decision that can be replayed, and is judged as any match is', async () => {
    const { match_id: id, decision_id: decision } = await inQueue();
    expect(await get(`decisions/${String(decision)}`)).toMatchObject({ kind: 'pep', origin: 'background' });
    expect(await get(`decisions/${String(decision)}/replay`)).toMatchObject({ reproduced: true });
    const revealed = await get(`matches/${String(id)}?reveal=true`);
    expect(revealed).toMatchObject({ subject: HOLDER, entry: { names: [{ name: HOLDER.full_name }] } });
    await post(`matches/${String(id)}/dismiss`, { reason: 'Another person', version: 1 });
    expect(await get(`matches/${String(id)}`)).toMatchObject({ status: 'dismissed', note: 'Another person' });
  });
});

describe('an office holder who is asked for', () => {
  it('is in the queue too, under the id that the answer has', async () => {
    const answer = await post('pep', { full_name: 'Secunda Testpep' });
    const [found] = answer['matches'] as Json[];
    const shown = await eventually('the match', async () =>
      (await matches('kind=pep')).find(({ match_id: id }) => id === found?.['match_id']),
    );
    expect(shown).toMatchObject({ identity_id: null, kind: 'pep', status: 'open' });
    await eventually('the event', () =>
      announced().find(({ data }) => (data as Json)['match_id'] === found?.['match_id']),
    );
    await post(`matches/${String(found?.['match_id'])}/dismiss`, { reason: 'Another person' });
    expect(await post('pep', { full_name: 'Secunda Testpep' })).toMatchObject({ is_pep: false });
  });
});
