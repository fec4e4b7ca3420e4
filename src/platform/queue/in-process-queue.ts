import { type BeforeApplicationShutdown } from '@nestjs/common';
import { completesWithin } from '../../kernel/completes-within.js';
import {
  type Job,
  type JobHandler,
  JobQueue,
  pauseAfterTry,
  type QueueDepth,
  type QueueingOptions,
} from '../../kernel/jobs.js';

export interface JobListener {
  /** Called after a try that threw. */
  readonly failed: (queue: string, jobId: string, error: unknown) => void;
  /** Called after the last try threw. */
  readonly dead: (queue: string, job: Job, error: unknown) => void;
}

/** Limit of waiting jobs. Further jobs are left to the reconciler. */
const MAX_WAITING = 100_000;
/** Longest delay of a timer. The reconciler finds jobs that are due later. */
const MAX_DELAY = 2 ** 31 - 1;

/** Milliseconds that a shutdown waits for running jobs. The reconciler finds those that it cuts off. */
const CLOSE_BUDGET_MS = 5_000;

interface Queued {
  readonly job: Job;
  readonly attempts: number;
  /** Number of failed tries. */
  readonly failed: number;
}

interface Lane {
  readonly waiting: Map<string, Queued>;
  /** Timers of jobs that are not due yet, by job id. */
  readonly delayed: Map<string, NodeJS.Timeout>;
  readonly running: Set<Promise<void>>;
  worker: { readonly concurrency: number; readonly handler: JobHandler } | undefined;
}

/** Jobs inside this process, with limited concurrency. A job is queued only once while it waits. */
export class InProcessJobQueue extends JobQueue implements BeforeApplicationShutdown {
  private readonly lanes = new Map<string, Lane>();
  private closed = false;

  constructor(private readonly listener: JobListener) {
    super();
  }

  override enqueue(queue: string, job: Job, { delayMs = 0, attempts = 1 }: QueueingOptions = {}): Promise<void> {
    this.put(queue, { job, attempts, failed: 0 }, delayMs);
    return Promise.resolve();
  }

  override work(queue: string, concurrency: number, handler: JobHandler): void {
    const lane = this.lane(queue);
    lane.worker = { concurrency, handler };
    this.fill(queue, lane);
  }

  override health(): Promise<'up' | 'degraded'> {
    return Promise.resolve('up');
  }

  override depths(): Promise<ReadonlyMap<string, QueueDepth>> {
    const lanes = [...this.lanes].map(([name, { waiting, running, delayed }]) => {
      return [name, { waiting: waiting.size, running: running.size, delayed: delayed.size }] as const;
    });
    return Promise.resolve(new Map(lanes));
  }

  override async close(): Promise<void> {
    this.closed = true;
    for (const { waiting, delayed } of this.lanes.values()) {
      waiting.clear();
      for (const timer of delayed.values()) clearTimeout(timer);
      delayed.clear();
    }
    const running = [...this.lanes.values()].flatMap((lane) => [...lane.running]);
    await completesWithin(CLOSE_BUDGET_MS, Promise.all(running));
  }

  /** Runs while everything that a job uses still works. */
  beforeApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private put(queue: string, queued: Queued, delayMs: number): void {
    const lane = this.lane(queue);
    const { waiting, delayed } = lane;
    const { id } = queued.job;
    if (this.closed || waiting.has(id) || delayed.has(id) || waiting.size + delayed.size >= MAX_WAITING) return;
    const admit = (): void => {
      delayed.delete(id);
      waiting.set(id, queued);
      this.fill(queue, lane);
    };
    if (delayMs > 0) delayed.set(id, setTimeout(admit, Math.min(delayMs, MAX_DELAY)).unref());
    else admit();
  }

  private lane(queue: string): Lane {
    const lane = this.lanes.get(queue) ?? {
      waiting: new Map<string, Queued>(),
      delayed: new Map<string, NodeJS.Timeout>(),
      running: new Set(),
      worker: undefined,
    };
    this.lanes.set(queue, lane);
    return lane;
  }

  private fill(queue: string, lane: Lane): void {
    const { worker, waiting, running } = lane;
    if (worker === undefined) return;
    for (const [id, queued] of waiting) {
      if (running.size >= worker.concurrency) return;
      waiting.delete(id);
      const run = this.run(queue, queued, worker.handler).finally(() => {
        running.delete(run);
        this.fill(queue, lane);
      });
      running.add(run);
    }
  }

  private async run(queue: string, { job, attempts, failed }: Queued, handler: JobHandler): Promise<void> {
    // A handler that queues a job at once must already count as running.
    await Promise.resolve();
    try {
      await handler(job);
    } catch (error) {
      this.listener.failed(queue, job.id, error);
      const tries = failed + 1;
      if (tries < attempts) this.put(queue, { job, attempts, failed: tries }, pauseAfterTry(tries));
      else this.listener.dead(queue, job, error);
    }
  }
}
