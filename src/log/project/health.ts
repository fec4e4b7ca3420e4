import { type ProjectionStatus } from './member.js';
import { type ReadModelState } from './read-model-states.js';

/**
 * `down` if another instance can serve, or this one soon can. `degraded` if no one keeps the rows up to date. Requests
 * that need no such rows are still served then; to refuse them would help no one.
 */
export const readinessOf = (state: ReadModelState | undefined): 'up' | 'degraded' | 'down' => {
  if (state === 'current') return 'up';
  return state === 'unattended' ? 'degraded' : 'down';
};

/** Lag in seconds that an operator should look at, while there is more to read. */
const MAX_LAG = 30;

/**
 * `down` if rows stand still: an event cannot be applied, or a newer version has taken over. `degraded` if they lag or
 * wait for a store.
 */
export const healthOf = (projections: readonly ProjectionStatus[]): 'up' | 'degraded' | 'down' => {
  if (projections.some(({ state }) => state === 'failed' || state === 'superseded')) return 'down';
  return projections.some(({ state, lagSeconds }) => state === 'waiting' || lagSeconds > MAX_LAG) ? 'degraded' : 'up';
};
