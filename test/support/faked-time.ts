import { jest } from '@jest/globals';

/**
 * Runs a test in faked time. Time moves to the next timer as soon as no other work is left. A slow machine sees the same order
 * as a fast one. It suits work in memory only, since faked time does not wait for a disk or a socket.
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
