import { newUuid } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { AppendRefused, type EventStore } from './event-store.js';
import { type AppendOutcome, MeasuredEventStore } from './measured-event-store.js';

const event = () => ({
  type: 'Thing.v1',
  id: newUuid(),
  data: {},
  metadata: { requestId: 'r', actor: { type: 'system', id: 'test' }, time: '2026-01-01T00:00:00.000Z' },
});
type Event = Parameters<EventStore['append']>[1][number];
const events = (count: number): Event[] => Array.from({ length: count }, () => event() as unknown as Event);

const measured = (store: EventStore) => {
  const seen: [AppendOutcome, number][] = [];
  const observe = (outcome: AppendOutcome, seconds: number, count: number): void => {
    expect(seconds).toBeGreaterThanOrEqual(0);
    seen.push([outcome, count]);
  };
  return { store: new MeasuredEventStore(store, observe), seen };
};

const failing = (error: Error): EventStore => {
  const store = new SimulatedEventStore();
  store.append = () => Promise.reject(error);
  return store;
};

it('tells how many events an append had and that it was written, and gives its result on', async () => {
  const { store, seen } = measured(new SimulatedEventStore());
  expect((await store.append('things-1', events(3), 'no_stream')).revision).toBe(2n);
  expect(await store.read('things-1')).toHaveLength(3);
  expect(seen).toEqual([['written', 3]]);
});

it('tells a conflict, a refusal and an unknown outcome apart, and throws each on', async () => {
  const conflicting = measured(new SimulatedEventStore());
  await expect(conflicting.store.append('things-1', events(1), 7n)).rejects.toThrow('expected 7');
  const refused = measured(failing(new AppendRefused('things-1', 'too big')));
  await expect(refused.store.append('things-1', events(1), 'any')).rejects.toThrow('too big');
  const away = measured(failing(new Unavailable('event_store')));
  await expect(away.store.append('things-1', events(2), 'any')).rejects.toThrow(Unavailable);
  expect([...conflicting.seen, ...refused.seen, ...away.seen]).toEqual([
    ['conflict', 1],
    ['refused', 1],
    ['unknown', 2],
  ]);
});
