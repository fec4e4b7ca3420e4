import { Inject, Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { type Job } from '../../kernel/jobs.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { describeError, LOGGER, type Logger } from '../../observability/logging.js';
import { Metrics } from '../../observability/metrics.js';
import { Periodic } from '../periodic/periodic.js';
import { Database } from '../postgres/database.js';
import { type JobListener } from './in-process-queue.js';

const KEPT_DAYS = 30;

/** Shows failed jobs to operators: each failed try in the log, and dead jobs also in a table. */
@Injectable()
export class JobFailures implements JobListener {
  private readonly deaths: Counter<'queue'>;
  private readonly countFailure: (queue: string) => void;

  constructor(
    private readonly database: Database,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.countFailure = metrics.counter('jobs_failed_tries_total', 'Tries of jobs that failed', 'queue');
    this.deaths = new Counter({
      name: 'jobs_dead_total',
      help: 'Jobs whose last try failed',
      labelNames: ['queue'] as const,
      registers: [metrics.registry],
    });
  }

  failed(queue: string, job: string, error: unknown): void {
    this.countFailure(queue);
    this.logger.error({ queue, job, error: describeError(error) }, 'a job failed');
  }

  dead(queue: string, job: Job, error: unknown): void {
    // The store returns, and the reconciler then queues the job again.
    if (error instanceof Unavailable) return;
    this.deaths.inc({ queue });
    this.note(queue, job, error).catch((fault: unknown) =>
      this.logger.error({ queue, job: job.id, error: describeError(fault) }, 'a dead job could not be noted'),
    );
  }

  @Periodic({ every: 3_600_000, role: 'jobs', alone: true })
  async forgetOld(): Promise<void> {
    await this.database.query('DELETE FROM dead_jobs WHERE died_at < now() - make_interval(days => $1)', [KEPT_DAYS]);
  }

  private async note(queue: string, { id, payload }: Job, error: unknown): Promise<void> {
    const { type, message } = describeError(error);
    await this.database.query(
      `INSERT INTO dead_jobs (queue, job_id, payload, error) VALUES ($1, $2, $3, $4)
       ON CONFLICT (queue, job_id) DO UPDATE SET error = excluded.error, times = dead_jobs.times + 1, died_at = now()`,
      [queue, id, payload, [type, message].filter(Boolean).join(': ')],
    );
  }
}
