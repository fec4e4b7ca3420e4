import { newUuid } from '../../src/kernel/ids.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { ProjectionSession } from '../../src/platform/postgres/session.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer, Http } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { ownPort } from '../support/ports.js';
import { spawnService } from '../support/service.js';
import { eventually, newDataDir, type TestProcess } from '../support/stack.js';

const CREDITS = 1_000;

let deployment: Deployment;
let tenant: Tenant;
let session: ProjectionSession;
const started: TestProcess[] = [];

beforeAll(async () => {
  deployment = await Deployment.start({ env: LONG_STORE_BUDGET_MS });
  tenant = await deployment.operator.tenant({ credits: CREDITS });
  await ingestAll(deployment.http, tenant, [person(0), person(1), person(2)]);
  session = await ProjectionSession.open(deployment.databaseUrl);
}, 120_000);

afterAll(async () => {
  await session.close();
  await stopAll();
  await deployment.stop();
}, 60_000);

interface Instance {
  readonly http: Http;
  readonly management: Http;
  readonly process: TestProcess;
}

const start = async (roles: string): Promise<Instance> => {
  const [port, managementPort] = [await ownPort(), await ownPort()];
  const ports = { PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
  const process = spawnService({ ...deployment.env, ...ports, PROCESS_ROLES: roles, DATA_DIR: newDataDir() });
  started.push(process);
  const [http, management] = [port, managementPort].map((each) => new Http(`http://127.0.0.1:${each}`, 16));
  if (http === undefined || management === undefined) throw new Error('an instance has two ports');
  await eventually(
    'an instance to listen',
    async () => (await management.send({ path: '/health/live' })).status,
    90_000,
  );
  return { http, management, process };
};

const stopAll = async (): Promise<void> => {
  await Promise.all(started.splice(0).map((process) => process.stop()));
};

const check = (http: Http, index: number): Promise<Answer> =>
  http.send({ path: '/api/v1/check-eligibility', apiKey: tenant.apiKey, body: enquiry(person(index)) });

const found = async (http: Http, index: number): Promise<unknown> => {
  const answer = await check(http, index);
  return answer.status === 200 ? answer.json['found'] : answer.status;
};

const ready = async ({ management }: Instance): Promise<readonly [number, unknown]> => {
  const { status, json } = await management.send({ path: '/health/ready' });
  return [status, (json['parts'] as Record<string, string>)['read_model_eligibility']];
};

const becomes = (instance: Instance, state: readonly [number, string]): Promise<unknown> =>
  eventually(`${state.join(' ')}`, async () => String(await ready(instance)) === String(state), 60_000);

const identityOf = async (http: Http, index: number): Promise<string> => {
  const query = new URLSearchParams({ ...enquiry(person(index)) }).toString();
  const known = await http.expect(200, { path: `/api/v1/identities?${query}`, apiKey: tenant.apiKey });
  return (known.json['identities'] as readonly { readonly identity_id: string }[])[0]?.identity_id ?? '';
};

describe('an instance that only answers, started where the rows lack a deletion', () => {
  it('says 503 of anybody, uncharged, until another one has caught up to where the log stood', async () => {
    const before = await start('api');
    await becomes(before, [200, 'up']);
    expect(await found(before.http, 0)).toBe(true);
    // From here on nothing runs but what a test starts.
    await deployment.instance(0).service.stop();
    const path = `/api/v1/identity/${await identityOf(before.http, 0)}`;
    expect((await before.http.send({ method: 'DELETE', path, apiKey: tenant.apiKey })).status).toBe(503);
    await before.process.kill9();

    // However long the next start takes, the rows are not given up by their age: what they lack alone counts.
    await session.query(`UPDATE projections.checkpoints SET updated_at = now() + interval '10 minutes'`);
    const after = await start('api');
    const { http } = after;
    expect(await ready(after)).toEqual([503, 'down']);
    const credits = await balanceOf(http, tenant);
    for (const index of [0, 1, 0]) expect(await found(http, index)).toBe(503);
    const { length } = await deployment.log.credits(tenant.tenantId);
    expect(await balanceOf(http, tenant)).toBe(credits);

    await start('projections,jobs');
    await becomes(after, [200, 'up']);
    expect(await deployment.log.credits(tenant.tenantId)).toHaveLength(length);
    expect([await found(http, 0), await found(http, 1)]).toEqual([false, true]);
  }, 300_000);
});

describe('beside an instance that projects', () => {
  let busy: Instance;
  let newcomer: Instance;

  beforeAll(async () => {
    await stopAll();
    busy = await start('api,projections,jobs');
    await becomes(busy, [200, 'up']);
  }, 120_000);

  it('one that says it is ready serves the first callers, however busy the others are', async () => {
    let over = false;
    const ingesting = (async () => {
      for (let index = 3; !over; index += 1) await ingestAll(busy.http, tenant, [person(index)]);
    })();
    newcomer = await start('api');
    await eventually('the banner', () => newcomer.process.output.includes('is ready at'), 60_000);
    const first = await Promise.all([1, 2, 1, 2, 1].map((index) => found(newcomer.http, index)));
    over = true;
    await ingesting;
    expect(first).toEqual([true, true, true, true, true]);
  }, 120_000);

  it('rows that it no longer keeps up are known by the age of their checkpoint, and the rest is served', async () => {
    const answering = newcomer;
    await becomes(answering, [200, 'up']);
    await busy.process.stop();
    await session.query(`UPDATE projections.checkpoints SET updated_at = now() - interval '31 seconds'`);
    await becomes(answering, [200, 'degraded']);
    expect(await found(answering.http, 1)).toBe(503);
    await answering.http.expect(200, { path: '/billing/credits', apiKey: tenant.apiKey });
  }, 300_000);
});

describe('rows', () => {
  it('are given up at once where an event cannot be applied, also by a start after it', async () => {
    await stopAll();
    const everything = 'api,projections,jobs';
    const first = await start(everything);
    await becomes(first, [200, 'up']);
    const store = new GrpcEventStore({ connectionString: deployment.eventStore.connectionString, budgetMs: 10_000 });
    const time = new Date().toISOString();
    const metadata = {
      $correlationId: newUuid(),
      actor: { type: 'system', id: 'test' } as const,
      time,
      schemaVersion: 1,
    };
    const poison = { id: newUuid(), type: 'IdentityIngested.v1', data: { identityHash: null }, metadata };
    await store.append(`identity-${tenant.tenantId}_${'0'.repeat(32)}`, [poison], 'any', { budgetMs: 10_000 });
    await store.close();
    await becomes(first, [200, 'degraded']);
    // Not by its age.
    const live = `SELECT isfinite(updated_at) AS attended FROM projections.checkpoints WHERE projection = 'eligibility'`;
    expect(await session.query(live)).toEqual([{ attended: false }]);
    expect(await found(first.http, 1)).toBe(503);
    await first.process.stop();
    const second = await start(everything);
    await becomes(second, [200, 'degraded']);
    expect(await found(second.http, 1)).toBe(503);
    await second.http.expect(200, { path: '/billing/credits', apiKey: tenant.apiKey });
  }, 300_000);
});
