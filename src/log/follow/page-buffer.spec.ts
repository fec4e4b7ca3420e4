import { type StoredEvent } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type Delivery } from '../../platform/eventstore/event-store.js';
import { type Batch, PageBuffer } from './page-buffer.js';

const event = (position: number, elements = 0): Delivery => ({
  kind: 'event',
  event: {
    id: newUuid(),
    type: 'Happened.v1',
    data: { list: Array.from({ length: elements }, () => 0) },
    metadata: { $correlationId: 'c', actor: { type: 'system', id: 's' }, time: '', schemaVersion: 1 },
    stream: 's-1',
    revision: BigInt(position),
    position: BigInt(position),
    created: new Date(0),
  } satisfies StoredEvent,
});

const checkpoint = (position: number): Delivery => ({ kind: 'checkpoint', position: BigInt(position) });
const caughtUp: Delivery = { kind: 'caught_up' };

type Pages = (signal: AbortSignal) => AsyncGenerator<readonly Delivery[]>;

/** Delivers these pages, then waits for the end or throws. */
const pagesOf = (
  pages: readonly (readonly Delivery[])[],
  problem?: Error,
): { readonly taken: () => number; readonly deliver: Pages } => {
  let taken = 0;
  return {
    taken: () => taken,
    async *deliver(signal) {
      for (const page of pages) {
        if (signal.aborted) return;
        taken += 1;
        yield page;
      }
      if (problem !== undefined) throw problem;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  };
};

const feedOver = (
  deliver: Pages,
  maxWeight?: number,
): { readonly feed: PageBuffer; readonly stop: AbortController } => {
  const stop = new AbortController();
  return { feed: new PageBuffer(deliver, stop.signal, { maxWeight }), stop };
};

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
const positionsIn = (batch: Batch | undefined): number[] | undefined =>
  batch?.events.map(({ position }) => Number(position));

describe('a feed', () => {
  it('hands out all that has arrived, with the position that it reaches', async () => {
    const { feed, stop } = feedOver(
      pagesOf([
        [event(1), event(2), checkpoint(9)],
        [event(12), caughtUp],
      ]).deliver,
    );
    await settle();
    const batch = await feed.next();
    expect(positionsIn(batch)).toEqual([1, 2, 12]);
    expect(batch).toMatchObject({ position: 12n, caughtUp: true });
    stop.abort();
  });

  it('never lets a checkpoint pass an event that is still to be handed out', async () => {
    const { feed, stop } = feedOver(pagesOf([[event(1), event(2), event(3), checkpoint(50), caughtUp]]).deliver, 2);
    await settle();
    expect(await feed.next()).toMatchObject({ position: 2n, caughtUp: false });
    expect(await feed.next()).toMatchObject({ position: 50n, caughtUp: true });
    stop.abort();
  });

  it('makes small batches of big events', async () => {
    const { feed, stop } = feedOver(pagesOf([[event(1, 800), event(2, 800), event(3)]]).deliver, 100);
    await settle();
    expect(positionsIn(await feed.next())).toEqual([1]);
    expect(positionsIn(await feed.next())).toEqual([2]);
    expect(positionsIn(await feed.next())).toEqual([3]);
    stop.abort();
  });

  it('ends a batch with an event that has to be its last, and says that a whole one waits', async () => {
    const stop = new AbortController();
    const { deliver } = pagesOf([[event(1), event(2), event(3), event(4), event(5), caughtUp]]);
    const endsBatch = ({ position }: StoredEvent): boolean => position === 2n || position === 3n;
    const feed = new PageBuffer(deliver, stop.signal, { endsBatch });
    await feed.filled();
    expect(positionsIn(await feed.next())).toEqual([1, 2]);
    await feed.filled();
    expect(positionsIn(await feed.next())).toEqual([3]);
    expect(await feed.next()).toMatchObject({ events: [{ position: 4n }, { position: 5n }], caughtUp: true });
    stop.abort();
  });

  it('reads no further ahead than it may', async () => {
    const source = pagesOf(Array.from({ length: 100 }, (_, index) => [event(index)]));
    const { feed, stop } = feedOver(source.deliver, 5);
    await settle();
    expect(source.taken()).toBe(10);
    await feed.next();
    await settle();
    expect(source.taken()).toBe(15);
    stop.abort();
    feed.close();
  });

  it('hands out what came before a drop, then throws it', async () => {
    const { feed } = feedOver(pagesOf([[event(1)]], new Unavailable('event_store')).deliver);
    await settle();
    expect(positionsIn(await feed.next())).toEqual([1]);
    await expect(feed.next()).rejects.toThrow(Unavailable);
  });

  it('says that nothing came where patience ends, and that it is over where it was stopped', async () => {
    const { feed, stop } = feedOver(pagesOf([]).deliver);
    expect(await feed.next(5)).toEqual({ events: [], position: undefined, caughtUp: false });
    const last = feed.next();
    stop.abort();
    expect(await last).toBeUndefined();
  });

  it('tells when a whole batch waits', async () => {
    const { feed, stop } = feedOver(pagesOf([[event(1)], [event(2)]]).deliver, 2);
    await feed.filled();
    expect(positionsIn(await feed.next())).toEqual([1, 2]);
    stop.abort();
  });
});
