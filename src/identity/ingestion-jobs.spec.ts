import { type CommandBus } from '@nestjs/cqrs';
import { type IngestionKey, type EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { systemClock } from '../kernel/clock.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { type Job, JobQueue } from '../kernel/jobs.js';
import { type ProcessIngestion } from './commands.js';
import { IngestionJobs } from './ingestion-jobs.js';
import { Metrics } from '../observability/metrics.js';

const TENANT = 't01arz3ndektsv4rrffq69g5fav' as TenantId;

/** Takes so many jobs and falls silent, as a Redis does that is stopped. */
class StallingQueue extends JobQueue {
  readonly taken: string[] = [];
  enqueueCalls = 0;

  constructor(
    private readonly most: number,
    private readonly onEnqueue: () => void,
  ) {
    super();
  }

  override enqueue(_queue: string, { id }: Job): Promise<void> {
    this.enqueueCalls += 1;
    this.onEnqueue();
    if (this.taken.length < this.most) this.taken.push(id);
    return Promise.resolve();
  }

  override work(): void {
    throw new Error('not started');
  }

  override depths(): Promise<ReadonlyMap<string, never>> {
    return Promise.resolve(new Map<string, never>());
  }
  override health(): Promise<'up' | 'degraded'> {
    return Promise.resolve(this.enqueueCalls > this.taken.length ? 'degraded' : 'up');
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}

const world = (count: number, most: number, onEnqueue = (): void => undefined) => {
  const due = Array.from({ length: count }, (): IngestionKey => ({ tenantId: TENANT, ingestionId: newUuid() }));
  const queue = new StallingQueue(most, onEnqueue);
  const index = { due: () => Promise.resolve(due) } as unknown as EligibilityQueries;
  const done: string[] = [];
  const execute = ({ data }: ProcessIngestion): Promise<void> => {
    done.push(data.ingestionId);
    return Promise.resolve();
  };
  const jobs = new IngestionJobs(queue, index, { execute } as unknown as CommandBus, systemClock, new Metrics());
  return { due: due.map(({ ingestionId }) => ingestionId), queue, done, jobs };
};

describe('what is due', () => {
  it('goes through the queue while that takes it', async () => {
    const { due, queue, done, jobs } = world(250, Infinity);
    await jobs.reconcile();
    expect(queue.taken).toEqual(due);
    expect(done).toEqual([]);
  });

  it.each([0, 1, 100, 249])('is worked on in place once the queue falls silent, after %i jobs', async (most) => {
    const { due, queue, done, jobs } = world(250, most);
    await jobs.reconcile();
    expect(done.sort()).toEqual(due.sort());
    expect(queue.enqueueCalls).toBeLessThanOrEqual(most + 100);
  });

  it('waits for the next process once this one stops', async () => {
    const stopping = new AbortController();
    const { queue, done, jobs } = world(250, Infinity, () => stopping.abort());
    await jobs.reconcile(stopping.signal);
    expect([queue.enqueueCalls, done.length]).toEqual([100, 0]);
  });

  it('is not worked on in place either once the process stops', async () => {
    const stopping = new AbortController();
    const { queue, done, jobs } = world(250, 0, () => stopping.abort());
    await jobs.reconcile(stopping.signal);
    expect([queue.enqueueCalls, done.length]).toEqual([100, 0]);
  });
});
