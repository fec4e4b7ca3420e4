import { randomInt } from 'node:crypto';
import { aggregatesOf } from '../../test/support/aggregates.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { type Fate, SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { Unavailable } from '../kernel/unavailable.js';
import { BLOCK_LENGTH } from './domain/status-block.events.js';
import { StatusIndexes } from './status-indexes.js';

it('never gives a place twice, over instances that lease at once and appends that are lost', async () => {
  const fates: readonly Fate[] = ['acknowledged', 'acknowledged', 'acknowledgement_lost', 'request_lost'];
  const fate = (): Fate => fates[randomInt(fates.length)] ?? 'acknowledged';
  const clock = new ManualClock();
  const store = new SimulatedEventStore({ fate, budgetMs: 5 });
  const instances = Array.from({ length: 3 }, () => new StatusIndexes(aggregatesOf(store, clock), clock));
  const places: string[] = [];
  const take = async (instance: StatusIndexes): Promise<void> => {
    for (;;) {
      try {
        const { list, index } = await instance.take();
        places.push(`${list} ${index}`);
        return;
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
      }
    }
  };
  for (let round = 0; round < 2 * BLOCK_LENGTH; round += 1) await Promise.all(instances.map(take));
  expect(places).toHaveLength(6 * BLOCK_LENGTH);
  expect(new Set(places).size).toBe(places.length);
});
