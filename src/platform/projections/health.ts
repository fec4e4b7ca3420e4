import { type ProjectionStatus } from './projection-worker.js';
import { type ReadModelState } from './read-model-states.js';

/**
 * `down` where another instance can serve, or this one soon can; `degraded` where nobody keeps the rows up with the log: what
 * needs no such rows is served, and to refuse that too would help nobody.
 */
export const readinessOf = (state: ReadModelState | undefined): 'up' | 'degraded' | 'down' => {
  if (state === 'current') return 'up';
  return state === 'unattended' ? 'degraded' : 'down';
};

/** Rows older than this while there is more to read are worth an operator's look, seconds. */
const LONGEST_LAG = 30;

/**
 * `down` where rows stand still: an event cannot be applied, or a newer version has taken them over. `degraded` where they lag or
 * wait for a store.
 */
export const healthOf = (projections: readonly ProjectionStatus[]): 'up' | 'degraded' | 'down' => {
  if (projections.some(({ state }) => state === 'failed' || state === 'superseded')) return 'down';
  return projections.some(({ state, lagSeconds }) => state === 'waiting' || lagSeconds > LONGEST_LAG)
    ? 'degraded'
    : 'up';
};
