import { type NewEvent, type StoredEvent } from '../../kernel/events.js';
import { type LogRecord as ReadRecord } from '@kyc/esdb-client/events';
import {
  type AllSubscriptionOptions,
  type Delivery as StoreDelivery,
  type ExpectedRevision,
  type RecordSubscriptionOptions,
} from '@kyc/esdb-client/requests';

/** The stream is not at the revision that the appender expected. Nothing was written. */
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

/**
 * The store will never take this append: it is too big, the stream is tombstoned, or permission is missing. Nothing was
 * written.
 */
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
   * Milliseconds within which the outcome must be known (default 1,500). Until then the identical append (same ids,
   * same revision) is retried. After that Unavailable is thrown and the outcome is unknown.
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
  /** Inclusive. Default: the start when reading forwards, the end when reading backwards. */
  readonly from?: bigint;
  readonly maxCount?: number;
  readonly budgetMs?: number;
}

/** An event with its stored bytes. */
export type LogRecord = ReadRecord;

/** A delivery of a subscription; deliveries come in order. */
export type Delivery<Event = StoredEvent> = StoreDelivery<Event>;

/** The events of a subscription up to the present end of the log, in pages. It ends early once `signal` aborts. */
async function* upToNow<Event>(
  subscribe: (signal: AbortSignal) => AsyncIterable<readonly Delivery<Event>[]>,
  signal?: AbortSignal,
): AsyncGenerator<readonly Event[]> {
  const end = new AbortController();
  try {
    for await (const page of subscribe(signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]))) {
      const events = page.flatMap((delivery) => (delivery.kind === 'event' ? [delivery.event] : []));
      if (events.length > 0) yield events;
      if (page.some(({ kind }) => kind === 'caught_up')) return;
    }
  } finally {
    end.abort();
  }
}

/**
 * The event log over gRPC, with one code path for a cluster and for the embedded node. Every method throws Unavailable
 * (kernel) if the store does not answer within its budget.
 */
export abstract class EventStore {
  abstract append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    options?: AppendOptions,
  ): Promise<AppendResult>;

  /** A stream that does not exist, or was deleted, reads as empty. */
  abstract read(stream: string, options?: ReadOptions): Promise<StoredEvent[]>;

  /** The same, page by page, for streams of any length. */
  abstract readPages(stream: string, options?: ReadOptions): AsyncIterable<readonly StoredEvent[]>;

  /**
   * Delivers until `signal` aborts or the connection drops. A drop throws Unavailable. The follower subscribes again
   * from its own last position, so there is no gap and no duplicate.
   */
  abstract subscribeToAll(options: AllSubscriptionOptions): AsyncIterable<Delivery>;

  /** The same, but delivers everything that has arrived as one page. This is cheaper for many events. */
  async *subscribeToAllInPages(options: AllSubscriptionOptions): AsyncIterable<readonly Delivery[]> {
    for await (const delivery of this.subscribeToAll(options)) yield [delivery];
  }

  /** What the log holds of these streams at present, in pages. Ends early once `signal` aborts. */
  readAll({ signal, ...options }: AllSubscriptionOptions): AsyncGenerator<readonly StoredEvent[]> {
    return upToNow((until) => this.subscribeToAllInPages({ ...options, signal: until }), signal);
  }

  /** The same of every stream but the store's own, as `subscribeToRecords` delivers it. */
  readAllRecords(signal?: AbortSignal): AsyncGenerator<readonly LogRecord[]> {
    return upToNow((until) => this.subscribeToRecords({ signal: until }), signal);
  }

  /**
   * The same as `subscribeToAllInPages` of every stream but the store's own, with the events as the store holds them: of the version that they were
   * stored in, with their stored bytes.
   */
  subscribeToRecords({ after }: RecordSubscriptionOptions): AsyncIterable<readonly Delivery<LogRecord>[]> {
    throw new Error(`this store does not give stored bytes (asked for those after ${after})`);
  }

  /** The event at this revision as the store holds it; undefined if it is not there, or no longer. */
  readRecord(stream: string, revision: bigint): Promise<LogRecord | undefined> {
    return Promise.reject(new Error(`this store does not give the stored bytes of ${stream} at ${revision}`));
  }

  /**
   * Hides the events below this revision from readers of the stream, for good. A scavenge removes them from disk. It
   * never makes hidden events visible again and leaves the stream's other metadata as it is. It is idempotent.
   */
  truncateBefore(stream: string, revision: bigint): Promise<void> {
    return Promise.reject(new Error(`this store cannot truncate ${stream} below ${revision}`));
  }

  /** Commit position of the last event in the log; undefined for an empty log. */
  abstract head(): Promise<bigint | undefined>;

  /** Whether the store answered the last probe. While it is false, requests fail at once with Unavailable. */
  abstract readonly healthy: boolean;

  /** Name and version of the server. Undefined until it has said them. */
  get server(): string | undefined {
    return undefined;
  }

  /** Since when no append has gone through, though some were tried. Undefined while appends go through. */
  get appendsFailSince(): Date | undefined {
    return undefined;
  }

  /** Milliseconds since the store last answered anything. An idle store is probed every half second. */
  get sinceLastReplyMs(): number {
    return this.healthy ? 0 : Infinity;
  }

  abstract close(): Promise<void>;
}
