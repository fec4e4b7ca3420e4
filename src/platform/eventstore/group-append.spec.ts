import { SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { systemClock } from '../../kernel/clock.js';
import { type NewEvent } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { type AppendResult, type ExpectedRevision, WrongExpectedRevision } from './event-store.js';
import { GroupAppend } from './group-append.js';

const STREAM = 'audit-t1';
const BYTES = 900;
const BUDGET = 5_000;

/** EventStoreDB's rule for appends without an expected revision: the first event tells whether it is a repetition. */
class StoreThatKnowsRepeats extends SimulatedEventStore {
  override async append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const log = this.streams.get(stream) ?? [];
    const known = events.map(({ id }) => log.findLast((stored) => stored.id === id));
    const last = known.at(-1);
    if (known[0] === undefined) return super.append(stream, events, expected);
    if (last === undefined || known.includes(undefined)) throw new WrongExpectedRevision(stream, expected, 0n);
    return last;
  }
}

const newEvent = (): NewEvent => ({
  id: newUuid(),
  type: 'AccessRecorded.v1',
  data: {},
  metadata: {
    $correlationId: newUuid(),
    actor: { type: 'tenant', id: 'key' },
    time: '2026-01-01T00:00:00Z',
    schemaVersion: 1,
  },
});

const someEvents = (count: number): NewEvent[] => Array.from({ length: count }, newEvent);

const appendTogether = (store: StoreThatKnowsRepeats, events: readonly NewEvent[]): Promise<unknown> => {
  const writer = new GroupAppend(STREAM, store, systemClock);
  return Promise.all(events.map((event) => writer.append(event, BYTES, BUDGET)));
};

describe('GroupAppend', () => {
  it.each([
    ['before', (earlier: NewEvent[], fresh: NewEvent[]) => [...earlier, ...fresh]],
    ['behind', (earlier: NewEvent[], fresh: NewEvent[]) => [...fresh, ...earlier]],
    ['among', (earlier: NewEvent[], fresh: NewEvent[]) => fresh.flatMap((event, index) => [earlier[index], event])],
  ])('takes events of an earlier attempt %s new ones, and every event stands in the stream', async (_where, mix) => {
    const store = new StoreThatKnowsRepeats();
    const earlier = someEvents(20);
    await appendTogether(store, earlier);
    const fresh = someEvents(20);
    const mixed = mix(earlier, fresh).filter((event) => event !== undefined);

    await appendTogether(store, mixed);

    const stored = new Set((await store.read(STREAM)).map(({ id }) => id));
    expect([...earlier, ...fresh].filter(({ id }) => !stored.has(id))).toEqual([]);
  });
});
