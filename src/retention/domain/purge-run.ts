import { type PurgeRunEvent } from './retention.events.js';

/** A run that has not ended within this time is taken over: its instance died, or it is done twice, which changes nothing. */
export const RUN_LASTS = 10 * 60_000;

/**
 * Whose turn a day's run is, by the last event of the stream of runs: `done` where the day is behind us, `taken` where
 * another instance is at it, `free` where it may be begun.
 */
export const turnOf = (day: string, now: Date, last: PurgeRunEvent | undefined): 'done' | 'taken' | 'free' => {
  if (last === undefined) return 'free';
  if (last.type === 'PurgeRunCompleted.v1') return last.data.day >= day ? 'done' : 'free';
  const age = now.getTime() - new Date(last.data.startedAt).getTime();
  return age < RUN_LASTS ? 'taken' : 'free';
};
