import { type OnApplicationShutdown } from '@nestjs/common';
import { type Job as BullJob, type Queue } from 'bull';
import { type Job, type JobHandler, JobQueue } from '../../kernel/jobs.js';
import { type JobFailureListener } from './in-process-queue.js';

/** How long a caller waits for Redis before the job is left to the reconciler, milliseconds. */
const ENQUEUE_BUDGET = 1_000;
/** How long a shutdown waits for running jobs; what is cut off is found again by the reconciler. */
const CLOSE_BUDGET = 10_000;

/**
 * Where Redis loses a job just as a worker takes it, Bull makes its record anew: one that holds no data, stands in no list, and
 * would keep the id taken for good.
 */
const REMOVE_EMPTY_RECORD = `if redis.call('HEXISTS', KEYS[1], 'data') == 0 then redis.call('DEL', KEYS[1]) end`;

type Payload = Job['payload'];

const within = async (milliseconds: number, work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** Jobs on Redis by Bull. Nothing in Redis is needed: whatever it loses, the reconciler queues again. */
export class BullJobQueue extends JobQueue implements OnApplicationShutdown {
  private readonly queues: ReadonlyMap<string, Queue<Payload>>;

  constructor(
    queues: readonly Queue<Payload>[],
    private readonly onFailure: JobFailureListener,
  ) {
    super();
    this.queues = new Map(queues.map((queue) => [queue.name, queue]));
    for (const queue of queues) {
      // Bull reconnects by itself; without a listener an error of its connection would end the process.
      queue.on('error', () => undefined);
      queue.on('failed', (job: BullJob<Payload>, error) => onFailure(queue.name, String(job.id), error));
    }
  }

  override async enqueue(name: string, job: Job): Promise<void> {
    const queue = this.queue(name);
    if (queue.client.status !== 'ready') return;
    await within(
      ENQUEUE_BUDGET,
      this.add(queue, job).catch((error: unknown) => this.onFailure(name, job.id, error)),
    );
  }

  override work(name: string, concurrency: number, handler: JobHandler): void {
    const queue = this.queue(name);
    const working = queue.process(concurrency, (job: BullJob<Payload>) =>
      handler({ id: String(job.id), payload: job.data }),
    );
    working.catch((error: unknown) => this.onFailure(name, 'worker', error));
  }

  override health(): Promise<'up' | 'degraded'> {
    const ready = [...this.queues.values()].every((queue) => queue.client.status === 'ready');
    return Promise.resolve(ready ? 'up' : 'degraded');
  }

  override async close(): Promise<void> {
    const closing = [...this.queues.values()].map((queue) => queue.close().catch(() => undefined));
    await within(CLOSE_BUDGET, Promise.all(closing));
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private async add(queue: Queue<Payload>, { id, payload }: Job): Promise<void> {
    await queue.client.eval(REMOVE_EMPTY_RECORD, 1, queue.toKey(id));
    // A finished job is removed, so that its id can be queued again.
    await queue.add(payload, { jobId: id, attempts: 1, removeOnComplete: true, removeOnFail: true });
  }

  private queue(name: string): Queue<Payload> {
    const queue = this.queues.get(name);
    if (queue === undefined) throw new Error(`queue ${name} was not registered`);
    return queue;
  }
}
