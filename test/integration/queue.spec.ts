import 'reflect-metadata';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { JobQueue } from '../../src/kernel/jobs.js';
import { QueueModule } from '../../src/platform/queue/queue.module.js';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

const until = async (condition: () => boolean | Promise<boolean>, milliseconds = 10_000): Promise<void> => {
  const end = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('did not come about in time');
    await sleep(20);
  }
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

describe('jobs on a real Redis', () => {
  const failures: string[] = [];
  let folder: string;
  let port: number;
  let redis: ChildProcess;
  let application: INestApplicationContext;
  let queue: JobQueue;

  const startRedis = async (): Promise<void> => {
    redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
      stdio: 'ignore',
    });
    await until(() => answers(port));
  };

  const killRedis = async (): Promise<void> => {
    redis.kill('SIGKILL');
    await once(redis, 'exit');
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'queue-'));
    port = await freePort();
    Logger.overrideLogger(false);
    await startRedis();
    const module = QueueModule.register({
      redisUrl: `redis://127.0.0.1:${port}/0`,
      queues: ['first', 'second', 'third'],
      onFailure: (name, id) => failures.push(`${name}/${id}`),
    });
    application = await NestFactory.createApplicationContext(module);
    queue = application.get(JobQueue);
    await until(async () => (await queue.health()) === 'up');
  }, 30_000);

  afterAll(async () => {
    await queue.close();
    await application.close();
    await killRedis();
    await rm(folder, { recursive: true });
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

  it('leaves nothing of a finished job in Redis', async () => {
    const client = new Redis(port, '127.0.0.1');
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
    await killRedis();
    await until(async () => (await queue.health()) === 'degraded');
    const started = performance.now();
    await queue.enqueue('second', { id: 'lost', payload: {} });
    expect(performance.now() - started).toBeLessThan(1_500);
    await startRedis();
    await until(async () => (await queue.health()) === 'up');
    await until(async () => {
      await queue.enqueue('second', { id: 'after', payload: {} });
      return done.includes('after');
    }, 20_000);
  }, 60_000);

  it('goes on after everything in Redis was flushed away', async () => {
    const done: string[] = [];
    queue.work('third', 1, async ({ id }) => {
      await sleep(20);
      done.push(id);
    });
    for (let index = 0; index < 10; index += 1) await queue.enqueue('third', { id: `flushed-${index}`, payload: {} });
    const client = new Redis(port, '127.0.0.1');
    await client.flushall();
    client.disconnect();
    await until(async () => {
      await queue.enqueue('third', { id: 'after', payload: {} });
      return done.includes('after');
    }, 20_000);
  }, 60_000);
});
