import { readFileSync } from 'node:fs';
import { LiveEventStore } from '../../../test/support/accounts-world.js';
import { goldenFile } from '../../../test/support/golden-log.js';
import { MemorySnapshots } from '../../../test/support/memory-snapshots.js';
import { defineCategory, upcaster } from '../../kernel/category.js';
import { CategoryRegistry } from '../../kernel/category-registry.js';
import { systemClock } from '../../kernel/clock.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { eventMetadata, type StoredEvent } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { PageBuffer } from '../../log/follow/page-buffer.js';
import { readLog } from '../../log/project/read-log.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { type Delivery } from './event-store.js';
import { UpcastingEventStore } from './upcasting-event-store.js';

type WeighedFirst = DomainEvent<'ParcelWeighed.v1', { readonly kilograms: number; readonly note: Envelope | null }>;
type WeighedSecond = DomainEvent<'ParcelWeighed.v2', { readonly grams: number; readonly note: Envelope | null }>;
type Weighed = DomainEvent<
  'ParcelWeighed.v3',
  { readonly grams: number; readonly scale: string; readonly note: Envelope | null }
>;

/** Its decider knows the third version alone. */
const parcels = defineCategory({
  name: 'parcel',
  stream: (id: string) => `parcel-${id}`,
  decider: {
    initialState: () => ({ grams: 0, scales: new Array<string>() }),
    decide: ({ grams }: { readonly grams: number }): Weighed[] => [
      { type: 'ParcelWeighed.v3', data: { grams, scale: 'c', note: null } },
    ],
    evolve: (parcel: { readonly grams: number; readonly scales: string[] }, { data }: Weighed) => ({
      grams: parcel.grams + data.grams,
      scales: [...parcel.scales, data.scale],
    }),
  },
  events: { 'ParcelWeighed.v3': { personal: { note: 'texts' } } },
  upcasters: [
    upcaster<WeighedSecond, Weighed>('ParcelWeighed.v2', 'ParcelWeighed.v3', ({ grams, note }) => ({
      grams,
      scale: 'unknown',
      note,
    })),
    upcaster<WeighedFirst, WeighedSecond>('ParcelWeighed.v1', 'ParcelWeighed.v2', ({ kilograms, note }) => ({
      grams: kilograms * 1_000,
      note,
    })),
  ],
  kept: 'records',
});

interface GoldenEvent extends DomainEvent {
  readonly stream: string;
}

const golden = readFileSync(goldenFile('upcast.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as GoldenEvent);

const stream = parcels.stream('1');
const metadata = { requestId: newUuid(), actor: { type: 'system', id: 'spec' } } as const;
const registry = new CategoryRegistry([parcels]);

const worldOf = async () => {
  const log = new LiveEventStore();
  for (const { type, data } of golden) {
    await log.append(stream, [{ id: newUuid(), type, data, metadata: eventMetadata(metadata, new Date()) }], 'any');
  }
  const store = new UpcastingEventStore(log, registry);
  const aggregates = new AggregateStore(registry, store, new MemorySnapshots(), systemClock);
  return { log, store, parcels: aggregates.of(parcels) };
};

const weights = (events: readonly StoredEvent[]): unknown[] =>
  events.map(({ type, data, revision }) => [type, (data as Weighed['data']).grams, revision]);

const EXPECTED = [
  ['ParcelWeighed.v3', 2_000, 0n],
  ['ParcelWeighed.v3', 150, 1n],
  ['ParcelWeighed.v3', 50, 2n],
];

describe('events of earlier versions', () => {
  it('are read by a decider of the present one, which appends behind them', async () => {
    const { log, parcels: known } = await worldOf();
    const { state } = await known.execute(stream, { grams: 7 }, { metadata });
    expect(state).toEqual({ grams: 2_207, scales: ['unknown', 'unknown', 'b', 'c'] });
    expect(log.streams.get(stream)?.map(({ type }) => type)).toEqual([
      ...golden.map(({ type }) => type),
      'ParcelWeighed.v3',
    ]);
  });

  it('come to projections and rebuilds as the present one', async () => {
    const { store } = await worldOf();
    const signal = new AbortController().signal;
    const options = { store, streamPrefixes: ['parcel-'], after: undefined, signal };
    const feed = new PageBuffer((until) => store.subscribeToAllInPages({ ...options, signal: until }), signal);
    const live: StoredEvent[] = [];
    while (live.length < EXPECTED.length) live.push(...((await feed.next())?.events ?? []));
    feed.close();
    expect(weights(live)).toEqual(EXPECTED);
    const rebuilt: StoredEvent[] = [];
    await readLog(
      { ...options, until: undefined },
      (events) => events,
      (events) => Promise.resolve(void rebuilt.push(...events)),
    );
    expect(weights(rebuilt)).toEqual(EXPECTED);
  });

  it('come to whoever asks for the present type alone', async () => {
    const { store } = await worldOf();
    const options = { streamPrefixes: ['parcel-'], eventTypes: ['ParcelWeighed.v3'] };
    const single: Delivery[] = [];
    for await (const delivery of store.subscribeToAll(options)) {
      if (delivery.kind === 'caught_up') break;
      single.push(delivery);
    }
    const paged: Delivery[] = [];
    for await (const page of store.subscribeToAllInPages(options)) {
      if (page.some(({ kind }) => kind === 'caught_up')) break;
      paged.push(...page);
    }
    for (const come of [single, paged])
      expect(weights(come.flatMap((delivery) => (delivery.kind === 'event' ? [delivery.event] : [])))).toEqual(
        EXPECTED,
      );
  });

  it('come to purges, and to whoever reads a piece of a stream, as the present one', async () => {
    const { store } = await worldOf();
    const pages: StoredEvent[] = [];
    for await (const page of store.readPages(stream)) pages.push(...page);
    expect(weights(pages)).toEqual(EXPECTED);
    expect(weights(await store.read(stream, { direction: 'backwards', maxCount: 1 }))).toEqual([EXPECTED[2]]);
  });

  it('have their sealed fields found, as the erasure and the guard ask for them', async () => {
    const { store } = await worldOf();
    const sealed = (await store.read(stream)).flatMap((event) => registry.sealedFields(event));
    expect(sealed).toEqual([{ path: 'note', under: 'texts', envelope: (golden[0]?.data as Weighed['data']).note }]);
  });

  it('are named with the present ones: each needs its golden line', () => {
    expect(new Set(golden.map(({ type }) => type))).toEqual(registry.types);
  });

  it('of a release to come are left as they are', () => {
    const later = { type: 'ParcelWeighed.v4', data: { ounces: 1 } };
    expect(registry.upcast(later as StoredEvent)).toBe(later);
  });
});
