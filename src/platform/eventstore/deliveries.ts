import {
  type AllStreamSubscription,
  type RecordedEvent,
  type ResolvedEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { type EventMetadata, type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type AllSubscriptionOptions, type Delivery } from './event-store.js';
import { type NodeClient } from './node-client.js';

/** A checkpoint at least every 128 events that no prefix matches. */
const SEARCH_WINDOW = 32;
const CHECKPOINT_WINDOWS = 4;
const BUFFERED_EVENTS = 512;

export const toStoredEvent = (recorded: RecordedEvent, commitPosition?: bigint): StoredEvent => ({
  id: recorded.id,
  type: recorded.type,
  data: recorded.data,
  metadata: recorded.metadata as unknown as EventMetadata,
  stream: recorded.streamId,
  revision: recorded.revision,
  position: commitPosition ?? recorded.position?.commit ?? 0n,
  created: recorded.created,
});

type Marker = Extract<Delivery, { kind: 'checkpoint' | 'caught_up' }>;

const isMarker = (item: Marker | ResolvedEvent): item is Marker => 'kind' in item;

const toDelivery = (item: Marker | ResolvedEvent): Delivery | undefined => {
  if (isMarker(item)) return item;
  if (item.event === undefined) return undefined;
  return { kind: 'event', event: toStoredEvent(item.event, item.commitPosition) };
};

/**
 * The client calls back on a checkpoint while events before it still wait in its buffer; pushing a marker into that same
 * buffer makes the consumer meet it only after them.
 */
const subscribe = (client: NodeClient, options: AllSubscriptionOptions): AllStreamSubscription => {
  const mark = (subscription: AllStreamSubscription, marker: Marker): void => {
    subscription.push(marker);
  };
  const subscription = client.subscribeToAll(
    {
      fromPosition: options.after === undefined ? START : { commit: options.after, prepare: options.after },
      filter: streamNameFilter({
        prefixes: [...options.streamPrefixes],
        maxSearchWindow: SEARCH_WINDOW,
        checkpointInterval: CHECKPOINT_WINDOWS,
        checkpointReached: (at, position) => mark(at, { kind: 'checkpoint', position: position.commit }),
      }),
    },
    { highWaterMark: BUFFERED_EVENTS },
  );
  subscription.on('caughtUp', () => mark(subscription, { kind: 'caught_up' }));
  // An error that comes after the iteration ended has no listener but this one, and would end the process.
  subscription.on('error', () => undefined);
  return subscription;
};

export async function* deliverAll(client: NodeClient, options: AllSubscriptionOptions): AsyncGenerator<Delivery> {
  const { signal } = options;
  const ended = (): boolean => signal?.aborted === true;
  if (ended()) return;
  const subscription = subscribe(client, options);
  const stop = (): void => {
    subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for await (const item of subscription as AsyncIterable<Marker | ResolvedEvent>) {
      const delivery = toDelivery(item);
      if (delivery !== undefined) yield delivery;
    }
    // The iteration of a dropped subscription may end without an error.
    if (!ended()) throw new Error('the subscription was dropped');
  } catch (error) {
    if (!ended()) throw new Unavailable('event_store', { cause: error });
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
