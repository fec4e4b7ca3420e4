import { Injectable } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { type Job, type JobHandler, JobQueue } from '../../kernel/jobs.js';
import { QueueWorkers } from './queue-workers.js';
import { Worker } from './worker.js';

class NotedQueue implements Pick<JobQueue, 'work'> {
  readonly worked = new Map<string, { readonly concurrency: number; readonly handler: JobHandler }>();

  work(queue: string, concurrency: number, handler: JobHandler): void {
    this.worked.set(queue, { concurrency, handler });
  }
}

@Injectable()
class Things {
  readonly done: Job[] = [];

  @Worker({ queue: 'things', concurrency: 4 })
  run(job: Job): Promise<void> {
    this.done.push(job);
    return Promise.resolve();
  }
}

@Injectable()
class Rivals {
  @Worker({ queue: 'things', concurrency: 1 })
  run(): Promise<void> {
    return Promise.resolve();
  }
}

const partsWith = async (...providers: readonly (new () => object)[]) => {
  const queue = new NotedQueue();
  const testing = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [QueueWorkers, { provide: JobQueue, useValue: queue }, ...providers],
  }).compile();
  return { queue, workers: testing.get(QueueWorkers), things: testing.get(Things) };
};

describe('workers of queues', () => {
  it('get the jobs of their queue once they are started', async () => {
    const { queue, workers, things } = await partsWith(Things);
    expect(queue.worked.size).toBe(0);
    workers.start();
    const job = { id: 'one', payload: { thing: '1' } };
    await queue.worked.get('things')?.handler(job);
    expect(things.done).toEqual([job]);
    expect(queue.worked.get('things')?.concurrency).toBe(4);
  });

  it('are not two for one queue', async () => {
    const { workers } = await partsWith(Things, Rivals);
    expect(() => workers.start()).toThrow('things has one worker');
  });
});
