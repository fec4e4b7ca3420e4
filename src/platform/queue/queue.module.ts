import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, LazyModuleLoader, ModulesContainer } from '@nestjs/core';
import { type Queue } from 'bull';
import { type Job, JobQueue, pauseAfterTry } from '../../kernel/jobs.js';
import { type Config } from '../config/config.js';
import { FeatureList } from '../feature-list.js';
import { HealthChecks } from '../../observability/health.js';
import { Metrics } from '../../observability/metrics.js';
import { MonitoringModule } from '../../observability/monitoring.module.js';
import { CONFIG } from '../tokens.js';
import { WorkTracing } from '../../kernel/work-tracing.js';
import { BACKOFF, BullJobQueue } from './bull-queue.js';
import { InProcessJobQueue } from './in-process-queue.js';
import { JobFailures } from './job-failures.js';
import { observeQueue } from './queue-metrics.js';
import { QueueWorkers } from './queue-workers.js';

const MAX_RECONNECT_DELAY = 2_000;

/**
 * If a worker does not renew its lock on a job for this long, another worker takes the job. The time is short, because
 * accepted work waits for it. A worker that was merely slow does no harm, since a job may run twice.
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
    // A URL writes an IPv6 address in brackets; a socket takes it without them.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || '6379'),
    db: Number(url.pathname.slice(1) || '0'),
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
    retryStrategy: (tries: number) => Math.min(tries * 100, MAX_RECONNECT_DELAY),
  };
};

const QUEUES = new FeatureList<string>('queues');

/** Loads Bull only if Redis is configured: its package is large, and its queues connect as soon as they are made. */
const openQueue = async (
  { redisUrl }: Pick<Config, 'redisUrl'>,
  failures: JobFailures,
  modules: ModulesContainer,
  loader: LazyModuleLoader,
): Promise<JobQueue> => {
  if (redisUrl === undefined) return new InProcessJobQueue(failures);
  const { BullModule, getQueueToken } = await import('@nestjs/bull');
  const redis = redisOptions(redisUrl);
  const names = [...new Set(QUEUES.in(modules))];
  const queues = names.map((name) => ({ name, redis, prefix: 'kyc-jobs', settings: SETTINGS }));
  const bull = await loader.load(() => BullModule.registerQueue(...queues));
  return new BullJobQueue(
    names.map((name) => bull.get<Queue<Job['payload']>>(getQueueToken(name))),
    failures,
  );
};

/** JobQueue: Bull if Redis is configured, else in-process. */
@Module({
  imports: [DiscoveryModule, MonitoringModule],
  providers: [
    JobFailures,
    QueueWorkers,
    {
      provide: JobQueue,
      inject: [CONFIG, JobFailures, ModulesContainer, LazyModuleLoader, WorkTracing],
      useFactory: async (
        config: Config,
        failures: JobFailures,
        modules: ModulesContainer,
        loader: LazyModuleLoader,
        tracing: WorkTracing,
      ) => tracing.queue(await openQueue(config, failures, modules, loader)),
    },
  ],
  exports: [JobQueue],
})
export class QueueModule implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly health: HealthChecks,
    private readonly metrics: Metrics,
  ) {}

  /** JobQueue with these queues, for a slice's module to import. */
  static forFeature(...queues: readonly string[]): DynamicModule {
    return { ...QUEUES.of(QueueFeature, queues), imports: [QueueModule], exports: [QueueModule] };
  }

  onModuleInit(): void {
    this.health.register('queue', false, () => this.queue.health());
    observeQueue(this.queue, this.metrics);
  }
}

@Module({})
class QueueFeature {}
