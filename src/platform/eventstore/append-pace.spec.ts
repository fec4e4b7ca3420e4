import { AppendPace } from './append-pace.js';

const withTimeLeft = (...left: number[]): { readonly deadline: number }[] =>
  left.map((milliseconds) => ({ deadline: milliseconds }));

describe('the pace of appends', () => {
  it('lets everybody try before an append has been seen', () => {
    const waiting = withTimeLeft(1, 1_500, Infinity);
    expect(new AppendPace().inTime(waiting, 0)).toEqual(waiting);
  });

  it('leaves out who would hear too late, and keeps the order', () => {
    const pace = new AppendPace();
    pace.answeredAfter(300);
    expect(pace.inTime(withTimeLeft(700, 300, 355, 400, -5), 0)).toEqual(withTimeLeft(700, 400));
  });

  it('never leaves out who has no deadline', () => {
    const pace = new AppendPace();
    pace.answeredAfter(1e9);
    expect(pace.inTime(withTimeLeft(1_500, Infinity), 0)).toEqual(withTimeLeft(Infinity));
  });

  it('tries the one with most time where nobody has enough, and nobody whose time has passed', () => {
    const pace = new AppendPace();
    pace.failedAfter(3_000);
    expect(pace.inTime(withTimeLeft(900, 1_400, 200), 0)).toEqual(withTimeLeft(1_400));
    expect(pace.inTime(withTimeLeft(0, -20), 0)).toEqual([]);
  });

  it('forgets an outlier within some quick appends, and learns a slower pace at once', () => {
    const pace = new AppendPace();
    const waiting = withTimeLeft(200, 1_500);
    pace.answeredAfter(3_000);
    expect(pace.inTime(waiting, 0)).toHaveLength(1);
    for (let append = 0; append < 15; append += 1) pace.answeredAfter(5);
    expect(pace.inTime(waiting, 0)).toHaveLength(2);
    pace.answeredAfter(170);
    expect(pace.inTime(waiting, 0)).toHaveLength(1);
  });
});
