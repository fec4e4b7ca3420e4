import {
  type AllStreamSubscription,
  type RecordedEvent,
  type ResolvedEvent,
  START,
  eventTypeFilter,
  streamNameFilter,
} from '@eventstore/db-client';
import { type StoredEvent, StoreUnavailable } from './events.js';
import { type NodeClient } from './node-client.js';
import { SEARCH } from './reads.js';
import { type AllSubscriptionOptions, type Delivery } from './requests.js';

const BUFFERED_EVENTS = 128;
const PAGE_SIZE = 256;

export const toStoredEvent = (recorded: RecordedEvent, commitPosition?: bigint): StoredEvent => ({
  id: recorded.id,
  type: recorded.type,
  data: recorded.data,
  metadata: recorded.metadata,
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
 * The client calls back on a checkpoint while earlier events still wait in its buffer. A marker pushed into the same
 * buffer reaches the consumer only after them.
 */
const subscribe = (client: NodeClient, options: AllSubscriptionOptions): AllStreamSubscription => {
  const mark = (subscription: AllStreamSubscription, marker: Marker): void => {
    subscription.push(marker);
  };
  const { eventTypes } = options;
  const subscription = client.subscribeToAll(
    {
      requiresLeader: true,
      fromPosition: options.after === undefined ? START : { commit: options.after, prepare: options.after },
      filter: (eventTypes === undefined ? streamNameFilter : eventTypeFilter)({
        prefixes: [...(eventTypes ?? options.streamPrefixes)],
        maxSearchWindow: SEARCH.searchWindow,
        checkpointInterval: SEARCH.checkpointWindows,
        checkpointReached: (at, position) => mark(at, { kind: 'checkpoint', position: position.commit }),
      }),
    },
    { highWaterMark: BUFFERED_EVENTS },
  );
  subscription.on('caughtUp', () => mark(subscription, { kind: 'caught_up' }));
  return subscription;
};

/**
 * Takes the deliveries that have arrived, up to a page; empty if there are none. The consumer pulls, so nothing runs
 * ahead of it.
 */
const takePage = (subscription: AllStreamSubscription): Delivery[] => {
  const page: Delivery[] = [];
  while (page.length < PAGE_SIZE) {
    const item = subscription.read() as Marker | ResolvedEvent | null;
    if (item === null) break;
    const delivery = toDelivery(item);
    if (delivery !== undefined) page.push(delivery);
  }
  return page;
};

/** Resolves when there may be more to read, and when the subscription ends. */
class Arrivals {
  private wake: (() => void) | undefined;
  private missed = false;
  private over = false;
  private problem: Error | undefined;

  constructor(subscription: AllStreamSubscription) {
    subscription.on('readable', () => this.notify());
    subscription.on('end', () => this.end(undefined));
    subscription.on('close', () => this.end(undefined));
    // This listener stays for errors after the end of the iteration. Without it they would end the process.
    subscription.on('error', (error) => this.end(error));
  }

  /** Throws the error that ended the subscription. An end without an error counts as a drop too. */
  async next(): Promise<void> {
    if (!this.missed && !this.over) await new Promise<void>((resolve) => (this.wake = resolve));
    this.missed = false;
    if (this.over) throw this.problem ?? new Error('the subscription was dropped');
  }

  private notify(): void {
    this.missed = true;
    this.wake?.();
  }

  private end(problem: Error | undefined): void {
    this.over = true;
    this.problem ??= problem;
    this.wake?.();
  }
}

export async function* deliverAll(
  client: NodeClient,
  options: AllSubscriptionOptions,
): AsyncGenerator<readonly Delivery[]> {
  const { signal } = options;
  const ended = (): boolean => signal?.aborted === true;
  if (ended()) return;
  const subscription = subscribe(client, options);
  const arrivals = new Arrivals(subscription);
  const stop = (): void => {
    subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    while (!ended()) {
      const page = takePage(subscription);
      if (page.length > 0) yield page;
      else await arrivals.next();
    }
  } catch (error) {
    if (!ended()) throw new StoreUnavailable({ cause: error });
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
