import { type Job } from '../../kernel/jobs.js';
import { InProcessJobQueue } from './in-process-queue.js';

const job = (id: string): Job => ({ id, payload: {} });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('jobs inside the process', () => {
  const failures: string[] = [];
  let queue: InProcessJobQueue;
  beforeEach(() => {
    failures.length = 0;
    queue = new InProcessJobQueue({
      failed: (name, id) => failures.push(`${name}/${id}`),
      dead: (name, { id }) => failures.push(`dead ${name}/${id}`),
    });
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

  it('are counted by queue: waiting, running, and not due yet', async () => {
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    queue.work('ingestion', 1, () => held);
    await queue.enqueue('ingestion', job('a'));
    await queue.enqueue('ingestion', job('b'));
    await queue.enqueue('ingestion', job('c'), { delayMs: 60_000 });
    expect(await queue.depths()).toEqual(new Map([['ingestion', { waiting: 1, running: 1, delayed: 1 }]]));
    finish();
    await queue.close();
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
    expect(failures).toEqual(['ingestion/bad', 'dead ingestion/bad']);
  });

  it('wait for their time, once under the same id', async () => {
    const done: number[] = [];
    const began = performance.now();
    queue.work('ingestion', 1, () => {
      done.push(performance.now() - began);
      return Promise.resolve();
    });
    await queue.enqueue('ingestion', job('a'), { delayMs: 50 });
    await queue.enqueue('ingestion', job('a'), { delayMs: 20 });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(done).toHaveLength(1);
    expect(done[0]).toBeGreaterThanOrEqual(49);
  });

  it('are tried again after a pause, and dead after their last try', async () => {
    const tries: number[] = [];
    queue.work('ingestion', 1, () => {
      tries.push(performance.now());
      return Promise.reject(new Error('broken'));
    });
    await queue.enqueue('ingestion', job('a'), { attempts: 2 });
    while (failures.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(failures).toEqual(['ingestion/a', 'ingestion/a', 'dead ingestion/a']);
    expect((tries[1] ?? 0) - (tries[0] ?? 0)).toBeGreaterThanOrEqual(999);
    // The reconciler may queue it again.
    await queue.enqueue('ingestion', job('a'));
    while (tries.length < 3) await turn();
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
