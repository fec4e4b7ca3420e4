import { type StoredEvent } from './events.js';
import { type JobQueue } from './jobs.js';
import { type Reaction } from './reaction.js';

/** Runs `apply`, which writes the rows of these events for these projections. */
export type Applying = <Result>(
  projections: readonly string[],
  events: readonly StoredEvent[],
  apply: () => Promise<Result>,
) => Promise<Result>;

/** What is traced of the work that follows the log. This class traces nothing: each method gives back what it got. */
export class WorkTracing {
  queue(queue: JobQueue): JobQueue {
    return queue;
  }

  reaction(_reactor: string, reaction: Reaction): Reaction {
    return reaction;
  }

  get applying(): Applying {
    return (_projections, _events, apply) => apply();
  }
}
