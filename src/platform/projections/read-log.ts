import { type StoredEvent } from '../../kernel/events.js';
import { SubscriptionBuffer, type FeedOptions } from './subscription-buffer.js';

export interface LogPart extends FeedOptions {
  /** Inclusive; absent: to the end of the log as it stands now. */
  readonly until: bigint | undefined;
}

class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * A part of the log in batches: the next one is read and made while the one before it is being written, never more. Ends once
 * nothing is being written.
 */
export const readLog = async <Made>(
  part: LogPart,
  make: (events: readonly StoredEvent[], position: bigint) => Made,
  write: (made: Made, last: boolean) => Promise<void>,
): Promise<void> => {
  const { until } = part;
  const feed = new SubscriptionBuffer(part);
  let reached = part.after;
  let writing = Promise.resolve();
  try {
    for (let done = false; !done;) {
      // Batches stay big: what has come is taken when it makes a whole one, or nothing else is to be done.
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
      // Whoever waits for it next is told; until then nobody else need be.
      writing.catch(() => undefined);
    }
  } finally {
    feed.close();
    await writing;
  }
};
