import { type StoredEvent } from '../../kernel/events.js';
import { type AllSubscriptionOptions, type Delivery } from './event-store.js';

export interface StreamReading {
  readonly backwards: boolean;
  /** Inclusive; undefined: from the end that lies behind. */
  readonly from: bigint | undefined;
  readonly maxCount: number;
}

/** Reads from the store. All but a refusal of the credentials is Unavailable. */
export interface Reads {
  /** When the store last answered a read, on the monotonic clock. */
  readonly lastReplyAt: number;
  /** A stream that does not exist, or was deleted, reads as empty. */
  readStream(stream: string, reading: StreamReading, budgetMs: number): Promise<StoredEvent[]>;
  /** The last event of $all. */
  readLast(budgetMs: number): Promise<StoredEvent | undefined>;
  /** All that has arrived at a time. */
  subscribeToAll(options: AllSubscriptionOptions): AsyncIterable<readonly Delivery[]>;
  /** Leaves the present connection, and searches the store anew for the next one. */
  reset(): void;
  /** Ends what is under way. */
  close(): void;
}

/** A store looks for names or for types, by how they begin: what it sends beyond what is wanted is left out here. */
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

/** How the store looks for wanted streams: a checkpoint at least every 128 events that no prefix matches. */
export const SEARCH = { searchWindow: 32, checkpointWindows: 4 } as const;
