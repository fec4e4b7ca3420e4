import { SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { systemClock } from '../../kernel/clock.js';
import { type NewEvent } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type ExpectedRevision } from '@kyc/esdb-client/requests';
import { type AppendResult, WrongExpectedRevision } from '../../platform/eventstore/event-store.js';
import { GroupAppend } from './group-append.js';

const STREAM = 'audit-t1';
const BYTES = 900;
const BUDGET = 5_000;

/** EventStoreDB's rule for appends without an expected revision: the first event says whether it is a repetition. */
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

  it('answers each by its own deadline: one that is urgent does not fail those it is appended with', async () => {
    const store = new SimulatedEventStore({ latencyMs: () => 200 });
    const writer = new GroupAppend(STREAM, store, systemClock);
    let settled = false;
    const urgent = writer.append(newEvent(), BYTES, 60);
    const longAppend = writer.append(newEvent(), BYTES, BUDGET).finally(() => (settled = true));
    await expect(urgent).rejects.toThrow(Unavailable);
    expect(settled).toBe(false);
    await expect(longAppend).resolves.toBe(2n);
  });

  it('appends for nobody who would hear too late, and in an overload for as many as the store takes', async () => {
    let time = 0;
    const store = new SimulatedEventStore();
    const waiting: Promise<unknown>[] = [];
    const answered = { inTime: 0, late: 0 };
    const ask = (): void => {
      for (let n = 0; n < 18 && waiting.length < 900; n += 1) {
        const deadline = time + 1_500;
        const accepted = (): number => (time > deadline ? (answered.late += 1) : (answered.inTime += 1));
        waiting.push(writer.append(newEvent(), 52_500, 1_500).then(accepted, () => undefined));
      }
    };
    const append = store.append.bind(store);
    store.append = (...args) => {
      ask();
      time += 320;
      return append(...args);
    };
    const writer = new GroupAppend(STREAM, store, { now: () => new Date(time), monotonic: () => time });
    ask();
    while (!writer.idle) await new Promise((resume) => setImmediate(resume));
    // At most the very last, who is tried although there is little time, since it is all there is to do.
    expect(answered.late).toBeLessThanOrEqual(1);
    expect(answered.inTime).toBeGreaterThanOrEqual(440);
  });

  it('says Unavailable where the store does not answer within its budget', async () => {
    const writer = new GroupAppend(STREAM, new SimulatedEventStore({ latencyMs: () => 90, budgetMs: 60 }), systemClock);
    await expect(writer.append(newEvent(), BYTES, BUDGET)).rejects.toThrow(Unavailable);
  });
});
