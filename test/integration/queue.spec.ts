import 'reflect-metadata';
import { Global, type INestApplicationContext, Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import Bull from 'bull';
import { Redis } from 'ioredis';
import { JobQueue } from '../../src/kernel/jobs.js';
import { categories } from '../../src/categories.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { ConfigurationModule } from '../../src/boot/configuration.module.js';
import { type Logger as Log } from '../../src/observability/logging.js';
import { Database } from '../../src/platform/postgres/database.js';
import { QueueModule } from '../../src/platform/queue/queue.module.js';
import { Hold } from '../support/hold.js';
import { createServiceDatabase, eventually, redisInstalled, type RedisServer, startRedis } from '../support/stack.js';

let database: Database;

/** Of the stores, dead jobs need the database alone. */
@Global()
@Module({ providers: [{ provide: Database, useFactory: () => database }], exports: [Database] })
class DatabaseModule {}

const until = (condition: () => boolean | Promise<boolean>, milliseconds?: number): Promise<boolean> =>
  eventually('the condition', condition, milliseconds);

(redisInstalled ? describe : describe.skip)('jobs on a real Redis (needs redis-server)', () => {
  const failures: string[] = [];
  let redis: RedisServer;
  let application: INestApplicationContext;
  let queue: JobQueue;

  const note = ({ queue: name, job }: { readonly queue: string; readonly job: string }): number =>
    failures.push(`${name}/${job}`);
  const dead = () =>
    database.query<{ times: number }>('SELECT queue, job_id, payload, times FROM dead_jobs WHERE queue = $1', [
      'seventh',
    ]);

  /** On the port of the one before it, so that clients find it again. */
  const start = async (port?: number): Promise<void> => {
    const server = await startRedis(port);
    if (server === undefined) throw new Error('redis-server is installed but did not start');
    redis = server;
  };

  beforeAll(async () => {
    Logger.overrideLogger(false);
    await start();
    database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
    const module = await Test.createTestingModule({
      imports: [
        DatabaseModule,
        ConfigurationModule.forRoot({
          config: { ...loadConfig({}), redisUrl: redis.url },
          stores: { databaseUrl: '', eventStoreUrl: '' },
          logger: { error: note } as Pick<Log, 'error'> as Log,
          categories,
        }),
        QueueModule.forFeature('first', 'second', 'third'),
        QueueModule.forFeature('fourth', 'fifth', 'sixth', 'seventh'),
      ],
    }).compile();
    application = await module.init();
    queue = application.get(JobQueue, { strict: false });
    await until(async () => (await queue.health()) === 'up');
  }, 60_000);

  afterAll(async () => {
    await queue.close();
    await application.close();
    await database.close();
    await redis.stop();
  }, 30_000);

  it('runs each job once, hands over its payload, and lets a finished id be queued again', async () => {
    const done: string[] = [];
    for (const id of ['a', 'a', 'b']) await queue.enqueue('first', { id, payload: { reference: `of ${id}` } });
    queue.work('first', 2, ({ id, payload }) => {
      done.push(`${id} ${payload['reference'] ?? ''}`);
      return id === 'b' ? Promise.reject(new Error('broken')) : Promise.resolve();
    });
    await until(() => done.length === 2);
    expect([...done].sort()).toEqual(['a of a', 'b of b']);
    await until(() => failures.includes('first/b'));
    for (const id of ['a', 'b']) await queue.enqueue('first', { id, payload: { reference: 'again' } });
    await until(() => done.length === 4);
  }, 20_000);

  it('runs a job at its time, tries it again after a pause, and tells that it is dead after its last try', async () => {
    const tries: number[] = [];
    queue.work('seventh', 1, () => {
      tries.push(performance.now());
      return Promise.reject(new Error('broken'));
    });
    const began = performance.now();
    await queue.enqueue('seventh', { id: 'late', payload: { reference: 'r' } }, { delayMs: 500, attempts: 2 });
    await queue.enqueue('seventh', { id: 'late', payload: { reference: 'another' } });
    await until(async () => (await dead()).length === 1);
    expect((tries[0] ?? 0) - began).toBeGreaterThanOrEqual(499);
    expect((tries[1] ?? 0) - (tries[0] ?? 0)).toBeGreaterThanOrEqual(999);
    expect(tries).toHaveLength(2);
    expect(await dead()).toEqual([{ queue: 'seventh', job_id: 'late', payload: { reference: 'r' }, times: 1 }]);
    await queue.enqueue('seventh', { id: 'late', payload: { reference: 'r' } });
    await until(async () => (await dead())[0]?.times === 2);
  }, 30_000);

  it('leaves nothing of a finished job in Redis', async () => {
    const client = new Redis(redis.port, '127.0.0.1');
    await until(async () => (await client.keys('kyc-jobs:first:[ab]')).length === 0);
    client.disconnect();
  }, 20_000);

  it('never throws and answers soon while Redis is dead, reports degraded, and works again once it is back', async () => {
    const done: string[] = [];
    queue.work('second', 1, ({ id }) => {
      done.push(id);
      return Promise.resolve();
    });
    await queue.enqueue('second', { id: 'before', payload: {} });
    await until(() => done.includes('before'));
    await redis.kill9();
    await until(async () => (await queue.health()) === 'degraded');
    const began = performance.now();
    const lost = Array.from({ length: 20 }, (_, index) => ({ id: `lost-${index}`, payload: {} }));
    for (const job of lost) await queue.enqueue('second', job);
    // Each of them by itself would wait its second.
    expect(performance.now() - began).toBeLessThan(lost.length * 1_000);
    await start(redis.port);
    await until(async () => (await queue.health()) === 'up');
    await until(async () => {
      await queue.enqueue('second', { id: 'after', payload: {} });
      return done.includes('after');
    }, 20_000);
  }, 60_000);

  it('waits once for a Redis that hangs, says degraded, and goes on by itself when Redis does', async () => {
    const done: string[] = [];
    queue.work('sixth', 1, ({ id }) => {
      done.push(id);
      return Promise.resolve();
    });
    redis.pause();
    const began = performance.now();
    const jobs = Array.from({ length: 20 }, (_, index) => ({ id: `hung-${index}`, payload: {} }));
    await queue.enqueue('sixth', { id: 'first', payload: {} });
    for (const job of jobs) await queue.enqueue('sixth', job);
    expect(await queue.health()).toBe('degraded');
    // Each of them by itself would wait its second.
    expect(performance.now() - began).toBeLessThan(jobs.length * 1_000);
    redis.resume();
    await until(async () => (await queue.health()) === 'up');
    await until(() => done.includes('first'), 20_000);
    await queue.enqueue('sixth', { id: 'after', payload: {} });
    await until(() => done.includes('after'), 20_000);
  }, 60_000);

  it('gives the jobs of a worker that died to another one soon', async () => {
    const settings = { lockDuration: 6_000 };
    const dead = new Bull('fourth', { redis: { port: redis.port }, prefix: 'kyc-jobs', settings });
    const done: string[] = [];
    await queue.enqueue('fourth', { id: 'held', payload: {} });
    expect((await dead.getNextJob())?.id).toBe('held');
    queue.work('fourth', 1, ({ id }) => {
      done.push(id);
      return Promise.resolve();
    });
    await until(() => done.includes('held'), 15_000);
    await dead.close();
  }, 30_000);

  it('runs a job that Redis lost as a worker took it', async () => {
    const taking = new Bull('fifth', { redis: { port: redis.port }, prefix: 'kyc-jobs' });
    const client = new Redis(redis.port, '127.0.0.1');
    await queue.enqueue('fifth', { id: 'lost', payload: { reference: 'kept' } });
    await client.rename('kyc-jobs:fifth:lost', 'elsewhere');
    // What Bull then makes of it holds nothing that could be worked on.
    await taking.getNextJob();
    expect(await client.hkeys('kyc-jobs:fifth:lost')).toEqual(['processedOn']);
    await client.del('kyc-jobs:fifth:active', 'kyc-jobs:fifth:lost:lock');
    const done: (string | undefined)[] = [];
    queue.work('fifth', 1, ({ payload }) => {
      done.push(payload['reference']);
      return Promise.resolve();
    });
    await queue.enqueue('fifth', { id: 'lost', payload: { reference: 'kept' } });
    await until(() => done.includes('kept'));
    client.disconnect();
    await taking.close();
  }, 30_000);

  it('goes on after everything in Redis was flushed away', async () => {
    const done: string[] = [];
    const hold = new Hold();
    queue.work('third', 1, async ({ id }) => {
      await hold.pass();
      done.push(id);
    });
    for (let index = 0; index < 10; index += 1) await queue.enqueue('third', { id: `flushed-${index}`, payload: {} });
    const client = new Redis(redis.port, '127.0.0.1');
    await hold.reached;
    await client.flushall();
    client.disconnect();
    hold.release();
    await until(async () => {
      await queue.enqueue('third', { id: 'after', payload: {} });
      return done.includes('after');
    }, 20_000);
  }, 60_000);
});
