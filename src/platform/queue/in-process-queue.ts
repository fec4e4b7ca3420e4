import { type OnApplicationShutdown } from '@nestjs/common';
import { type Job, type JobHandler, JobQueue } from '../../kernel/jobs.js';

export type JobFailureListener = (queue: string, jobId: string, error: unknown) => void;

/** Beyond this many waiting jobs new ones are left to the reconciler. */
const MAX_WAITING = 100_000;

interface Lane {
  readonly waiting: Map<string, Job>;
  readonly running: Set<Promise<void>>;
  worker: { readonly concurrency: number; readonly handler: JobHandler } | undefined;
}

/** Jobs inside this process: bounded concurrency, each job queued once while it waits. */
export class InProcessJobQueue extends JobQueue implements OnApplicationShutdown {
  private readonly lanes = new Map<string, Lane>();
  private closed = false;

  constructor(private readonly onFailure: JobFailureListener) {
    super();
  }

  override enqueue(queue: string, job: Job): Promise<void> {
    const lane = this.lane(queue);
    if (!this.closed && (lane.waiting.size < MAX_WAITING || lane.waiting.has(job.id))) {
      lane.waiting.set(job.id, job);
      this.fill(queue, lane);
    }
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

  override async close(): Promise<void> {
    this.closed = true;
    for (const lane of this.lanes.values()) lane.waiting.clear();
    await Promise.all([...this.lanes.values()].flatMap((lane) => [...lane.running]));
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private lane(queue: string): Lane {
    const lane = this.lanes.get(queue) ?? { waiting: new Map<string, Job>(), running: new Set(), worker: undefined };
    this.lanes.set(queue, lane);
    return lane;
  }

  private fill(queue: string, lane: Lane): void {
    const { worker, waiting, running } = lane;
    if (worker === undefined) return;
    for (const [id, job] of waiting) {
      if (running.size >= worker.concurrency) return;
      waiting.delete(id);
      const run = this.run(queue, job, worker.handler).finally(() => {
        running.delete(run);
        this.fill(queue, lane);
      });
      running.add(run);
    }
  }

  private async run(queue: string, job: Job, handler: JobHandler): Promise<void> {
    // A handler that queues at once must find itself counted as running.
    await Promise.resolve();
    try {
      await handler(job);
    } catch (error) {
      this.onFailure(queue, job.id, error);
    }
  }
}
