import { type LogRecord, type StoredEvent as ReadEvent, StoreUnavailable } from '@kyc/esdb-client/events';
import { eventOfRecord } from '@kyc/esdb-client/recorded-event';
import { type Delivery as ReadDelivery } from '@kyc/esdb-client/requests';
import { type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type Delivery } from './event-store.js';

/** What the client read is of the service's types: it alone writes the log, and gives every event its EventMetadata. */
export const storedEvents = (events: ReadEvent[]): StoredEvent[] => events as StoredEvent[];

export const storedEventOf = (record: LogRecord): StoredEvent => eventOfRecord(record) as StoredEvent;

export const deliveriesOf = (pages: AsyncIterable<readonly ReadDelivery[]>): AsyncIterable<readonly Delivery[]> =>
  translated(pages as AsyncIterable<readonly Delivery[]>);

/** Throws the client's failure in the service's terms. */
export const failed = (error: unknown): never => {
  throw error instanceof StoreUnavailable ? new Unavailable('event_store', { cause: error.cause }) : error;
};

export async function* translated<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  try {
    yield* pages;
  } catch (error) {
    failed(error);
  }
}
