import { BullModule, getQueueToken } from '@nestjs/bull';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Queue } from 'bull';
import { type Job, JobQueue } from '../../kernel/jobs.js';
import { BullJobQueue } from './bull-queue.js';
import { InProcessJobQueue, type JobFailureListener } from './in-process-queue.js';

export interface QueueOptions {
  /** Undefined: jobs run inside the process. */
  readonly redisUrl: string | undefined;
  /** Every queue that is used. */
  readonly queues: readonly string[];
  /** Told of a job that threw; the reconciler tries it again. */
  readonly onFailure: JobFailureListener;
}

const MAX_RECONNECT_DELAY = 2_000;

/**
 * A worker that has not renewed its hold on a job for this long is taken for dead, and another one takes the job. Short, since
 * accepted work waits for it; one that was merely slow does no harm, since a job may be worked on twice.
 */
const STALLING = { lockDuration: 6_000, stalledInterval: 3_000, maxStalledCount: 1_000 };

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

/** Binds JobQueue for the whole application: Bull where Redis is configured, else in-process. */
@Module({})
export class QueueModule {
  static register({ redisUrl, queues, onFailure }: QueueOptions): DynamicModule {
    if (redisUrl === undefined) {
      const provider = { provide: JobQueue, useFactory: () => new InProcessJobQueue(onFailure) };
      return { module: QueueModule, global: true, providers: [provider], exports: [JobQueue] };
    }
    const redis = redisOptions(redisUrl);
    return {
      module: QueueModule,
      global: true,
      imports: [
        BullModule.registerQueue(...queues.map((name) => ({ name, redis, prefix: 'kyc-jobs', settings: STALLING }))),
      ],
      providers: [
        {
          provide: JobQueue,
          inject: queues.map((name) => getQueueToken(name)),
          useFactory: (...registered: Queue<Job['payload']>[]) => new BullJobQueue(registered, onFailure),
        },
      ],
      exports: [JobQueue],
    };
  }
}
