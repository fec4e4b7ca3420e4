import { type NewEvent, type StoredEvent } from '../../kernel/events.js';

/** A revision means: the stream's last event has exactly this revision. */
export type ExpectedRevision = bigint | 'no_stream' | 'any' | 'stream_exists';

/** The stream is not where the appender thought it was: nothing was written. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';

  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: bigint | 'no_stream',
  ) {
    super(`stream ${stream} is at ${actual}, expected ${expected}`);
  }
}

/** The store will never take this append: too big, the stream tombstoned, no permission. Nothing was written. */
export class AppendRefused extends Error {
  override readonly name = 'AppendRefused';

  constructor(
    readonly stream: string,
    reason: string,
  ) {
    super(`the store refused an append to ${stream}: ${reason}`);
  }
}

export interface AppendOptions {
  /**
   * Milliseconds within which the outcome must be known (default 1,500). Within it the identical append (same ids, same
   * revision) is retried; afterwards Unavailable is thrown and the outcome is unknown.
   */
  readonly budgetMs?: number;
}

export interface AppendResult {
  /** Revision of the last event written. */
  readonly revision: bigint;
  /** Commit position of the last event written. */
  readonly position: bigint;
}

export interface ReadOptions {
  readonly direction?: 'forwards' | 'backwards';
  /** Inclusive; default the start forwards and the end backwards. */
  readonly from?: bigint;
  readonly maxCount?: number;
  readonly budgetMs?: number;
}

export interface AllSubscriptionOptions {
  /** Exclusive: the first event delivered lies after this commit position. Absent: from the very start. */
  readonly after?: bigint | undefined;
  /** Only streams whose name begins with one of these. */
  readonly streamPrefixes: readonly string[];
  /** Only these types: what else stands in the streams is not sent. */
  readonly eventTypes?: readonly string[] | undefined;
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
}

/**
 * What a subscription delivers, in order. A checkpoint says that every matching event up to `position` was delivered
 * before it; `caught_up` that what follows is live.
 */
export type Delivery =
  | { readonly kind: 'event'; readonly event: StoredEvent }
  | { readonly kind: 'checkpoint'; readonly position: bigint }
  | { readonly kind: 'caught_up' };

/**
 * The event log over gRPC: one code path for a cluster and for the embedded node. Every method throws Unavailable
 * (kernel) when the store does not answer within its budget.
 */
export abstract class EventStore {
  abstract append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    options?: AppendOptions,
  ): Promise<AppendResult>;

  /** A stream that does not exist (or was deleted) reads as empty. */
  abstract read(stream: string, options?: ReadOptions): Promise<StoredEvent[]>;

  /** The same one page after another, for streams of any length. */
  abstract readPages(stream: string, options?: ReadOptions): AsyncIterable<readonly StoredEvent[]>;

  /**
   * Delivers until `signal` aborts or the connection drops. A drop throws Unavailable; the follower subscribes again
   * from its own last position, which is what makes a gap or a duplicate impossible.
   */
  abstract subscribeToAll(options: AllSubscriptionOptions): AsyncIterable<Delivery>;

  /** The same, all that has arrived at a time: cheaper where there is much. */
  async *subscribeToAllInPages(options: AllSubscriptionOptions): AsyncIterable<readonly Delivery[]> {
    for await (const delivery of this.subscribeToAll(options)) yield [delivery];
  }

  /**
   * Hides the events below this revision from readers of the stream, for good; a scavenge removes them from disk. Never
   * brings back what was hidden, and leaves other metadata of the stream as it is, so it may be repeated.
   */
  truncateBefore(stream: string, revision: bigint): Promise<void> {
    return Promise.reject(new Error(`this store cannot truncate ${stream} below ${revision}`));
  }

  /** Commit position of the last event in the log; undefined for an empty log. */
  abstract head(): Promise<bigint | undefined>;

  /** Whether the store answered the last probe. Requests fail at once with Unavailable while it did not. */
  abstract readonly healthy: boolean;

  /** Milliseconds since the store last answered anything; one that has nothing to do is asked every half second. */
  get silentFor(): number {
    return this.healthy ? 0 : Infinity;
  }

  abstract close(): Promise<void>;
}
