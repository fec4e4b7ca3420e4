import { type StoredEvent } from './events.js';

/** A bigint means that the stream's last event has exactly this revision. */
export type ExpectedRevision = bigint | 'no_stream' | 'any' | 'stream_exists';

export interface AllSubscriptionOptions {
  /**
   * Exclusive: the first event delivered lies after this commit position. If absent, delivery begins at the start of
   * the log.
   */
  readonly after?: bigint | undefined;
  /** Only streams whose name begins with one of these. */
  readonly streamPrefixes: readonly string[];
  /** Only these event types. The store does not send other types of these streams. */
  readonly eventTypes?: readonly string[] | undefined;
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
}

export type RecordSubscriptionOptions = Pick<AllSubscriptionOptions, 'after' | 'signal'>;

/**
 * A delivery of a subscription; deliveries come in order. `checkpoint`: every matching event up to `position` was
 * delivered before it. `caught_up`: the deliveries after it are live.
 */
export type Delivery<Event = StoredEvent> =
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'checkpoint'; readonly position: bigint }
  | { readonly kind: 'caught_up' };
