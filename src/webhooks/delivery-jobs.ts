import { setMaxListeners } from 'node:events';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import pMap from 'p-map';
import { Attempts } from '../kernel/attempts.js';
import { type Clock } from '../kernel/clock.js';
import { invariant } from '../kernel/invariant.js';
import { type Job, JobQueue } from '../kernel/jobs.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { Worker } from '../platform/queue/worker.js';
import { CLOCK } from '../platform/tokens.js';
import { Deliveries } from './deliveries.js';
import { DeliveryRound } from './delivery-round.js';

/** Endpoints whose last try failed or took long stand in a line of their own, so that they never delay the others. */
const QUEUES = { quick: 'webhooks', slow: 'webhooks-slow' } as const;
type Line = keyof typeof QUEUES;

export const WEBHOOK_QUEUES = Object.values(QUEUES);

/** Endpoints that one process serves at the same time, in each line. */
const CONCURRENCY = 256;
/** While the queue is away. */
const CONCURRENCY_WITHOUT_QUEUE = 64;
/** Interval of the search for deliveries that are due, milliseconds. Fresh ones do not need it. */
const RECONCILE_INTERVAL_MS = 1_000;
const PURGE_INTERVAL_MS = 3_600_000;
/** The feed and the deliveries reach back this far, milliseconds (30 days). */
export const KEPT_FOR = 30 * 24 * 3_600_000;
/** The places of removed events, for readers who were away. */
const PLACES_KEPT_FOR = 90 * 24 * 3_600_000;
/** Each may have deliveries to 20 endpoints, of 10 tries each, which go with it within the budget of one statement. */
const PURGED_AT_ONCE = 100;

/** Sends endpoints with due deliveries through the queue. A job names its endpoint; the deliveries are in Postgres. */
@Injectable()
export class DeliveryJobs implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(
    private readonly queue: JobQueue,
    private readonly deliveries: Deliveries,
    private readonly round: DeliveryRound,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    // Each try under way adds a listener.
    setMaxListeners(0, this.stopping.signal);
  }

  @Worker({ queue: QUEUES.quick, concurrency: CONCURRENCY })
  deliverQuick(job: Job): Promise<void> {
    return this.process(job, 'quick');
  }

  @Worker({ queue: QUEUES.slow, concurrency: CONCURRENCY })
  deliverSlow(job: Job): Promise<void> {
    return this.process(job, 'slow');
  }

  /** Never throws. See JobQueue. */
  async wake(endpointIds: readonly string[], line: Line = 'quick'): Promise<void> {
    const jobs = endpointIds.map((endpointId): Job => ({ id: endpointId, payload: { endpointId } }));
    await Promise.all(jobs.map((job) => this.queue.enqueue(QUEUES[line], job)));
  }

  /** Finds due deliveries: those to be tried again, and those whose job the queue lost or did not take. */
  @Periodic({ every: RECONCILE_INTERVAL_MS, role: 'jobs', alone: true })
  async reconcile(): Promise<void> {
    const attempts = new Attempts();
    for await (const due of this.deliveries.endpointsDue(this.clock.now())) {
      if ((await this.queue.health()) === 'up') await this.wake(due);
      else await this.deliverWithoutQueue(due, attempts);
    }
    attempts.end();
  }

  /** An endpoint whose round fails keeps no other from its deliveries. */
  private async deliverWithoutQueue(endpointIds: readonly string[], attempts: Attempts): Promise<void> {
    const { signal } = this.stopping;
    await pMap(endpointIds, (endpointId) => attempts.make(() => this.round.run(endpointId, 'slow', signal)), {
      concurrency: CONCURRENCY_WITHOUT_QUEUE,
    });
  }

  @Periodic({ every: PURGE_INTERVAL_MS, role: 'jobs', alone: true })
  async purge(stopping?: AbortSignal): Promise<void> {
    const ago = (milliseconds: number): Date => new Date(this.clock.now().getTime() - milliseconds);
    let removed: number;
    do removed = await this.deliveries.purge(ago(KEPT_FOR), PURGED_AT_ONCE);
    while (removed === PURGED_AT_ONCE && stopping?.aborted !== true);
    await this.deliveries.purgeChallenges(ago(PLACES_KEPT_FOR));
    do removed = await this.deliveries.purgePlaces(ago(PLACES_KEPT_FOR), PURGED_AT_ONCE);
    while (removed === PURGED_AT_ONCE && stopping?.aborted !== true);
  }

  /** Runs while what a round needs still works. Tries under way are cut off, and stay due. */
  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async process({ payload: { endpointId } }: Job, line: Line): Promise<void> {
    invariant(endpointId !== undefined, 'a job names its endpoint');
    const end = await this.round.run(endpointId, line, this.stopping.signal);
    if (end === 'done') return;
    // Bull takes a job again only once it has ended.
    setImmediate(() => void this.wake([endpointId], end === 'slow' ? 'slow' : line));
  }
}
