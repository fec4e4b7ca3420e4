import { Redis } from 'ioredis';
import { Deployment } from '../support/load/deployment.js';
import { person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { eventually, redisInstalled, sleep } from '../support/stack.js';

const INGESTIONS = 600;

const describeWithRedis = redisInstalled ? describe : describe.skip;

describeWithRedis('ingestions through Bull on a real Redis', () => {
  let deployment: Deployment;
  let tenant: Tenant;

  beforeAll(async () => {
    deployment = await Deployment.start({ redis: true, instances: 2 });
    tenant = await deployment.operator.tenant();
  }, 120_000);

  afterAll(() => deployment.stop(), 30_000);

  it('all complete and none twice, with Redis flushed in the middle and then killed', async () => {
    const redis = deployment.redis;
    if (redis === undefined) throw new Error('no Redis');
    const ids: string[] = [];
    const waiting = Array.from({ length: INGESTIONS }, (_, index) => index).values();
    const sender = async (instance: number): Promise<void> => {
      for (const index of waiting) {
        const answer = await deployment.instance(instance).http.expect(202, {
          path: '/api/v1/ingest',
          body: { ...person(index), kyc_status: 'APPROVED' },
          apiKey: tenant.apiKey,
        });
        ids.push(String(answer.json['ingestion_id']));
      }
    };
    const sending = Promise.all(Array.from({ length: 16 }, (_, index) => sender(index % 2)));
    await eventually('a third of the ingestions', () => ids.length > INGESTIONS / 3, 60_000);
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    await eventually('two thirds of the ingestions', () => ids.length > (2 * INGESTIONS) / 3, 60_000);
    await redis.kill9();
    await sending;
    await eventually('the end of every ingestion', async () => (await ends()).size === INGESTIONS, 120_000);
    await sleep(2_000);
    expect([...(await ends()).values()].filter((count) => count !== 1)).toEqual([]);
    expect([...(await written()).values()].filter((count) => count !== 1)).toEqual([]);
    expect((await written()).size).toBe(INGESTIONS);
  }, 300_000);

  const count = async (prefix: string, type: string): Promise<Map<string, number>> => {
    const counts = new Map<string, number>();
    for await (const event of deployment.log.everything()) {
      if (event.stream.startsWith(`${prefix}-${tenant.tenantId}_`) && event.type === type) {
        counts.set(event.stream, (counts.get(event.stream) ?? 0) + 1);
      }
    }
    return counts;
  };
  const ends = () => count('ingestion', 'IngestionCompleted.v1');
  const written = () => count('identity', 'IdentityIngested.v1');
});
