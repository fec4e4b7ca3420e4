import pRetry from 'p-retry';
import { Unavailable } from './unavailable.js';

const PATIENCE_MS = 15_000;
const PAUSE_MS = 250;

/** Repeats a step, which may be repeated, while a store that it needs is out of reach; by default as long as a start may take. */
export const retryWhileUnavailable = <Result>(
  step: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
  signal?: AbortSignal,
): Promise<Result> =>
  pRetry(step, {
    retries: Infinity,
    maxRetryTime: patienceMs,
    minTimeout: PAUSE_MS,
    factor: 1,
    signal,
    shouldRetry: ({ error }) => error instanceof Unavailable,
  });
