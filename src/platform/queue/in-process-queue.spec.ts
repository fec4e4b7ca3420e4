import { type Job } from '../../kernel/jobs.js';
import { InProcessJobQueue } from './in-process-queue.js';

const job = (id: string): Job => ({ id, payload: {} });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('jobs inside the process', () => {
  const failures: string[] = [];
  let queue: InProcessJobQueue;
  beforeEach(() => {
    failures.length = 0;
    queue = new InProcessJobQueue((name, id) => failures.push(`${name}/${id}`));
  });

  it('run at most so many at once, and all of them', async () => {
    let running = 0;
    let most = 0;
    const done: string[] = [];
    queue.work('ingestion', 3, async ({ id }) => {
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      done.push(id);
    });
    for (let index = 0; index < 20; index += 1) await queue.enqueue('ingestion', job(String(index)));
    while (done.length < 20) await turn();
    expect(most).toBe(3);
    expect(new Set(done).size).toBe(20);
  });

  it('wait once under the same id, but may be queued again while one runs', async () => {
    const done: string[] = [];
    await queue.enqueue('ingestion', job('a'));
    await queue.enqueue('ingestion', job('a'));
    queue.work('ingestion', 1, async ({ id }) => {
      if (done.length === 0) await queue.enqueue('ingestion', job('a'));
      await turn();
      done.push(id);
    });
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(done).toEqual(['a', 'a']);
  });

  it('report a failure and go on', async () => {
    const done: string[] = [];
    queue.work('ingestion', 1, ({ id }) => {
      if (id === 'bad') return Promise.reject(new Error('broken'));
      done.push(id);
      return Promise.resolve();
    });
    await queue.enqueue('ingestion', job('bad'));
    await queue.enqueue('ingestion', job('good'));
    while (done.length === 0) await turn();
    expect(failures).toEqual(['ingestion/bad']);
  });

  it('finish what runs and start nothing more on closing', async () => {
    const done: string[] = [];
    queue.work('ingestion', 1, async ({ id }) => {
      await turn();
      done.push(id);
    });
    await queue.enqueue('ingestion', job('running'));
    await queue.enqueue('ingestion', job('waiting'));
    await queue.close();
    await queue.enqueue('ingestion', job('late'));
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(done).toEqual(['running']);
  });
});
