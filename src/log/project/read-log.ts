import { type StoredEvent } from '../../kernel/events.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type Cut, PageBuffer, type Pages } from '../follow/page-buffer.js';

export interface LogPart extends Pick<Cut, 'endsBatch'> {
  readonly store: EventStore;
  readonly streamPrefixes: readonly string[];
  /** Exclusive. */
  readonly after: bigint | undefined;
  readonly signal: AbortSignal;
  /** Inclusive. If absent, the present end of the log. */
  readonly until: bigint | undefined;
}

class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Reads a part of the log in batches. It reads and prepares one batch while the previous one is written, never more. It
 * ends once no write is under way.
 */
export const readLog = async <Made>(
  part: LogPart,
  make: (events: readonly StoredEvent[], position: bigint) => Made,
  write: (made: Made, last: boolean) => Promise<void>,
): Promise<void> => {
  const { until, store, streamPrefixes, after } = part;
  const pages: Pages<StoredEvent> = (signal) => store.subscribeToAllInPages({ streamPrefixes, after, signal });
  const feed = new PageBuffer(pages, part.signal, { endsBatch: part.endsBatch });
  let reached = part.after;
  let writing = Promise.resolve();
  try {
    for (let done = false; !done;) {
      // Takes the next batch once it is full or the write has ended. This keeps batches large.
      await Promise.race([feed.filled(), writing]);
      const batch = await feed.next();
      if (batch === undefined) throw new Interrupted('the rebuild was interrupted');
      const events = until === undefined ? batch.events : batch.events.filter(({ position }) => position <= until);
      done = batch.caughtUp || (until !== undefined && batch.position !== undefined && batch.position >= until);
      reached = done && until !== undefined ? until : (batch.position ?? reached);
      if (reached === undefined) continue;
      const made = make(events, reached);
      await writing;
      writing = write(made, done);
      // The next `await` of the write reports its error. Until then an unhandled rejection would end the process.
      writing.catch(() => undefined);
    }
  } finally {
    feed.close();
    await writing;
  }
};
