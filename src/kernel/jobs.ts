/**
 * A job is a pointer to work that stands in the log or in a projected row: the row is the truth, the queue only the
 * transport. Losing the queue loses nothing, since a reconciler re-queues what is due; every handler is idempotent.
 */
export interface Job {
  /** Deterministic: the same work has the same id, and is queued once while it waits. */
  readonly id: string;
  /** Ids only, never personal data. */
  readonly payload: Readonly<Record<string, string>>;
}

export type JobHandler = (job: Job) => Promise<void>;

export abstract class JobQueue {
  /** Never throws: where the transport is down the reconciler finds the work later. */
  abstract enqueue(queue: string, job: Job): Promise<void>;
  /** Begins working on a queue; a handler that throws is tried again by the reconciler, not by the queue. */
  abstract work(queue: string, concurrency: number, handler: JobHandler): void;
  /** Whether the transport answers; `degraded` where it does not. */
  abstract health(): Promise<'up' | 'degraded'>;
  /** Stops taking jobs and waits for those that run. */
  abstract close(): Promise<void>;
}
