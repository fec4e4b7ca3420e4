import { type PurgeRunEvent } from './retention.events.js';

/**
 * A run that has not ended within this time is taken over, milliseconds. Its instance is probably dead. If it is not,
 * the run happens twice, which is harmless.
 */
export const RUN_LASTS = 10 * 60_000;

/**
 * The state of a day's run, from the last event of the stream of runs. `done`: the run has completed. `taken`:
 * another instance runs it. `free`: it may begin.
 */
export const turnOf = (day: string, now: Date, last: PurgeRunEvent | undefined): 'done' | 'taken' | 'free' => {
  if (last === undefined) return 'free';
  if (last.type === 'PurgeRunCompleted.v1') return last.data.day >= day ? 'done' : 'free';
  const age = now.getTime() - new Date(last.data.startedAt).getTime();
  return age < RUN_LASTS ? 'taken' : 'free';
};
