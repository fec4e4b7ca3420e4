import { type StoredEvent } from './events.js';
import { type AllSubscriptionOptions, type Delivery } from './requests.js';

export interface StreamReading {
  readonly backwards: boolean;
  /** Inclusive. Undefined: the start when reading forwards, the end when reading backwards. */
  readonly from: bigint | undefined;
  readonly maxCount: number;
}

/** Reads from the store. Every error except refused credentials is StoreUnavailable. */
export interface Reads {
  /** When the store last answered a read, on the monotonic clock. */
  readonly lastReplyAt: number;
  /** A stream that does not exist, or was deleted, reads as empty. */
  readStream(stream: string, reading: StreamReading, budgetMs: number): Promise<StoredEvent[]>;
  /** The last event of $all. */
  readLast(budgetMs: number): Promise<StoredEvent | undefined>;
  /** Each page holds everything that has arrived. */
  subscribeToAll(options: AllSubscriptionOptions): AsyncIterable<readonly Delivery[]>;
  /** Leaves the present connection. The next connection searches for the store again. */
  reset(): void;
  /** Ends the calls under way. */
  close(): void;
}

/** A store filters by prefixes of names or of types, not by both. This drops the events it sends beyond the wanted ones. */
export const onlyWanted = (
  pages: AsyncIterable<readonly Delivery[]>,
  { streamPrefixes, eventTypes }: AllSubscriptionOptions,
): AsyncIterable<readonly Delivery[]> => {
  if (eventTypes === undefined) return pages;
  const isWanted = (delivery: Delivery): boolean =>
    delivery.kind !== 'event' ||
    (eventTypes.includes(delivery.event.type) &&
      streamPrefixes.some((prefix) => delivery.event.stream.startsWith(prefix)));
  return filtered(pages, isWanted);
};

async function* filtered(
  pages: AsyncIterable<readonly Delivery[]>,
  isWanted: (delivery: Delivery) => boolean,
): AsyncGenerator<readonly Delivery[]> {
  for await (const page of pages) yield page.filter(isWanted);
}

/** Settings of the store's filter: a checkpoint at least every 128 events that match no prefix. */
export const SEARCH = { searchWindow: 32, checkpointWindows: 4 } as const;
