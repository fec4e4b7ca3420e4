import { type ProjectionStatus } from './follower.js';

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
