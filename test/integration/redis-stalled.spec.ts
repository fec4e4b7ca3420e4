import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { enquiry, person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { eventually, redisInstalled, sleep } from '../support/stack.js';

const INGESTIONS = 300;

const median = (times: readonly number[]): number =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

(redisInstalled ? describe : describe.skip)('a Redis that hangs and closes no connection (needs redis-server)', () => {
  let deployment: Deployment;
  let tenant: Tenant;

  beforeAll(async () => {
    deployment = await Deployment.start({ redis: true, instances: 2, env: LONG_STORE_BUDGET_MS });
    tenant = await deployment.operator.tenant({ credits: 100_000 });
  }, 120_000);

  afterAll(async () => {
    deployment.redis?.resume();
    await deployment.stop();
  }, 30_000);

  const ingest = async (index: number): Promise<number> => {
    const began = performance.now();
    const body = { ...person(index), kyc_status: 'APPROVED' };
    await deployment.instance(index % 2).http.expect(202, { path: '/api/v1/ingest', body, apiKey: tenant.apiKey });
    return performance.now() - began;
  };

  const isFound = async (index: number): Promise<boolean> => {
    const question = { path: '/api/v1/check-eligibility', body: enquiry(person(index)), apiKey: tenant.apiKey };
    return (await deployment.http.expect(200, question)).json['found'] === true;
  };

  const counted = async (prefix: string, type: string): Promise<number[]> => {
    const counts = new Map<string, number>();
    for await (const { stream, type: stored } of deployment.log.everything()) {
      if (stream.startsWith(`${prefix}-${tenant.tenantId}_`) && stored === type)
        counts.set(stream, (counts.get(stream) ?? 0) + 1);
    }
    return [...counts.values()];
  };

  it('keeps no ingestion waiting, and none is carried out twice once it goes on', async () => {
    const waiting = Array.from({ length: INGESTIONS }, (_, index) => index).values();
    const took: number[] = [];
    const sender = async (): Promise<void> => {
      for (const index of waiting) {
        took.push(await ingest(index));
        if (took.length === INGESTIONS / 3) deployment.redis?.pause();
      }
    };
    await Promise.all(Array.from({ length: 8 }, sender));
    // Each connection is waited for once, by whoever was under way on it, where all that follow might wait their second.
    const [before, after] = [took.slice(0, INGESTIONS / 3), took.slice(INGESTIONS / 3)];
    expect(median(after)).toBeLessThan(median(before) + 900);
    const { token } = deployment.operator;
    const ready = await deployment.http.expect(200, { method: 'GET', path: '/health/ready', token });
    expect(ready.json).toMatchObject({ status: 'degraded', parts: { queue: 'degraded' } });
    for (let index = 0; index < INGESTIONS; index += 1) await eventually(`person ${index}`, () => isFound(index));
    deployment.redis?.resume();
    const queue = async (): Promise<unknown> =>
      (await deployment.http.expect(200, { method: 'GET', path: '/health/ready', token })).json['parts'];
    await eventually('the queue', async () => ((await queue()) as { queue: string }).queue === 'up', 20_000);
    await sleep(3_000);
    for (const [prefix, type] of [
      ['ingestion', 'IngestionCompleted.v1'],
      ['identity', 'IdentityIngested.v1'],
    ] as const) {
      expect(await counted(prefix, type)).toEqual(Array.from({ length: INGESTIONS }, () => 1));
    }
    expect(await counted('identity', 'IdentityUpdated.v1')).toEqual([]);
  }, 180_000);
});
