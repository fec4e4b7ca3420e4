import { type Position } from '@eventstore/db-client';
import { Redis } from 'ioredis';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { soak } from '../support/soak.js';
import { eventually, redisInstalled, sleep } from '../support/stack.js';

/** As many ingested one by one as batches, in turn, so that both kinds are under way at either blow. */
const SINGLES = soak(1_500, 6_000) / 25;
/** Records of a batch. */
const BATCH = 24;
const INGESTIONS = SINGLES * (1 + BATCH);
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
    deployment = await Deployment.start({ redis: true, instances: 2, env: LONG_STORE_BUDGET_MS });
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
    while (ends().size < REQUESTS) {
      const before = ends().size;
      const more = async () => (await readOn(), ends().size > before);
      await eventually('the end of one more ingestion', more, 60_000);
    }
    await sleep(2_000);
    await readOn();
    expect([...ends().values()].filter((count) => count !== 1)).toEqual([]);
    expect([...written().values()].filter((count) => count !== 1)).toEqual([]);
    expect([ends().size, written().size]).toEqual([REQUESTS, INGESTIONS]);
    expect(counted('identity', 'IdentityUpdated.v1').size).toBe(0);
  }, 600_000);

  /** How often each stream has got an event, by the stream's kind and the event's type. */
  const counts = new Map<string, Map<string, number>>();
  let read: Position | undefined;

  /** Reads what the log has got since it was last read. */
  const readOn = async (): Promise<void> => {
    for await (const { stream, type, position } of deployment.log.headings(read)) {
      read = position;
      const kind = stream.slice(0, stream.indexOf('-'));
      if (!stream.startsWith(`${kind}-${tenant.tenantId}_`)) continue;
      const those = counted(kind, type);
      those.set(stream, (those.get(stream) ?? 0) + 1);
    }
  };

  const counted = (kind: string, type: string): Map<string, number> => {
    const those = counts.get(`${kind} ${type}`) ?? new Map<string, number>();
    counts.set(`${kind} ${type}`, those);
    return those;
  };
  const ends = () => counted('ingestion', 'IngestionCompleted.v1');
  const written = () => counted('identity', 'IdentityIngested.v1');
});
