export interface QueueingOptions {
  /** Milliseconds before the first try. */
  readonly delayMs?: number;
  /** Number of tries (1), with growing pauses between them. After the last the job is dead, and operators can see it. */
  readonly attempts?: number;
}

/** Milliseconds between two tries: 1 s, doubled after each try, at most a minute. */
export const pauseAfterTry = (tries: number): number => Math.min(1_000 * 2 ** (tries - 1), 60_000);

/**
 * A job points to work that the log or a projected row holds. The row is the truth; the queue is only the transport. If the
 * queue is lost, nothing is lost: a reconciler queues due work again. Every handler is idempotent.
 */
export interface Job {
  /** Deterministic: the same work has the same id. It is queued once while it waits, also for its delay or its next try. */
  readonly id: string;
  /** Ids only, never personal data. */
  readonly payload: Readonly<Record<string, string>>;
}

export interface QueueDepth {
  readonly waiting: number;
  readonly running: number;
  /** Not due yet: it was queued for later, or waits for its next try. */
  readonly delayed: number;
}

export type JobHandler = (job: Job) => Promise<void>;

export abstract class JobQueue {
  /** Never throws: if the transport is down, the reconciler finds the work later. */
  abstract enqueue(queue: string, job: Job, options?: QueueingOptions): Promise<void>;
  /** Starts to work on a queue. The reconciler queues dead or lost jobs again while their work is due. */
  abstract work(queue: string, concurrency: number, handler: JobHandler): void;
  /** Whether the transport responds; `degraded` if it does not. */
  abstract health(): Promise<'up' | 'degraded'>;
  /** Jobs by queue. Throws Unavailable if the transport does not respond. */
  abstract depths(): Promise<ReadonlyMap<string, QueueDepth>>;
  /** Stops taking jobs and waits for those that run. */
  abstract close(): Promise<void>;
}
