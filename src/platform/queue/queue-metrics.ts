import { type JobQueue, type QueueDepth } from '../../kernel/jobs.js';
import { type Metrics } from '../../observability/metrics.js';

const MEASURES = [
  ['jobs_waiting', 'Jobs that are due and that no worker has taken, by queue', ({ waiting }) => waiting],
  ['jobs_running', 'Jobs that a worker has taken, by queue', ({ running }) => running],
  ['jobs_delayed', 'Jobs for later and jobs that wait for their next try, by queue', ({ delayed }) => delayed],
] as const satisfies readonly (readonly [string, string, (depth: QueueDepth) => number])[];

/** The jobs of each queue. On Redis they are those of all processes. */
export const observeQueue = (queue: JobQueue, metrics: Metrics): void => {
  for (const [name, help, read] of MEASURES) {
    metrics.storedGauges(name, help, 'queue', async () => {
      const depths = [...(await queue.depths())];
      return new Map(depths.map(([name, depth]) => [name, read(depth)]));
    });
  }
};
