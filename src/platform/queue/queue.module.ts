import { BullModule, getQueueToken } from '@nestjs/bull';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Queue } from 'bull';
import { type Job, JobQueue, pauseAfterTry } from '../../kernel/jobs.js';
import { BACKOFF, BullJobQueue } from './bull-queue.js';
import { InProcessJobQueue } from './in-process-queue.js';
import { JobFailures } from './job-failures.js';

export interface QueueOptions {
  /** Undefined: jobs run inside the process. */
  readonly redisUrl: string | undefined;
  /** Every queue that is used. */
  readonly queues: readonly string[];
}

const MAX_RECONNECT_DELAY = 2_000;

/**
 * A worker that has not renewed its hold on a job for this long is taken for dead, and another one takes the job. Short, since
 * accepted work waits for it; one that was merely slow does no harm, since a job may be worked on twice.
 */
const SETTINGS = {
  backoffStrategies: { [BACKOFF]: pauseAfterTry },
  lockDuration: 6_000,
  stalledInterval: 3_000,
  maxStalledCount: 1_000,
};

const redisOptions = (redisUrl: string) => {
  const url = new URL(redisUrl);
  return {
    // A URL writes an IPv6 address in brackets, a socket takes it without.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || '6379'),
    db: Number(url.pathname.slice(1) || '0'),
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
    retryStrategy: (tries: number) => Math.min(tries * 100, MAX_RECONNECT_DELAY),
  };
};

/** Binds JobQueue for the whole application: Bull where Redis is configured, else in-process. Needs Database, Metrics and LOGGER. */
@Module({})
export class QueueModule {
  static register({ redisUrl, queues }: QueueOptions): DynamicModule {
    if (redisUrl === undefined) {
      const provider = {
        provide: JobQueue,
        inject: [JobFailures],
        useFactory: (failures: JobFailures) => new InProcessJobQueue(failures),
      };
      return { module: QueueModule, global: true, providers: [JobFailures, provider], exports: [JobQueue] };
    }
    const redis = redisOptions(redisUrl);
    return {
      module: QueueModule,
      global: true,
      imports: [
        BullModule.registerQueue(...queues.map((name) => ({ name, redis, prefix: 'kyc-jobs', settings: SETTINGS }))),
      ],
      providers: [
        JobFailures,
        {
          provide: JobQueue,
          inject: [JobFailures, ...queues.map((name) => getQueueToken(name))],
          useFactory: (failures: JobFailures, ...registered: Queue<Job['payload']>[]) =>
            new BullJobQueue(registered, failures),
        },
      ],
      exports: [JobQueue],
    };
  }
}
