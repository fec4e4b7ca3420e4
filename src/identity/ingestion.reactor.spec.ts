import { type StoredEvent } from '../kernel/events.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { type Job, JobQueue, type QueueingOptions } from '../kernel/jobs.js';
import { ingestionStream, type IngestionEvent } from './domain/ingestion.events.js';
import { IngestionJobs } from './ingestion-jobs.js';
import { IngestionReactor } from './ingestion.reactor.js';
import { Metrics } from '../observability/metrics.js';

const NOW = '2026-03-01T12:00:00.000Z';
const tenantId = newTenantId();
const ingestionId = newUuid();

class NotedQueue extends JobQueue {
  readonly queued: [Job, QueueingOptions | undefined][] = [];
  enqueue(_queue: string, job: Job, options?: QueueingOptions): Promise<void> {
    this.queued.push([job, options]);
    return Promise.resolve();
  }
  work(): void {
    throw new Error('not started');
  }
  override depths(): Promise<ReadonlyMap<string, never>> {
    return Promise.resolve(new Map<string, never>());
  }
  health(): Promise<'up'> {
    return Promise.resolve('up');
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const stored = (event: IngestionEvent, revision: bigint): StoredEvent => ({
  ...event,
  id: newUuid(),
  metadata: { $correlationId: 'c', actor: { type: 'system', id: 's' }, time: NOW, schemaVersion: 1 },
  stream: ingestionStream(tenantId, ingestionId),
  revision,
  position: revision,
  created: new Date(NOW),
});

describe('an ingestion that is to be tried again', () => {
  const queue = new NotedQueue();
  const clock = { now: () => new Date(NOW), monotonic: () => 0 };
  const jobs = new IngestionJobs(queue, undefined as never, undefined as never, clock, new Metrics());
  const reactor = new IngestionReactor(jobs, clock);
  const payload = { tenantId, ingestionId };
  beforeEach(() => queue.queued.splice(0));

  it('is queued for the time when its next try is due, under one id however often it is reacted to', async () => {
    const failed = stored(
      {
        type: 'IngestionAttemptFailed.v1',
        data: {
          ingestionId,
          attempt: 1,
          code: 'KEY_UNAVAILABLE',
          failedAt: NOW,
          nextAttemptAt: '2026-03-01T12:00:30.000Z',
        },
      },
      3n,
    );
    await reactor.handle(failed);
    await reactor.handle(failed);
    const job = { id: `${ingestionId}-3`, payload };
    const options = { attempts: 3, delayMs: 30_000 };
    expect(queue.queued).toEqual([
      [job, options],
      [job, options],
    ]);
  });

  it('is queued at once where its tenant asks for it', async () => {
    await reactor.handle(stored({ type: 'IngestionRetried.v1', data: { ingestionId, retriedAt: NOW } }, 9n));
    expect(queue.queued).toEqual([
      [
        { id: `${ingestionId}-9`, payload },
        { attempts: 3, delayMs: 0 },
      ],
    ]);
  });
});
