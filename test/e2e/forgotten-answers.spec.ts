import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/postgres/database.js';
import { Deployment, LONG_STORE_BUDGET_MS, SCALED_ERASURE } from '../support/load/deployment.js';
import { enquiry, person } from '../support/load/people.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';

const PERSON = { full_name: 'Confirmed Testmatch', date_of_birth: '1970-01-01' };
const CREDITS = 100;
const COST = 2;
/** Erasures in seconds, but for the minute in which keys are forgotten without being told. */
const { TIMING_GRACE_PERIOD_MS, TIMING_AGE_EVERY_MS } = SCALED_ERASURE;
const QUICK = { TIMING_GRACE_PERIOD_MS, TIMING_AGE_EVERY_MS };
/** Milliseconds in which every instance forgets a key that was destroyed. */
const FORGOTTEN = 1_000;

let deployment: Deployment;
let tenant: Tenant;

beforeAll(async () => {
  deployment = await Deployment.start({ instances: 2, env: { ...LONG_STORE_BUDGET_MS, ...QUICK } });
}, 90_000);
afterAll(() => deployment.stop(), 60_000);
beforeEach(async () => {
  tenant = await deployment.operator.tenant({ credits: CREDITS });
});

const check = (instance: number, key: string) =>
  deployment.instance(instance).http.expect(200, {
    path: '/api/v1/compliance/sanctions',
    apiKey: tenant.apiKey,
    body: PERSON,
    headers: { 'idempotency-key': key },
  });

const decision = (id: string) => `/api/v1/compliance/decisions/${id}`;

const erase = (id: string) =>
  deployment.http.expect(204, { method: 'DELETE', path: decision(id), apiKey: tenant.apiKey });

describe('the kept answer of a check whose decision was deleted', () => {
  it.each([
    ['the instance that deleted it', 0],
    ['another instance', 1],
  ])('is given by %s no more: a repeat is a new check, charged and kept', async (_where, instance) => {
    const key = randomUUID();
    const first = await check(0, key);
    // Whoever has given it before still has its key in memory.
    for (const each of [0, 1]) expect((await check(each, key)).text).toBe(first.text);
    expect(await balanceOf(deployment.http, tenant)).toBe(CREDITS - COST);
    const id = String(first.json['decision_id']);
    await erase(id);
    const again = await check(instance, key);
    expect(again.json['decision_id']).not.toBe(id);
    expect(again.header('x-credits-charged')).toBe(String(COST));
    expect(await balanceOf(deployment.http, tenant)).toBe(CREDITS - 2 * COST);
    const { http } = deployment.instance(instance);
    await http.expect(200, { path: decision(String(again.json['decision_id'])), apiKey: tenant.apiKey });
    await http.expect(404, { path: decision(id), apiKey: tenant.apiKey });
    // The new answer is kept as any other.
    expect((await check(1 - instance, key)).text).toBe(again.text);
  });
});

it('the kept answer about a person is given by no instance once the person’s key was destroyed', async () => {
  const who = person(5_501);
  await ingestAll(deployment.http, tenant, [who]);
  const query = new URLSearchParams(enquiry(who)).toString();
  const { json } = await deployment.http.expect(200, { path: `/api/v1/identities?${query}`, apiKey: tenant.apiKey });
  const [identity] = json['identities'] as { identity_id: string }[];
  const keys = [randomUUID(), randomUUID()];
  const isFound = async (instance: number): Promise<unknown> =>
    (
      await deployment.instance(instance).http.expect(200, {
        path: '/api/v1/check-eligibility',
        apiKey: tenant.apiKey,
        body: enquiry(who),
        headers: { 'idempotency-key': keys[instance] ?? '' },
      })
    ).json['found'];
  for (const instance of [0, 1, 0, 1]) expect(await isFound(instance)).toBe(true);
  const database = new Database({ connectionString: deployment.databaseUrl });
  const destroyed = async (): Promise<number> =>
    (await database.query("SELECT 1 FROM destroyed_data_keys WHERE destroyed_at > now() - interval '1 hour'")).length;
  try {
    const before = await destroyed();
    const path = `/api/v1/identity/${identity?.identity_id ?? ''}`;
    await deployment.http.expect(202, { method: 'DELETE', path, apiKey: tenant.apiKey });
    // Until then a repeat is the answer of before, for whoever has its key in memory.
    await eventually('the destruction of the keys', async () => {
      const found = await Promise.all([isFound(0), isFound(1)]);
      return (await destroyed()) > before && found.length === 2;
    });
    for (const instance of [0, 1])
      await eventually(`instance ${instance} to forget`, async () => (await isFound(instance)) === false, FORGOTTEN);
  } finally {
    await database.close();
  }
}, 60_000);
