import { type BeforeApplicationShutdown } from '@nestjs/common';
import { type Job as BullJob, type Queue } from 'bull';
import { type Job, type JobHandler, JobQueue, type QueueDepth, type QueueingOptions } from '../../kernel/jobs.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { completesWithin } from '../../kernel/completes-within.js';
import { type JobListener } from './in-process-queue.js';

/** Milliseconds to wait for Redis. After that the job is left to the reconciler. */
const ANSWER_BUDGET_MS = 1_000;
/** The name of `pauseAfterTry` in the queues' settings. */
export const BACKOFF = 'pause_after_try';
/** Milliseconds that a shutdown waits for running jobs. The reconciler finds jobs that were cut off. */
const CLOSE_BUDGET_MS = 5_000;

/**
 * If Redis loses a job just as a worker takes it, Bull creates an empty record for it. That record has no data and is
 * in no list, but it would block the id for good.
 */
const REMOVE_EMPTY_RECORD = `if redis.call('HEXISTS', KEYS[1], 'data') == 0 then redis.call('DEL', KEYS[1]) end`;

type Payload = Job['payload'];

/** Jobs on Redis by Bull. Redis holds nothing essential: the reconciler queues every lost job again. */
export class BullJobQueue extends JobQueue implements BeforeApplicationShutdown {
  private readonly queues: ReadonlyMap<string, Queue<Payload>>;
  /** Queues with an open connection that does not answer. A Redis that hangs closes no connection. */
  private readonly unresponsive = new Set<Queue<Payload>>();

  constructor(
    queues: readonly Queue<Payload>[],
    private readonly listener: JobListener,
  ) {
    super();
    this.queues = new Map(queues.map((queue) => [queue.name, queue]));
    for (const queue of queues) {
      // @nestjs/bull closes each queue too, and waits for its jobs without a limit.
      Object.assign(queue, { onApplicationShutdown: () => undefined });
      // Bull reconnects by itself. Without a listener a connection error would end the process.
      queue.on('error', () => undefined);
      queue.on('failed', (job: BullJob<Payload>, error) => this.failed(queue.name, job, error));
    }
  }

  override async enqueue(name: string, job: Job, options: QueueingOptions = {}): Promise<void> {
    const queue = this.queue(name);
    if (!this.isReady(queue)) return;
    const adding = this.add(queue, job, options).catch((error: unknown) => this.listener.failed(name, job.id, error));
    if (!(await completesWithin(ANSWER_BUDGET_MS, adding))) this.markUnresponsive(queue);
  }

  override work(name: string, concurrency: number, handler: JobHandler): void {
    const queue = this.queue(name);
    const working = queue.process(concurrency, (job: BullJob<Payload>) =>
      handler({ id: String(job.id), payload: job.data }),
    );
    working.catch((error: unknown) => this.listener.failed(name, 'worker', error));
  }

  override async health(): Promise<'up' | 'degraded'> {
    const answers = await Promise.all([...this.queues.values()].map((queue) => this.answers(queue)));
    return answers.every(Boolean) ? 'up' : 'degraded';
  }

  override async depths(): Promise<ReadonlyMap<string, QueueDepth>> {
    const depths = await Promise.all([...this.queues.values()].map((queue) => this.depthOf(queue)));
    return new Map(depths);
  }

  override async close(): Promise<void> {
    const closing = [...this.queues.values()].map((queue) => queue.close().catch(() => undefined));
    await completesWithin(CLOSE_BUDGET_MS, Promise.all(closing));
  }

  /** Runs while everything that a job uses still works. */
  beforeApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private async depthOf(queue: Queue<Payload>): Promise<readonly [string, QueueDepth]> {
    if (!this.isReady(queue)) throw new Unavailable('redis');
    const counting = queue.getJobCounts().catch((cause: unknown) => {
      throw new Unavailable('redis', { cause });
    });
    if (!(await completesWithin(ANSWER_BUDGET_MS, counting))) {
      this.markUnresponsive(queue);
      throw new Unavailable('redis');
    }
    const { waiting, active, delayed } = await counting;
    return [queue.name, { waiting, running: active, delayed }];
  }

  private isReady(queue: Queue<Payload>): boolean {
    return queue.client.status === 'ready' && !this.unresponsive.has(queue);
  }

  private async answers(queue: Queue<Payload>): Promise<boolean> {
    if (!this.isReady(queue)) return false;
    const answered = queue.client.ping().then(
      () => true,
      () => false,
    );
    if (await completesWithin(ANSWER_BUDGET_MS, answered)) return answered;
    this.markUnresponsive(queue);
    return false;
  }

  /** No one else waits on this connection until it answers again, or is lost and replaced. */
  private markUnresponsive(queue: Queue<Payload>): void {
    if (this.unresponsive.has(queue)) return;
    this.unresponsive.add(queue);
    const heard = (): boolean => this.unresponsive.delete(queue);
    queue.client.ping().then(heard, heard);
  }

  private failed(queue: string, job: BullJob<Payload>, error: unknown): void {
    const id = String(job.id);
    this.listener.failed(queue, id, error);
    if (job.attemptsMade >= (job.opts.attempts ?? 1)) this.listener.dead(queue, { id, payload: job.data }, error);
  }

  private async add(
    queue: Queue<Payload>,
    { id, payload }: Job,
    { delayMs = 0, attempts = 1 }: QueueingOptions,
  ): Promise<void> {
    await queue.client.eval(REMOVE_EMPTY_RECORD, 1, queue.toKey(id));
    // A finished job is removed, so that its id can be queued again.
    const removing = { removeOnComplete: true, removeOnFail: true };
    await queue.add(payload, { jobId: id, delay: delayMs, attempts, backoff: { type: BACKOFF }, ...removing });
  }

  private queue(name: string): Queue<Payload> {
    const queue = this.queues.get(name);
    if (queue === undefined) throw new Error(`queue ${name} was not registered`);
    return queue;
  }
}
