import { framesOf, type ServerSentEvent } from './event-streams.js';

const QUICK = { lookEvery: 5, judgeEvery: 20, judgedFor: 10, quiet: 30 };
const allowed = (): Promise<boolean> => Promise.resolve(true);

const read = async (frames: AsyncIterable<string>): Promise<readonly string[]> => {
  const all: string[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
};

const telling = (...answers: (readonly ServerSentEvent[])[]) => {
  const left = [...answers];
  return () => Promise.resolve(left.shift() ?? []);
};

it('tells events as messages, then keeps a silent connection open, until its time is over', async () => {
  const next = telling([
    { id: '1', data: { a: 'x\ny' } },
    { event: 'jobs', data: {} },
  ]);
  const [first, events, ...silence] = await read(framesOf(next, allowed, 1_000, new AbortController().signal, QUICK));
  expect(first).toBe('retry: 2000\n\n');
  expect(events).toBe('id: 1\ndata: {"a":"x\\ny"}\n\nevent: jobs\ndata: {}\n\n');
  expect(silence.length).toBeGreaterThan(0);
  expect(new Set(silence)).toEqual(new Set([':\n\n']));
});

it('ends with the rights of its caller', async () => {
  const answers = [true, false];
  const judged = () => Promise.resolve(answers.shift() ?? true);
  await read(framesOf(telling(), judged, 60_000, new AbortController().signal, QUICK));
  expect(answers).toEqual([]);
});

it('tells nothing whose caller was judged too long ago and may not read it any more', async () => {
  const next = telling([], [], [], [], [{ id: '1', data: {} }]);
  const judged = () => Promise.resolve(false);
  const clocks = { ...QUICK, judgeEvery: 60_000 };
  const frames = await read(framesOf(next, judged, 60_000, new AbortController().signal, clocks));
  expect(frames.filter((frame) => frame.includes('data'))).toEqual([]);
});

it('ends when the caller goes or the server closes', async () => {
  const end = new AbortController();
  setTimeout(() => end.abort(), 20);
  await read(framesOf(telling(), allowed, 60_000, end.signal, { ...QUICK, lookEvery: 60_000 }));
  expect(end.signal.aborted).toBe(true);
});

it('ends with the error of what it tells, so that the client comes back', async () => {
  const fails = () => Promise.reject(new Error('the store is away'));
  await expect(read(framesOf(fails, allowed, 60_000, new AbortController().signal, QUICK))).rejects.toThrow('away');
});
