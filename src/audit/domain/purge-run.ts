import { type StoredEvent } from '../../kernel/events.js';
import { type PurgeRunEvent } from './retention.events.js';

/** A run that has not ended within this time is taken over: its instance died, or it is done twice, which changes nothing. */
export const RUN_LASTS = 10 * 60_000;

/**
 * Whose turn a day's run is, by the last event of the stream of runs: `done` where the day is behind us, `taken` where
 * another instance is at it, `free` where it may be begun.
 */
export const turnOf = (
  day: string,
  now: Date,
  last: StoredEvent<PurgeRunEvent> | undefined,
): 'done' | 'taken' | 'free' => {
  if (last === undefined) return 'free';
  const run = last as unknown as PurgeRunEvent;
  if (run.type === 'PurgeRunCompleted.v1') return run.data.day >= day ? 'done' : 'free';
  const age = now.getTime() - new Date(run.data.startedAt).getTime();
  return age < RUN_LASTS ? 'taken' : 'free';
};
