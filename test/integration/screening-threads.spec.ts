import { EngineThread } from '../../src/screening/matching/engine-thread.js';
import { SANDBOX_VERSION } from '../../src/screening/lists/sandbox.js';

const UNAVAILABLE = { name: 'Unavailable', part: 'screening_lists' };
const QUESTION = { ask: 'screen', kind: 'sanctions', query: { fullName: 'Confirmed Testmatch' } } as const;
/** More than may wait. */
const FLOOD = 2_500;

const threads: EngineThread[] = [];
const start = async (): Promise<EngineThread> => {
  const sources = [{ list: 'OFAC_SDN', version: SANDBOX_VERSION, files: null }] as const;
  const thread = await EngineThread.start({ sources, thresholds: { potential: 0.85, confirmed: 0.95 } });
  threads.push(thread);
  return thread;
};
afterAll(() => threads.forEach((thread) => thread.close()));

const codeOf = (asked: readonly PromiseSettledResult<unknown>[]): readonly unknown[] =>
  asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));

describe('a thread of the screening lists', () => {
  it('that dies makes its questions unavailable, those that wait and those to come', async () => {
    const thread = await start();
    const asked = Array.from({ length: 20 }, () => thread.ask(QUESTION));
    thread.close();
    const faults = codeOf(await Promise.allSettled(asked));
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatchObject(UNAVAILABLE);
    await expect(thread.ask(QUESTION)).rejects.toMatchObject(UNAVAILABLE);
  });

  it('takes no more questions than it answers in time, and answers those that it took', async () => {
    const thread = await start();
    const asked = await Promise.allSettled(Array.from({ length: FLOOD }, () => thread.ask(QUESTION)));
    const faults = codeOf(asked);
    expect(faults).toHaveLength(FLOOD - 2_000);
    expect(faults[0]).toMatchObject(UNAVAILABLE);
    expect((await thread.ask(QUESTION)).matches.length).toBeGreaterThan(0);
  });

  it('drops what is taken back, and answers what stands behind it', async () => {
    const thread = await start();
    const gone = new AbortController();
    const taken = Promise.allSettled(Array.from({ length: 100 }, () => thread.ask(QUESTION, gone.signal)));
    const behind = thread.ask(QUESTION);
    gone.abort(new Error('the caller has left'));
    for (const fault of codeOf(await taken)) expect(fault).toMatchObject({ message: 'the caller has left' });
    expect((await behind).matches.length).toBeGreaterThan(0);
    await expect(thread.ask(QUESTION, gone.signal)).rejects.toThrow('the caller has left');
  });
});
