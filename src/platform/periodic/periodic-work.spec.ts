import { jest } from '@jest/globals';
import { PeriodicWork } from './periodic-work.js';

afterEach(() => {
  jest.useRealTimers();
});

it('a stop waits 5 s for a round that does not end', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  const work = new PeriodicWork({
    everyMs: 10,
    round: () => new Promise(() => undefined),
    isOurs: () => true,
    onSuccess: () => undefined,
    onFault: () => undefined,
  });
  work.start();
  await jest.advanceTimersByTimeAsync(10);
  let stopped = false;
  void work.stop().then(() => (stopped = true));
  await jest.advanceTimersByTimeAsync(4_999);
  expect(stopped).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(stopped).toBe(true);
});

it('tells the round under way that the lead is lost, and no later one', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  const signals: AbortSignal[] = [];
  let end: () => void = () => undefined;
  const work = new PeriodicWork({
    everyMs: 10,
    round: (signal) => {
      signals.push(signal);
      return new Promise((resolve) => (end = resolve));
    },
    isOurs: () => true,
    onSuccess: () => undefined,
    onFault: () => undefined,
  });
  work.start();
  await jest.advanceTimersByTimeAsync(10);
  work.cutShort();
  end();
  await jest.advanceTimersByTimeAsync(20);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  end();
  await work.stop();
});
