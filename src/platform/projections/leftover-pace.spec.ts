import { LeftoverPace } from './leftover-pace.js';

describe('background work that takes what requests leave', () => {
  let utilisation = 0;
  const pace = new LeftoverPace(() => utilisation);
  const restsOf = (count: number): number[] => Array.from({ length: count }, () => pace.after(10));

  it('does not rest while the event loop has time', () => {
    utilisation = 0.7;
    expect(restsOf(3)).toEqual([0, 0, 0]);
  });

  it('rests longer and longer while it has none, within a bound', () => {
    utilisation = 0.9;
    expect(restsOf(6)).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('goes back to its full speed when the others are done', () => {
    utilisation = 0.4;
    expect(restsOf(5)).toEqual([30, 15, 7.5, 3.75, 0]);
  });

  it('measures the event loop of its process', () => {
    const own = new LeftoverPace();
    const until = performance.now() + 20;
    while (performance.now() < until);
    expect(own.after(10)).toBe(5);
  });
});
