import { type IssuingTenant, issue, issuerTokenFor } from '../support/credentials.js';
import { Deployment, LONG_STORE_BUDGET } from '../support/load/deployment.js';
import { type Answer, type Json } from '../support/load/http.js';
import { person, type Person } from '../support/load/people.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually, sleep } from '../support/stack.js';

const DAY = 86_400_000;

let deployment: Deployment;
let tenant: Tenant;
/** With a token to issue, and people of its own. */
let holder: IssuingTenant;

const get = async (path: string, { apiKey } = tenant): Promise<Json> =>
  (await deployment.http.expect(200, { path, apiKey })).json;

const post = (path: string, body: object): Promise<Answer> =>
  deployment.http.send({ path, apiKey: tenant.apiKey, body });

const dayAfter = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

const balance = async (): Promise<unknown> => (await get('/billing/credits'))['credits'];

beforeAll(async () => {
  deployment = await Deployment.start({ env: { ...LONG_STORE_BUDGET, TIMING_AGE_EVERY_MS: '200' } });
  tenant = await deployment.operator.tenant({ credits: 1_000 });
  const account = await deployment.operator.tenant({ credits: 1_000 });
  holder = { ...account, bearer: await issuerTokenFor(deployment.http, account) };
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

  it('notifications of verification expiry: ahead of it, once each, of an identity and of its credential', async () => {
    const soon = { ...person(98_001), kyc_expires_at: new Date(Date.now() + 4.5 * DAY).toISOString() };
    await ingestAll(deployment.http, holder, [soon]);
    await issue(deployment.http, holder, soon);
    const notices = async (): Promise<unknown[]> => {
      const events = (await get('/api/v1/events?limit=1000', holder))['events'] as { type: string; data: Json }[];
      return events.flatMap(({ type, data }) => (type.endsWith('.expiring') ? [[type, data['days_left']]] : []));
    };
    await eventually('both notices', async () => (await notices()).length >= 2);
    // Another round would tell again what it does not know as told.
    await sleep(1_000);
    expect(new Set(await notices())).toEqual(
      new Set([
        ['identity.expiring', 5],
        ['credential.expiring', 5],
      ]),
    );
    expect(await notices()).toHaveLength(2);
  });

  it('confidence_score (number 0 to 1), which follows from the record', async () => {
    const bare = { ...person(98_002), date_of_birth: undefined };
    const full = { ...person(98_003), document_reference: 'passport' };
    await ingestAll(deployment.http, holder, [bare as unknown as Person, full]);
    const events = (await get('/api/v1/events?limit=1000', holder))['events'] as { type: string; data: Json }[];
    const scores = events.flatMap(({ type, data }) => (type === 'identity.verified' ? [data['confidence_score']] : []));
    expect(scores.slice(-2).sort()).toEqual([0.6, 1]);
  });
});
