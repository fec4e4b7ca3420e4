import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { type Job, type JobHandler, type JobQueue } from '../../kernel/jobs.js';
import { samplerOf } from './sampling.js';
import { ChosenIds, traceIdsOf } from './trace-ids.js';
import { TracedJobQueue } from './traced-work.js';
import { Traces } from './traces.js';

/** A queue that keeps its jobs until the test runs them, as another process would. */
const distantQueue = () => {
  const queued: Job[] = [];
  const handlers: JobHandler[] = [];
  const queue = {
    enqueue: (_queue: string, job: Job) => Promise.resolve(void queued.push(job)),
    work: (_queue: string, _concurrency: number, handler: JobHandler) => void handlers.push(handler),
  };
  return { queue: queue as unknown as JobQueue, queued, run: (job: Job) => handlers[0]?.(job) };
};

it('links the run of a job to the request that queued it, and gives the worker its payload as it was', async () => {
  const exporter = new InMemorySpanExporter();
  const ids = new ChosenIds();
  const provider = new TracerProvider({ idGenerator: ids, spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const traces = new Traces(provider.getTracer('test'), ids, samplerOf('always_on', 1));
  const { queue, queued, run } = distantQueue();
  const traced = new TracedJobQueue(queue, traces);
  const worked: Job[] = [];
  traced.work('things', 1, (job) => Promise.resolve(void worked.push(job)));
  const jobs = ['a', 'b'].map((id) => ({ id, payload: { thing: id } }));
  await traces.within(traces.request('r1', undefined, 'request', {}), 'r1', () =>
    traced.enqueue('things', jobs[0] as Job),
  );
  await traced.enqueue('things', jobs[1] as Job);
  for (const job of queued) await run(job);
  expect(worked).toEqual(jobs);
  const links = exporter
    .getFinishedSpans()
    .map(({ name, links }) => [name, links.map(({ context }) => context.spanId)]);
  expect(links).toEqual([
    ['job things', [traceIdsOf('r1').spanId]],
    ['job things', []],
  ]);
});
