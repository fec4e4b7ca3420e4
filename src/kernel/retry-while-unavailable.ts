import pRetry from 'p-retry';
import { Unavailable } from './unavailable.js';

const WAIT_BUDGET_MS = 15_000;
const PAUSE_MS = 250;

/**
 * Retries an idempotent step while a store that it needs is unavailable. The default limit is the time that a start may take.
 */
export const retryWhileUnavailable = <Result>(
  step: () => Promise<Result>,
  budgetMs = WAIT_BUDGET_MS,
  signal?: AbortSignal,
): Promise<Result> =>
  pRetry(step, {
    retries: Infinity,
    maxRetryTime: budgetMs,
    minTimeout: PAUSE_MS,
    factor: 1,
    signal,
    shouldRetry: ({ error }) => error instanceof Unavailable,
  });
