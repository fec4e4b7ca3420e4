import { BLOCKS_IN_LIST, LIST_LENGTH, type StatusBlockLeased } from './status-block.events.js';
import { indexesOf, statusBlocks } from './status-blocks.js';
import { type Recorded } from '../../kernel/events.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');

it('leases every block of a list once, in no order, and then begins the next list', () => {
  let state = statusBlocks.initialState('');
  const leased: string[] = [];
  for (let time = 0; time <= BLOCKS_IN_LIST; time += 1) {
    const [event] = statusBlocks.decide({ now: NOW, chance: (time * 0.618) % 1 }, state);
    leased.push(`${event?.data.list ?? ''} ${event?.data.block ?? ''}`);
    state = statusBlocks.evolve(state, event as Recorded<StatusBlockLeased>);
  }
  expect(new Set(leased).size).toBe(BLOCKS_IN_LIST + 1);
  expect(leased.filter((block) => block.startsWith('1 '))).toHaveLength(BLOCKS_IN_LIST);
  expect(leased.at(-1)).toMatch(/^2 /);
});

it('gives every index of a list to exactly one block', () => {
  const all = Array.from({ length: BLOCKS_IN_LIST }, (_, block) => indexesOf(block)).flat();
  expect(all).toHaveLength(LIST_LENGTH);
  expect(new Set(all).size).toBe(LIST_LENGTH);
  expect(all.reduce((one, other) => Math.max(one, other))).toBe(LIST_LENGTH - 1);
});
