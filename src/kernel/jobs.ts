export interface QueueingOptions {
  /** Not before so many milliseconds. */
  readonly delayMs?: number;
  /** So many tries (1), with growing pauses, before the job is dead: it stays where operators see it. */
  readonly attempts?: number;
}

/** Between two tries, milliseconds: 1 s, doubled each time, a minute at most. */
export const pauseAfterTry = (tries: number): number => Math.min(1_000 * 2 ** (tries - 1), 60_000);

/**
 * A job is a pointer to work that stands in the log or in a projected row: the row is the truth, the queue only the
 * transport. Losing the queue loses nothing, since a reconciler re-queues what is due; every handler is idempotent.
 */
export interface Job {
  /** Deterministic: the same work has the same id, and is queued once while it waits, for its time or its next try too. */
  readonly id: string;
  /** Ids only, never personal data. */
  readonly payload: Readonly<Record<string, string>>;
}

export type JobHandler = (job: Job) => Promise<void>;

export abstract class JobQueue {
  /** Never throws: where the transport is down the reconciler finds the work later. */
  abstract enqueue(queue: string, job: Job, options?: QueueingOptions): Promise<void>;
  /** Begins working on a queue. What is dead, or was lost, is queued again by the reconciler while it is due. */
  abstract work(queue: string, concurrency: number, handler: JobHandler): void;
  /** Whether the transport answers; `degraded` where it does not. */
  abstract health(): Promise<'up' | 'degraded'>;
  /** Stops taking jobs and waits for those that run. */
  abstract close(): Promise<void>;
}
