import { aggregatesOf } from '../../../test/support/aggregates.js';
import { MemorySnapshots } from '../../../test/support/memory-snapshots.js';
import { SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { defineCategory, defineLog, upcaster } from '../../kernel/category.js';
import { CategoryRegistry } from '../../kernel/category-registry.js';
import { systemClock } from '../../kernel/clock.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { newUuid } from '../../kernel/ids.js';
import { InvariantViolation } from '../../kernel/invariant.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { AggregateStore } from './aggregate-store.js';
import { type AppendResult, WrongExpectedRevision } from '../../platform/eventstore/event-store.js';

type Counted = DomainEvent<'Counted.v1', { readonly by: number }>;

const counters = defineCategory({
  name: 'counter',
  stream: (id: string) => `counter-${id}`,
  decider: {
    initialState: () => 0,
    decide: (by: number): Counted[] => (by === 0 ? [] : [{ type: 'Counted.v1', data: { by } }]),
    evolve: (count: number, { data }: Counted) => count + data.by,
  },
  events: { 'Counted.v1': {} },
  kept: 'for_good',
  snapshots: { version: 'counter.1', encode: (count) => count, decode: (kept: number) => kept },
});

const metadata = { requestId: '0123456789abcdef', actor: { type: 'system', id: 'test' } } as const;
const stream = counters.stream('1');

const worldOf = (store = new SimulatedEventStore()) => {
  const aggregates = new AggregateStore(new CategoryRegistry([counters]), store, new MemorySnapshots(), systemClock);
  return { store, aggregates, counts: aggregates.of(counters) };
};

/** Somebody else is always first. */
class ContendedStore extends SimulatedEventStore {
  appends = 0;

  override append(stream: string): Promise<AppendResult> {
    this.appends += 1;
    return Promise.reject(new WrongExpectedRevision(stream, 'no_stream', 0n));
  }
}

describe('deciding on a stream', () => {
  it('gives up on endless conflicts as on a store that is busy: nobody is told of a fault of ours', async () => {
    const store = new ContendedStore();
    await expect(worldOf(store).counts.execute(stream, 1, { metadata })).rejects.toThrow(Unavailable);
    expect(store.appends).toBe(20);
  });

  it('tries no more once its time is over', async () => {
    const store = new ContendedStore();
    await expect(worldOf(store).counts.execute(stream, 1, { metadata, budgetMs: 0 })).rejects.toThrow(Unavailable);
    expect(store.appends).toBe(0);
  });

  it('loses none of many at once, also where another process writes too', async () => {
    const { store, counts } = worldOf(new SimulatedEventStore({ delay: () => 1 }));
    const elsewhere = worldOf(store).counts;
    const writers = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? counts : elsewhere));
    await Promise.all(writers.map((writer) => writer.execute(stream, 1, { metadata })));
    expect((await counts.load(stream)).state).toBe(12);
  });

  it('finds an effect again whose id was fixed, whatever has happened since', async () => {
    const { counts } = worldOf();
    const effect = { metadata, firstEventId: newUuid() };
    const first = await counts.execute(stream, 5, { ...effect, loaded: counts.unread(stream) });
    for (let n = 0; n < 30; n += 1) await counts.execute(stream, 1, { metadata });
    const again = await counts.execute(stream, 5, { ...effect, repeated: true });
    expect([first.appended.length, again.appended.length]).toEqual([1, 0]);
    expect(again.position).toBe(first.position);
    expect(again.state).toBe(35);
  });

  it('answers with the events as they stand in the log, and with the state after them', async () => {
    const { store, counts } = worldOf();
    await counts.execute(stream, 2, { metadata });
    const { state, appended } = await counts.execute(stream, 3, { metadata: { ...metadata, causationId: 'event' } });
    expect(state).toBe(5);
    const stored = store.streams.get(stream)?.at(-1);
    expect(appended).toEqual([{ ...stored, created: expect.any(Date) as Date }]);
    expect(stored?.metadata).toMatchObject({
      $correlationId: metadata.requestId,
      $causationId: 'event',
      actor: metadata.actor,
      schemaVersion: 1,
    });
  });

  it('finds an event again that lies before what was read', async () => {
    const { counts } = worldOf();
    for (let n = 0; n < 50; n += 1) await counts.execute(stream, 1, { metadata });
    const loaded = await counts.load(stream);
    expect(loaded.events.length).toBeLessThan(50);
    expect((await counts.eventAt(loaded, 2n))?.revision).toBe(2n);
    expect((await counts.eventAt(loaded, 49n))?.revision).toBe(49n);
    expect(await counts.eventAt(loaded, 50n)).toBeUndefined();
  });
});

describe('the registry of categories', () => {
  it('lets nothing be written of a category that it does not know', () => {
    expect(() => aggregatesOf(new SimulatedEventStore()).of(counters)).toThrow(InvariantViolation);
  });

  it('lets no event stand in a stream of another category', () => {
    const log = defineLog<Counted>({ name: 'log', events: { 'Counted.v1': {} }, kept: 'for_good' });
    const registry = new CategoryRegistry([log]);
    const aggregates = new AggregateStore(registry, new SimulatedEventStore(), new MemorySnapshots(), systemClock);
    const counted = { id: newUuid(), type: 'Counted.v1', data: { by: 1 } } as const;
    expect(() => aggregates.append(log, 'counter-1', counted, { metadata })).toThrow(InvariantViolation);
  });

  it('refuses a type that two categories have, and an upcaster that leads nowhere', () => {
    const twin = defineLog<Counted>({ name: 'twin', events: { 'Counted.v1': {} }, kept: 'for_good' });
    expect(() => new CategoryRegistry([counters, twin])).toThrow('one category');
    const astray = {
      ...counters,
      upcasters: [upcaster<Counted, DomainEvent<'Lost.v2'>>('Counted.v1', 'Lost.v2', (data) => data)],
    };
    expect(() => new CategoryRegistry([{ ...astray, events: {} }])).toThrow('upcast to');
  });
});
