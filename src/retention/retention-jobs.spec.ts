import { aggregatesOf } from '../../test/support/aggregates.js';
import pino from 'pino';
import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { type Clock } from '../kernel/clock.js';
import { type Job, JobQueue } from '../kernel/jobs.js';
import { type Config } from '../platform/config/config.js';
import { type Database } from '../platform/postgres/database.js';
import { PURGES_STREAM } from './domain/retention.events.js';
import { RUN_LASTS } from './domain/purge-run.js';
import { type LogPurge } from './log-purge.js';
import { RETENTION_QUEUE, RetentionJobs } from './retention-jobs.js';

const HOUR = 3_600_000;

class NotedQueue extends JobQueue {
  readonly jobs: Job[] = [];
  state: 'up' | 'degraded' = 'up';
  enqueue(queue: string, job: Job): Promise<void> {
    expect(queue).toBe(RETENTION_QUEUE);
    this.jobs.push(job);
    return Promise.resolve();
  }
  work(): void {
    throw new Error('not started');
  }
  override depths(): Promise<ReadonlyMap<string, never>> {
    return Promise.resolve(new Map<string, never>());
  }
  health(): Promise<'up' | 'degraded'> {
    return Promise.resolve(this.state);
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

describe('the daily purge', () => {
  let time: number;
  let store: SimulatedEventStore;
  let queue: NotedQueue;
  let runs: number;
  let cleanings: number;
  let statements: string[];
  let failure: Error | undefined;
  let instance: () => RetentionJobs;

  beforeEach(() => {
    time = Date.parse('2033-11-01T00:00:30.000Z');
    store = new SimulatedEventStore({ delay: () => 1 });
    queue = new NotedQueue();
    [runs, cleanings, failure] = [0, 0, undefined];
    statements = [];
    const clock: Clock = { now: () => new Date(time), monotonic: () => time };
    const purge = {
      run: async (): Promise<void> => {
        runs += 1;
        await new Promise((resume) => setImmediate(resume));
        if (failure !== undefined) throw failure;
      },
    };
    const database = {
      query: (text: string): Promise<unknown[]> => {
        statements.push(text);
        return Promise.resolve([]);
      },
      maintain: (): Promise<void> => {
        cleanings += 1;
        return Promise.resolve();
      },
    };
    instance = () =>
      new RetentionJobs(
        queue,
        store,
        aggregatesOf(store, clock),
        database as unknown as Database,
        purge as unknown as LogPurge,
        clock,
        { databaseUrl: undefined, erasure: { purgeCheckEvery: 60_000 } } as Config,
        pino({ enabled: false }),
      );
  });

  const recorded = (): string[] => (store.streams.get(PURGES_STREAM) ?? []).map(({ type }) => type);

  it('is queued under the name of its day until it is done, and then no more', async () => {
    await instance().reconcile();
    await instance().reconcile();
    expect(queue.jobs).toEqual([
      { id: 'retention-2033-11-01', payload: { day: '2033-11-01' } },
      { id: 'retention-2033-11-01', payload: { day: '2033-11-01' } },
    ]);
    await instance().run();
    await instance().reconcile();
    expect(queue.jobs).toHaveLength(2);
    time += 24 * HOUR;
    await instance().reconcile();
    expect(queue.jobs[2]?.id).toBe('retention-2033-11-02');
  });

  it('happens once a day, by one of many instances', async () => {
    await Promise.all(Array.from({ length: 5 }, () => instance().run()));
    await instance().run();
    expect(runs).toBe(1);
    expect(cleanings).toBeGreaterThan(0);
    expect(statements.join()).toMatch(/\/answers\/.*\/audit\//s);
    expect(recorded()).toEqual(['PurgeRunStarted.v1', 'PurgeRunCompleted.v1']);
  });

  it('is carried out without a queue that is out of reach', async () => {
    queue.state = 'degraded';
    await instance().reconcile();
    expect(recorded()).toContain('PurgeRunCompleted.v1');
  });

  it('is taken up again after a crash, once the one who had it is given up', async () => {
    failure = new Error('the process dies here');
    await expect(instance().run()).rejects.toBe(failure);
    expect(recorded()).toEqual(['PurgeRunStarted.v1']);
    failure = undefined;
    await instance().reconcile();
    expect(queue.jobs).toEqual([]);
    time += RUN_LASTS;
    await instance().reconcile();
    await instance().run();
    expect(recorded().slice(1)).toEqual(['PurgeRunStarted.v1', 'PurgeRunCompleted.v1']);
  });
});
