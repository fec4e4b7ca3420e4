import { Client } from 'pg';
import { Deployment, LONG_STORE_BUDGET_MS, SCALED_ERASURE } from '../support/load/deployment.js';
import { type Answer } from '../support/load/http.js';
import { enquiry, person, type Person } from '../support/load/people.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { TestReceiver } from '../support/receiver.js';
import { type Ran, runCommand } from '../support/service-command.js';
import { eventually } from '../support/stack.js';

const KEPT = [person(84_000), person(84_001)];
const LOST = [84_002, 84_003, 84_004].map(person);
const [again, ...gone] = LOST as [Person, ...Person[]];

let deployment: Deployment;
let receiver: TestReceiver;
let tenant: Tenant;

const withDatabase = async (work: (query: (text: string) => Promise<unknown>, name: string) => Promise<void>) => {
  const url = new URL(deployment.databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await work((text) => client.query(text), name);
  await client.end();
};

const idOf = async (one: Person): Promise<string> => {
  const path = `/api/v1/identities?${new URLSearchParams(enquiry(one)).toString()}`;
  const { json } = await deployment.http.expect(200, { path, apiKey: tenant.apiKey });
  return String((json['identities'] as { identity_id: string }[])[0]?.identity_id);
};
const read = (id: string): Promise<Answer> =>
  deployment.http.send({ path: `/api/v1/identity/${id}`, apiKey: tenant.apiKey });
const isFound = async (one: Person): Promise<boolean> => {
  const call = { path: '/api/v1/check-eligibility', apiKey: tenant.apiKey, body: enquiry(one) };
  return (await deployment.http.expect(200, call)).json['found'] === true;
};
const keys = (...words: string[]): Promise<Ran> => runCommand(['keys', ...words], deployment.env);

let ids: string[];

beforeAll(async () => {
  receiver = await TestReceiver.start();
  deployment = await Deployment.start({ env: { ...LONG_STORE_BUDGET_MS, ...SCALED_ERASURE } });
  tenant = await deployment.operator.tenant({ credits: 1_000 });
  const body = { url: receiver.url('/told'), events: ['identity.deleted'] };
  await deployment.http.expect(201, { path: '/api/v1/webhooks/endpoints', apiKey: tenant.apiKey, body });
  await ingestAll(deployment.http, tenant, KEPT);
  await deployment.instance(0).service.stop();
  await withDatabase((query, name) => query(`CREATE DATABASE ${name}_kept TEMPLATE ${name}`).then(() => undefined));
  await deployment.restart(0);
  await ingestAll(deployment.http, tenant, LOST);
  ids = await Promise.all(LOST.map(idOf));
  await deployment.instance(0).service.stop();
  // As a restore of a back-up does.
  await withDatabase(async (query, name) => {
    await query(`DROP DATABASE ${name}`);
    await query(`ALTER DATABASE ${name}_kept RENAME TO ${name}`);
  });
  await keys('reapply-erasures', '--operator', 'tests');
  await deployment.restart(0);
}, 180_000);

afterAll(async () => {
  await deployment.stop();
  await receiver.stop();
});

describe('after an older state of Postgres was restored', () => {
  it('readiness and metrics say that data keys are lost', async () => {
    const { token } = deployment.operator;
    const notes = await eventually('the note', async () => {
      const { json } = await deployment.http.send({ path: '/health/ready', token });
      return (json['notes'] as Record<string, string> | undefined)?.['data_keys'];
    });
    expect(notes).toBe(`${LOST.length} data keys are lost: npm run keys -- lost names whose data`);
    const { text } = await deployment.http.expect(200, { path: '/metrics', token });
    expect(text).toMatch(new RegExp(`^data_keys_lost ${LOST.length}$`, 'm'));
  });

  it('an identity whose data can’t be read is 503 with what to do, and others are read', async () => {
    const answers = await Promise.all(ids.map(read));
    expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual(LOST.map(() => '503 UNAVAILABLE'));
    expect(answers[0]?.json['detail']).toContain('ingest it again');
    expect((await read(await idOf(KEPT[0] as Person))).status).toBe(200);
  });

  it('keys verify and keys lost name whose', async () => {
    const verified = await keys('verify');
    expect([verified.status, verified.stdout]).toEqual([
      1,
      expect.stringContaining(`${LOST.length} keys that the log names are lost`),
    ]);
    const { status, stdout } = await keys('lost', '--json');
    const losses = JSON.parse(stdout) as Record<string, { identities: string[] }>;
    expect([status, losses[tenant.tenantId]?.identities.sort()]).toEqual([1, [...ids].sort()]);
  });

  it('what is ingested again is read again', async () => {
    await ingestAll(deployment.http, tenant, [again]);
    expect((await read(ids[0] as string)).json).toMatchObject({ email: again.email });
  });

  it('what is given up is told to its account, found no more, and may be ingested anew', async () => {
    const { status, stdout } = await keys('give-up', '--operator', 'tests', '--justification', 'The disk died');
    expect([status, stdout]).toEqual([0, expect.stringContaining(`${LOST.length} keys are given up`)]);
    const stages = await eventually('the news', () => {
      const webhookData = receiver.at('/told').map(({ body }) => (JSON.parse(body) as { data: object }).data);
      const lost = webhookData.filter((data) => 'stage' in data && data.stage === 'lost');
      return lost.length >= gone.length && lost;
    });
    expect(stages.map((data) => ('identity_id' in data ? data.identity_id : '')).sort()).toEqual(ids.slice(1).sort());
    for (const one of gone) await eventually('not found', async () => !(await isFound(one)));
    expect((await read(ids[1] as string)).status).toBe(404);
    expect((await read(ids[0] as string)).status).toBe(200);
    await eventually(
      'the end of the erasures',
      () => receiver.at('/told').filter(({ body }) => body.includes('"hard"')).length >= gone.length,
    );
    await ingestAll(deployment.http, tenant, gone);
    expect((await read(ids[1] as string)).json).toMatchObject({ email: gone[0]?.email });
    const { token } = deployment.operator;
    const { json } = await deployment.http.expect(200, { path: '/health/ready', token });
    expect(json['notes'] ?? {}).not.toHaveProperty('data_keys');
    expect((await keys('verify')).status).toBe(0);
  });
});
