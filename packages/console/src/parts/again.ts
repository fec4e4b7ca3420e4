import { type Query } from '@tanstack/react-query';
import { failureOf } from '../api.js';

/** Milliseconds before what failed is asked for again. */
const AGAIN = 5_000;

/** Asks again for what failed. What the service refuses for good is not asked for again. */
export const againIfFailed = ({ state: { status, error } }: Pick<Query, 'state'>): number | false => {
  const isRefused = (failureOf(error)?.status ?? 503) < 429;
  return status === 'error' && !isRefused ? AGAIN : false;
};
