import { randomUUID } from 'node:crypto';
import { type Json } from '../support/load/http.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { balanceOf, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';

const path = '/api/v1/compliance/sanctions/batch';
const LISTED = { full_name: 'Confirmed Testmatch', date_of_birth: '1970-01-01' };
const OTHER = { full_name: 'Nobody Atall' };

let deployment: SharedDeployment;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
}, 90_000);
afterAll(() => deployment.leave(), 60_000);

const ask = (tenant: Tenant, queries: readonly object[], headers: Readonly<Record<string, string>> = {}) =>
  deployment.http.send({ path, apiKey: tenant.apiKey, body: { queries }, headers });

const resultsOf = (json: Json): readonly Json[] => json['results'] as readonly Json[];

describe('a batch of checks', () => {
  it('charges, decides and audits each query by itself', async () => {
    const tenant = await deployment.operator.tenant({ credits: 100 });
    const answer = await ask(tenant, [LISTED, OTHER, LISTED]);
    expect([answer.status, answer.json['credits_charged'], answer.header('x-credits-balance')]).toEqual([200, 6, '94']);
    const results = resultsOf(answer.json).map(({ result }) => result as Json);
    expect(results.map(({ status }) => status)).toEqual(['confirmed_match', 'clear', 'confirmed_match']);
    const ids = results.map(({ decision_id: id }) => String(id));
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) {
      await deployment.http.expect(200, { path: `/api/v1/compliance/decisions/${id}`, apiKey: tenant.apiKey });
    }
    const audit = '/api/v1/compliance/audit-log?action=sanctions_check';
    const { json } = await deployment.http.expect(200, { path: audit, apiKey: tenant.apiKey });
    expect(json['logs']).toHaveLength(3);
  });

  it('charges once under its Idempotency-Key, and answers the same', async () => {
    const tenant = await deployment.operator.tenant({ credits: 100 });
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [await ask(tenant, [LISTED, OTHER], headers), await ask(tenant, [LISTED, OTHER], headers)];
    const replayed = again.header('idempotency-replayed');
    expect([again.status, again.text, again.header('x-credits-charged'), replayed]).toEqual([
      200,
      first.text,
      '0',
      'true',
    ]);
    expect(await balanceOf(deployment.http, tenant)).toBe(96);
    expect((await ask(tenant, [LISTED], headers)).json['error_code']).toBe('IDEMPOTENCY_MISMATCH');
  });

  it('answers what the credits pay for, and says what they do not', async () => {
    const tenant = await deployment.operator.tenant({ credits: 5 });
    const { status, json } = await ask(tenant, [OTHER, LISTED, OTHER, OTHER]);
    expect([status, json['credits_charged']]).toEqual([200, 4]);
    expect(resultsOf(json).map(({ error }) => (error as Json | undefined)?.['error_code'])).toEqual([
      undefined,
      undefined,
      'INSUFFICIENT_CREDITS',
      'INSUFFICIENT_CREDITS',
    ]);
    expect((await ask(tenant, [OTHER])).status).toBe(402);
    expect(await balanceOf(deployment.http, tenant)).toBe(1);
  });

  it('goes on under its Idempotency-Key where the credits ended, and answers the rest as decided before', async () => {
    const tenant = await deployment.operator.tenant({ credits: 5 });
    const headers = { 'idempotency-key': randomUUID() };
    const first = await ask(tenant, [OTHER, LISTED, OTHER], headers);
    await deployment.operator.adjust(tenant.tenantId, 100);
    const whole = await ask(tenant, [OTHER, LISTED, OTHER], headers);
    expect([whole.header('x-credits-charged'), whole.json['credits_charged']]).toEqual(['2', 6]);
    expect(resultsOf(whole.json).slice(0, 2)).toEqual(resultsOf(first.json).slice(0, 2));
    expect(resultsOf(whole.json)[2]?.['error']).toBeUndefined();
    expect(await balanceOf(deployment.http, tenant)).toBe(99);
  });

  it('screens a query anew whose decision was deleted, and charges it', async () => {
    const tenant = await deployment.operator.tenant({ credits: 100 });
    const headers = { 'idempotency-key': randomUUID() };
    const first = resultsOf((await ask(tenant, [OTHER, LISTED], headers)).json).map(({ result }) => result as Json);
    const path = `/api/v1/compliance/decisions/${String(first[1]?.['decision_id'])}`;
    await deployment.http.expect(204, { method: 'DELETE', path, apiKey: tenant.apiKey });
    const again = await eventually('a new check of it', async () => {
      const answer = await ask(tenant, [OTHER, LISTED], headers);
      return answer.header('x-credits-charged') === '2' ? answer : undefined;
    });
    const results = resultsOf(again.json).map(({ result }) => result as Json);
    expect(results[0]).toEqual(first[0]);
    expect(results[1]?.['decision_id']).not.toBe(first[1]?.['decision_id']);
  }, 90_000);

  it('is refused whole, uncharged, where a query is invalid, and names its place', async () => {
    const tenant = await deployment.operator.tenant({ credits: 100 });
    const { status, json } = await ask(tenant, [OTHER, { full_name: '---' }, { gender: 'x', full_name: 'Ann' }]);
    expect([status, (json['errors'] as Json[]).map(({ field }) => field)]).toEqual([
      422,
      ['queries[1].full_name', 'queries[2].gender'],
    ]);
    expect(await balanceOf(deployment.http, tenant)).toBe(100);
  });
});
