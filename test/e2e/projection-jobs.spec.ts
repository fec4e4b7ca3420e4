import pg from 'pg';
import { projections } from '../../src/projections.js';
import { PostgresProxy } from '../support/faults/postgres-proxy.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer, type Json } from '../support/load/http.js';
import { Random } from '../support/load/random.js';
import { tokenFor } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';

let deployment: Deployment;
let security: string;
/** A token of the other instance. */
let elsewhere: string;
let tenantId: string;

beforeAll(async () => {
  deployment = await Deployment.start({ env: LONG_STORE_BUDGET_MS, instances: 2 });
  security = await tokenFor(deployment.http, { roles: ['security'] });
  elsewhere = await tokenFor(deployment.instance(1).http, { roles: ['admin'] });
  ({ tenantId } = await deployment.operator.tenant({ credits: 100 }));
}, 120_000);

afterAll(() => deployment.stop());

const REASON = { reason: 'Ticket 4711' };

const post = (name: string, kind: 'verify' | 'rebuild', token = deployment.operator.token): Promise<Answer> =>
  deployment.http.send({
    method: 'POST',
    path: `/admin/projections/${name}/${kind}`,
    token,
    ...(kind === 'rebuild' ? { body: REASON } : {}),
  });

/** Asked of the other instance: what a job does is known everywhere. */
const jobOf = async (id: unknown): Promise<Json> => {
  const { http } = deployment.instance(1);
  return (await http.expect(200, { path: `/admin/projection-jobs/${String(id)}`, token: elsewhere })).json;
};

const ended = (id: unknown): Promise<Json> =>
  eventually('the end of the job', async () => {
    const job = await jobOf(id);
    return job['state'] === 'running' ? undefined : job;
  });

const run = async (name: string, kind: 'verify' | 'rebuild'): Promise<Json> => {
  const begun = await eventually('a job can begin', async () => {
    const answer = await post(name, kind);
    return answer.status === 202 ? answer : undefined;
  });
  return ended(begun.json['id']);
};

const placeOf = async (name: string): Promise<Json | undefined> => {
  const { json } = await deployment.http.expect(200, { path: '/admin/projections', token: security });
  const place = (json['projections'] as Json[]).find((each) => each['name'] === name);
  expect(BigInt(String(place?.['position'])) + BigInt(String(place?.['lag']))).toBe(BigInt(String(json['head'])));
  return place;
};

const inPostgres = async (text: string, values: readonly unknown[]): Promise<void> => {
  const client = new pg.Client({ connectionString: deployment.databaseUrl });
  await client.connect();
  try {
    expect((await client.query(text, [...values])).rowCount).toBe(1);
  } finally {
    await client.end();
  }
};

it('finds a row that differs with the event behind it, and a rebuild mends it', async () => {
  const clean = await run('ledger', 'verify');
  expect(clean).toMatchObject({ kind: 'verify', state: 'done', error: null, results: [{ equal: true }] });
  const version = projections.find(({ name }) => name === 'ledger')?.version ?? '';
  const balances = `projection_ledger_${version}.balances`;
  await inPostgres(`UPDATE ${balances} SET balance = balance + 7 WHERE tenant_id = $1`, [tenantId]);
  const found = await run('ledger', 'verify');
  expect(found).toMatchObject({ state: 'done', results: [{ projection: 'ledger', equal: false }] });
  const tables = (found['results'] as { tables: Json[] }[])[0]?.tables ?? [];
  const differing = tables.filter((table) => table['equal'] === false);
  expect(differing).toMatchObject([{ table: 'balances', differing_rows: 1, differences: [{ kind: 'different' }] }]);
  expect(await placeOf('ledger')).toMatchObject({ last_verification: { differing_rows: 1 }, failure: null });
  expect(await run('ledger', 'rebuild')).toMatchObject({ kind: 'rebuild', state: 'done' });
  expect(await run('ledger', 'verify')).toMatchObject({ results: [{ equal: true }] });
  expect(await placeOf('ledger')).toMatchObject({ last_verification: { differing_rows: 0 } });
}, 180_000);

it('does one job at a time, in the whole deployment', async () => {
  const begun = await eventually('a job can begin', async () => {
    const answer = await post('all', 'verify');
    return answer.status === 202 ? answer : undefined;
  });
  const { http } = deployment.instance(1);
  const path = '/admin/projections/eligibility/verify';
  const refused = await http.send({ method: 'POST', path, token: elsewhere });
  expect([refused.status, refused.json['error_code']]).toEqual([409, 'CONFLICT']);
  const job = await ended(begun.json['id']);
  expect(job).toMatchObject({ state: 'done', projections: projections.map(({ name }) => name) });
  expect((job['results'] as Json[]).map((result) => result['equal'])).toEqual(projections.map(() => true));
}, 120_000);

it('tells of a job whose process was killed, and lets another begin', async () => {
  const id = '0195f1aa-0000-7000-8000-000000000001';
  await inPostgres(
    `INSERT INTO projections.jobs (id, kind, projections, state, seen_at)
     VALUES ($1, 'verify', '{ledger}', 'running', now() - interval '1 minute')`,
    [id],
  );
  expect(await jobOf(id)).toMatchObject({ state: 'interrupted', error: null });
  expect(await run('eligibility', 'verify')).toMatchObject({ state: 'done' });
});

it('lets security verify, and the administrator rebuild, with a reason that the log keeps', async () => {
  expect((await post('accounts', 'rebuild', security)).status).toBe(403);
  expect((await post('nothing', 'verify')).status).toBe(404);
  await run('accounts', 'rebuild');
  const path = '/admin/audit-log?action=POST /admin/projections/{name}/rebuild&limit=1'.replaceAll(' ', '%20');
  const { json } = await deployment.http.expect(200, { path, token: security });
  expect(json['logs']).toMatchObject([{ target: { name: 'accounts' }, justification: 'Ticket 4711', outcome: 'done' }]);
}, 60_000);

it('streams where everything stands, with one entry in the operators’ log', async () => {
  const path = '/admin/stream?seconds=3';
  const streaming = deployment.http.expect(200, { path, token: security });
  const { id } = (
    await eventually('a job can begin', async () => {
      const answer = await post('eligibility', 'verify');
      return answer.status === 202 ? answer : undefined;
    })
  ).json;
  const { text } = await streaming;
  const jobs = [...text.matchAll(/^event: jobs\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Json);
  expect(jobs.some((told) => (told['jobs'] as Json[]).some((job) => job['id'] === id))).toBe(true);
  expect(text).toMatch(/^event: projections\ndata: \{"head":"\d+","projections":\[\{"name":"accounts"/m);
  const log = '/admin/audit-log?action=GET%20/admin/stream&outcome=done';
  expect((await deployment.http.expect(200, { path: log, token: security })).json['logs']).toHaveLength(1);
}, 60_000);

describe('while Postgres breaks what is written of jobs', () => {
  let proxy: PostgresProxy;
  let faulty: Deployment;

  beforeAll(async () => {
    faulty = await Deployment.start({
      env: LONG_STORE_BUDGET_MS,
      reachPostgres: async (databaseUrl) => {
        const faults = { statement: /jobs SET (state = \$2|results)/, breaking: 40, stalling: 0, stallFor: 0 };
        proxy = await PostgresProxy.start({ databaseUrl, random: new Random(1), ...faults });
        return proxy.databaseUrl;
      },
    });
  }, 120_000);

  afterAll(async () => {
    await faulty.stop();
    proxy.stop();
  });

  it('tells each result once, and the end that there was', async () => {
    const { http, operator } = faulty;
    const begun = await http.expect(202, {
      method: 'POST',
      path: '/admin/projections/all/verify',
      token: operator.token,
    });
    const path = `/admin/projection-jobs/${String(begun.json['id'])}`;
    const job = await eventually('the end', async () => {
      const { json } = await http.expect(200, { path, token: operator.token });
      return json['state'] === 'running' ? undefined : json;
    });
    expect(proxy.counts.breaks).toBeGreaterThan(0);
    const names = (job['results'] as Json[]).map((result) => String(result['projection']));
    expect([job['state'], names.toSorted()]).toEqual(['done', projections.map(({ name }) => name)]);
  }, 120_000);
});
