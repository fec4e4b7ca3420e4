import { costOf, ENDPOINTS, goodCall, titleOf } from '../support/endpoints/endpoints.js';
import { worldOf } from '../support/endpoints/world.js';
import { Deployment } from '../support/load/deployment.js';
import { type Answer, type Json } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { balanceOf, type Tenant } from '../support/load/tenants.js';
import { eventually, sleep } from '../support/stack.js';

const CAP = 20;
const CALLERS = 64;

let deployment: Deployment;
let tenant: Tenant;
let people = 71_000;

beforeAll(async () => {
  deployment = await Deployment.start({ instances: 2 });
  tenant = await deployment.operator.tenant({ credits: 1_000 });
}, 90_000);
afterAll(() => deployment.stop());

const newKey = async (limits: object, granter = tenant.apiKey): Promise<{ id: string; apiKey: string }> => {
  const body = { name: 'Branch office', ...limits };
  const { json } = await deployment.http.expect(201, { path: '/api/v1/keys', apiKey: granter, body });
  return { id: String(json['id']), apiKey: String(json['api_key']) };
};

const change = (id: string, body: object, granter = tenant.apiKey): Promise<Answer> =>
  deployment.http.send({ method: 'PATCH', path: `/api/v1/keys/${id}`, apiKey: granter, body });

const check = (apiKey: string, instance = 0, from?: string): Promise<Answer> =>
  deployment
    .instance(instance)
    .http.send({ path: '/api/v1/check-eligibility', apiKey, body: enquiry(person((people += 1))), from });

/** How many of these calls each status answered. */
const statuses = (answers: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const atOnce = (apiKey: string, callers = CALLERS): Promise<readonly Answer[]> =>
  Promise.all(Array.from({ length: callers }, (_, index) => check(apiKey, index % 2)));

const listed = async (id: string): Promise<Json | undefined> => {
  const { http } = deployment.instance(1);
  const { json } = await http.expect(200, { path: '/api/v1/keys', apiKey: tenant.apiKey });
  return (json['keys'] as Json[]).find((key) => key['id'] === id);
};

describe('a capped key', () => {
  it('spends exactly its cap with many callers on two processes, and again over a crash', async () => {
    const key = await newKey({ credit_cap_per_day: CAP });
    const before = await balanceOf(deployment.http, tenant);
    const answers = await atOnce(key.apiKey);
    expect(statuses(answers)).toEqual({ 200: CAP, 402: CALLERS - CAP });
    const refused = answers.find(({ status }) => status === 402);
    expect(refused?.code).toBe('KEY_CAP_REACHED');
    expect(String(refused?.json['detail'])).toMatch(
      /^Insufficient Credits - Payment Required: the key .* 20 credits a day/,
    );
    expect(Number(refused?.header('retry-after'))).toBeLessThanOrEqual(86_400);
    expect(await balanceOf(deployment.http, tenant)).toBe(before - CAP);
    await deployment.instance(0).service.kill9();
    await deployment.restart(0);
    expect(statuses(await atOnce(key.apiKey, 10))).toEqual({ 402: 10 });
    expect((await change(key.id, { credit_cap_per_day: CAP + 3 })).json).toMatchObject({ credit_cap_per_day: CAP + 3 });
    await eventually('the higher cap on both', async () => {
      const [one, other] = [await check(key.apiKey, 0), await check(key.apiKey, 1)];
      return one.status === 200 || other.status === 200;
    });
    const later = statuses(await atOnce(key.apiKey, 20));
    expect(later[200] ?? 0).toBeLessThanOrEqual(2);
    expect(await balanceOf(deployment.http, tenant)).toBe(before - CAP - 3);
  }, 120_000);

  it('spends exactly its cap though the event node is away for a while, and what was answered 503 is given back', async () => {
    const key = await newKey({ credit_cap_per_day: 300 });
    const before = await balanceOf(deployment.http, tenant);
    const answers: Answer[] = [];
    let isOver = false;
    const callers = Array.from({ length: 8 }, async (_, index) => {
      while (!isOver) {
        const answer = await check(key.apiKey, index % 2);
        answers.push(answer);
        if (answer.status !== 200) await sleep(100);
      }
    });
    await eventually('some calls', () => answers.length > 20);
    deployment.eventStore.pause();
    await sleep(4_000);
    deployment.eventStore.resume();
    // Calls whose outcome was not known in time are reversed, and leave the cap to others.
    const charged = (): number => statuses(answers)[200] ?? 0;
    await eventually('the whole cap', () => charged() >= 300, 60_000);
    await sleep(2_000);
    isOver = true;
    await Promise.all(callers);
    expect(charged()).toBe(300);
    expect(statuses(answers)[503] ?? 0).toBeGreaterThan(0);
    await eventually('the balance', async () => (await balanceOf(deployment.http, tenant)) === before - 300);
  }, 120_000);

  it('is announced once, and its spending is that of its account by keys', async () => {
    const key = await newKey({ credit_cap_per_day: 1 });
    const feed = '/api/v1/events?limit=100';
    await check(key.apiKey);
    for (let call = 0; call < 3; call += 1) expect((await check(key.apiKey)).code).toBe('KEY_CAP_REACHED');
    const announced = await eventually('the announcement', async () => {
      const { json } = await deployment.http.expect(200, { path: feed, apiKey: tenant.apiKey });
      const mine = (json['events'] as Json[]).filter(
        ({ type, data }) => type === 'key.cap_reached' && (data as Json)['key_id'] === key.id,
      );
      return mine.length > 0 && mine;
    });
    expect(announced).toHaveLength(1);
    expect(announced[0]?.['data']).toMatchObject({ credit_cap_per_day: 1, spent: 1 });
    const { json: usage } = await deployment.http.expect(200, {
      path: '/billing/usage?days=2&group_by=key',
      apiKey: tenant.apiKey,
    });
    const byKey = usage['by_key'] as Json[];
    const sum = byKey.reduce((total, { total_credits: credits }) => total + Number(credits), 0);
    expect(sum).toBe((usage['totals'] as Json)['total_credits']);
    expect(byKey.find(({ key_id: id }) => id === key.id)).toMatchObject({
      name: 'Branch office',
      check_eligibility: 1,
      total_credits: 1,
    });
  }, 60_000);

  it('shares its cap with the keys that it makes and with its successor', async () => {
    const leaked = await newKey({ credit_cap_per_day: 4, scopes: ['keys', 'eligibility'] });
    const made = await Promise.all([1, 2, 3].map(() => newKey({}, leaked.apiKey)));
    const path = `/api/v1/keys/${leaked.id}/rotate`;
    const { json } = await deployment.http.expect(201, { path, apiKey: leaked.apiKey, body: {} });
    const all = [leaked.apiKey, ...made.map(({ apiKey }) => apiKey), String(json['api_key'])];
    const answers = await Promise.all(all.flatMap((apiKey) => [0, 1].map((instance) => check(apiKey, instance))));
    expect(statuses(answers)).toEqual({ 200: 4, 402: 6 });
    for (const body of [{ credit_cap_per_day: 5 }, { credit_cap_per_day: null }])
      expect((await change(leaked.id, body, leaked.apiKey)).code).toBe('FORBIDDEN');
  }, 60_000);
});

describe('a call that a capped key pays', () => {
  const charged = ENDPOINTS.filter((endpoint) => endpoint.access === 'key' && costOf(endpoint) > 0);

  it.each(charged.map((endpoint) => [titleOf(endpoint), endpoint] as const))(
    '%s: the cap allows one, and not two',
    async (_title, endpoint) => {
      const world = await worldOf(deployment);
      const cost = costOf(endpoint);
      const key = await newKey({ credit_cap_per_day: 2 * cost - 1 }, world.owner.apiKey);
      const call = await goodCall(endpoint, world, { ...world.owner, apiKey: key.apiKey });
      expect((await deployment.http.send(call)).status).toBe(endpoint.success);
      const before = await balanceOf(deployment.http, world.owner);
      expect((await deployment.http.send(call)).code).toBe('KEY_CAP_REACHED');
      expect(await balanceOf(deployment.http, world.owner)).toBe(before);
    },
    60_000,
  );
});

describe('a key of some addresses', () => {
  it('works from those only, on every instance soon after a change', async () => {
    const key = await newKey({ allowed_addresses: ['127.9.0.0/16', '2001:db8::/32'] });
    expect((await check(key.apiKey, 0, '127.9.1.1')).status).toBe(200);
    const refused = await check(key.apiKey, 1, '127.1.1.1');
    expect([refused.status, refused.code]).toEqual([403, 'ADDRESS_NOT_ALLOWED']);
    expect((await change(key.id, { allowed_addresses: ['127.1.1.1'] })).status).toBe(200);
    await eventually('the change on the other instance', async () => {
      const [there, here] = [await check(key.apiKey, 1, '127.1.1.1'), await check(key.apiKey, 1, '127.9.1.1')];
      return there.status === 200 && here.code === 'ADDRESS_NOT_ALLOWED';
    });
    await eventually('its last use', async () => (await listed(key.id))?.['last_used_from'] === '127.1.1.0/24');
    const signIn = (from: string): Promise<Answer> => {
      const headers = { 'X-Console': '1' };
      return deployment.http.send({ path: '/console/session', headers, body: { api_key: key.apiKey }, from });
    };
    expect((await signIn('127.9.1.1')).code).toBe('ADDRESS_NOT_ALLOWED');
    const entered = await signIn('127.1.1.1');
    expect(entered.status).toBe(200);
    const [cookie = ''] = String(entered.header('set-cookie')).split(';');
    const seen = async (from: string): Promise<unknown> => {
      const headers = { 'X-Console': '1', Cookie: cookie };
      const { json } = await deployment.http.expect(200, { method: 'GET', path: '/console/session', headers, from });
      return json['signed_in'];
    };
    expect([await seen('127.9.1.1'), await seen('127.1.1.1')]).toEqual([false, true]);
    expect((await change(key.id, { allowed_addresses: [] })).status).toBe(200);
    await eventually('from anywhere', async () => (await check(key.apiKey, 1, '127.7.7.7')).status === 200);
  }, 60_000);

  it('may not be changed from outside, and makes keys of its own addresses only', async () => {
    const key = await newKey({ allowed_addresses: ['127.9.0.0/16'], scopes: ['keys'] });
    const outside = { path: '/api/v1/keys', apiKey: key.apiKey, body: { name: 'Mine' } };
    expect((await deployment.http.send({ ...outside, from: '127.1.1.1' })).code).toBe('ADDRESS_NOT_ALLOWED');
    const from = '127.9.2.2';
    const wider = { ...outside, from, body: { name: 'Mine', allowed_addresses: ['127.0.0.0/8'] } };
    expect((await deployment.http.send(wider)).code).toBe('FORBIDDEN');
    const made = await deployment.http.expect(201, { ...outside, from });
    expect(made.json['allowed_addresses']).toEqual(['127.9.0.0/16']);
  }, 60_000);
});

it('lists the keys that no one has used', async () => {
  const { json } = await deployment.http.expect(200, { path: '/api/v1/keys?unused_days=90', apiKey: tenant.apiKey });
  expect(json['keys']).toEqual([]);
});
