import { Progress } from './progress.js';

const EVENTS = 10_000;

it('keeps little behind an event that stays open, and none of it is lost', () => {
  const progress = new Progress(undefined);
  const end = progress.begin(0n, new Date(0));
  for (let position = 1n; position <= EVENTS; position += 1n) {
    if (position % 2n === 0n) progress.pass(position);
    else progress.begin(position, new Date(0))(true);
  }
  expect([progress.reached, progress.size < 2_000]).toEqual([undefined, true]);
  end(true);
  expect([progress.reached, progress.size]).toEqual([BigInt(EVENTS), 0]);
});
