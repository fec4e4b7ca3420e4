import { jest } from '@jest/globals';

/**
 * A test whose time passes timer by timer as soon as nothing else is to be done: a slow machine sees the same order as a fast one.
 * For work in memory alone, since nobody waits for a disk or a socket.
 */
export const inFakedTime = (test: () => Promise<void>) => async (): Promise<void> => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  try {
    let ended = false;
    const end = (): void => void (ended = true);
    const work = test();
    work.then(end, end);
    while (!ended) await jest.advanceTimersToNextTimerAsync();
    await work;
  } finally {
    jest.useRealTimers();
  }
};
