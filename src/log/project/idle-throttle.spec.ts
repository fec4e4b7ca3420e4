import { IdleThrottle } from './idle-throttle.js';

/** The rests after pieces of 10 ms, one for each of these shares of the time. */
const restsAt = (...shares: readonly number[]): number[] => {
  const left = [...shares];
  const pace = new IdleThrottle(() => left.shift() ?? 0);
  return shares.map(() => pace.restAfter(10));
};

describe('background work that takes what the others leave', () => {
  it('does not rest while the event loop has time', () => {
    expect(restsAt(0.7, 0.5, 0.7)).toEqual([0, 0, 0]);
  });

  it('rests longer and longer while it has none, within a bound', () => {
    expect(restsAt(0.9, 0.9, 0.9, 0.9, 0.9)).toEqual([5, 10, 20, 40, 40]);
  });

  it('goes back to its full speed when the others are done', () => {
    expect(restsAt(0.9, 0.9, 0.9, 0.4, 0.4, 0.4)).toEqual([5, 10, 20, 10, 5, 0]);
  });

  it('does not pay for a piece that hung', () => {
    expect(new IdleThrottle(() => 1).restAfter(60_000)).toBe(500);
  });

  it('measures the event loop of its process', () => {
    const own = new IdleThrottle();
    const until = performance.now() + 20;
    while (performance.now() < until);
    expect(own.restAfter(10)).toBe(5);
  });
});
