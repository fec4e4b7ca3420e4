import { Redis } from 'ioredis';
import { Deployment, PATIENT } from '../support/load/deployment.js';
import { person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { eventually, redisInstalled, sleep } from '../support/stack.js';

const INGESTIONS = 10_000;
/** As many ingested one by one as batches, in turn, so that both kinds are under way at either blow. */
const SINGLES = 400;
const BATCH = (INGESTIONS - SINGLES) / SINGLES;
const REQUESTS = 2 * SINGLES;

const record = (index: number): object => ({ ...person(index), kyc_status: 'APPROVED' });

const requestOf = (index: number): { readonly path: string; readonly body: object } => {
  const turn = Math.floor(index / 2);
  if (index % 2 === 0) return { path: '/api/v1/ingest', body: record(turn) };
  const records = Array.from({ length: BATCH }, (_, at) => record(SINGLES + turn * BATCH + at));
  return { path: '/api/v1/ingest/batch', body: { records } };
};

const flush = async (url: string): Promise<void> => {
  const client = new Redis(url);
  await client.flushall();
  client.disconnect();
};

const describeWithRedis = redisInstalled ? describe : describe.skip;

describeWithRedis('ingestions through Bull on a real Redis', () => {
  let deployment: Deployment;
  let tenant: Tenant;

  beforeAll(async () => {
    deployment = await Deployment.start({ redis: true, instances: 2, env: PATIENT });
    tenant = await deployment.operator.tenant();
  }, 120_000);

  afterAll(() => deployment.stop(), 90_000);

  it('all complete and none twice, with Redis flushed in the middle and then killed', async () => {
    const redis = deployment.redis;
    if (redis === undefined) throw new Error('no Redis');
    let accepted = 0;
    /** Each strikes as soon as so many are accepted, while the other senders go on. */
    const blows = new Map<number, () => Promise<unknown>>([
      [Math.ceil(REQUESTS / 3), () => flush(redis.url)],
      [Math.ceil((2 * REQUESTS) / 3), () => redis.kill9()],
    ]);
    const waiting = Array.from({ length: REQUESTS }, (_, index) => index).values();
    /** As callers do who are told that the service is busy: with the same key, until it is accepted. */
    const send = async (instance: number, index: number): Promise<boolean> => {
      const { path, body } = requestOf(index);
      const headers = { 'idempotency-key': `request ${index}` };
      const answer = await deployment.instance(instance).http.send({ path, body, headers, apiKey: tenant.apiKey });
      return answer.status === 202;
    };
    const sender = async (instance: number): Promise<void> => {
      for (const index of waiting) {
        await eventually(`the acceptance of request ${index}`, () => send(instance, index), 120_000);
        accepted += 1;
        await blows.get(accepted)?.();
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, index) => sender(index % 2)));
    // However long it takes: as long as it goes on.
    for (let ended = 0; ended < REQUESTS;) {
      const more = async () => (await sleep(2_000), await ends()).size > ended;
      await eventually('the end of one more ingestion', more, 60_000);
      ended = (await ends()).size;
    }
    await sleep(2_000);
    expect([...(await ends()).values()].filter((count) => count !== 1)).toEqual([]);
    expect([...(await written()).values()].filter((count) => count !== 1)).toEqual([]);
    expect((await written()).size).toBe(INGESTIONS);
    expect((await count('identity', 'IdentityUpdated.v1')).size).toBe(0);
  }, 600_000);

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
