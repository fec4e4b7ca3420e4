import { Deployment, LONG_STORE_BUDGET } from '../support/load/deployment.js';
import { type Answer, type Json } from '../support/load/http.js';
import { type Tenant } from '../support/load/tenants.js';

const DAY = 86_400_000;

let deployment: Deployment;
let tenant: Tenant;

const get = async (path: string): Promise<Json> =>
  (await deployment.http.expect(200, { path, apiKey: tenant.apiKey })).json;

const post = (path: string, body: object): Promise<Answer> =>
  deployment.http.send({ path, apiKey: tenant.apiKey, body });

const dayAfter = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

const balance = async (): Promise<unknown> => (await get('/billing/credits'))['credits'];

beforeAll(async () => {
  deployment = await Deployment.start({ env: LONG_STORE_BUDGET });
  tenant = await deployment.operator.tenant({ credits: 1_000 });
}, 120_000);

afterAll(() => deployment.stop());

/** Sentences of the interface, each against a running service. */
describe('the interface says', () => {
  it.each(['all', ''])('action (string, default all): %j is all', async (action) => {
    await post('/api/v1/check-eligibility', { email: 'nobody@example.org', phone_number: '+14155550123' });
    const whole = (await get('/api/v1/compliance/audit-log'))['logs'] as Json[];
    expect(whole.length).toBeGreaterThan(0);
    expect((await get(`/api/v1/compliance/audit-log?action=${action}`))['logs']).toEqual(whole);
  });

  it('credentials are kept until revoked, or expired, plus a year', async () => {
    const { policy } = await get('/api/v1/compliance/retention');
    expect(policy).toMatchObject({ credentials: 'until revoked or expired plus 1 year' });
  });

  it('a report is over a range: one that lies in the future is refused and costs nothing', async () => {
    const before = await balance();
    const { status, json } = await post('/api/v1/compliance/report', {
      start_date: dayAfter(2),
      end_date: dayAfter(5),
      format: 'json',
    });
    expect([status, json['error_code'], await balance()]).toEqual([422, 'INVALID_DATE', before]);
  });
});
