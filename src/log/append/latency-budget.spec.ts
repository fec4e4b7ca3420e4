import { LatencyBudget } from './latency-budget.js';

/** A pace after appends that took so many milliseconds; its clock always stands at 0 when it is asked. */
const paceAfter = async (...took: readonly number[]): Promise<LatencyBudget> => {
  let time = 0;
  const pace = new LatencyBudget({ now: () => new Date(0), monotonic: () => time });
  for (const ms of took) {
    time = 0;
    await pace.timed(() => Promise.resolve((time += ms)));
  }
  return pace;
};

const withTimeLeft = (...left: number[]): { readonly deadline: number }[] =>
  left.map((milliseconds) => ({ deadline: milliseconds }));

describe('the pace of appends', () => {
  it('lets everybody try before an append has been seen', async () => {
    const waiting = withTimeLeft(1, 1_500, Infinity);
    expect((await paceAfter()).inTime(waiting, 0)).toEqual(waiting);
  });

  it('leaves out who would hear too late, and keeps the order', async () => {
    const pace = await paceAfter(300);
    expect(pace.inTime(withTimeLeft(700, 300, 355, 400, -5), 0)).toEqual(withTimeLeft(700, 400));
  });

  it('never leaves out who has no deadline', async () => {
    const pace = await paceAfter(1e9);
    expect(pace.inTime(withTimeLeft(1_500, Infinity), 0)).toEqual(withTimeLeft(Infinity));
  });

  it('tries the one with most time where nobody has enough, and nobody whose time has passed', async () => {
    const pace = await paceAfter(3_000);
    expect(pace.inTime(withTimeLeft(900, 1_400, 200), 0)).toEqual(withTimeLeft(1_400));
    expect(pace.inTime(withTimeLeft(0, -20), 0)).toEqual([]);
  });

  it('forgets an outlier within some quick appends, and learns a slower pace at once', async () => {
    const waiting = withTimeLeft(200, 1_500);
    const quick = Array.from({ length: 15 }, () => 5);
    expect((await paceAfter(3_000)).inTime(waiting, 0)).toHaveLength(1);
    expect((await paceAfter(3_000, ...quick)).inTime(waiting, 0)).toHaveLength(2);
    expect((await paceAfter(3_000, ...quick, 170)).inTime(waiting, 0)).toHaveLength(1);
  });

  it('learns from a failure that appends are slow, never that they are quick', async () => {
    let time = 0;
    const pace = new LatencyBudget({ now: () => new Date(0), monotonic: () => time });
    const failAfter = (ms: number): Promise<unknown> =>
      pace.timed(() => Promise.reject(new Error(`at ${(time += ms)}`))).catch((error: unknown) => error);
    await failAfter(1_500);
    for (let attempt = 0; attempt < 30; attempt += 1) await failAfter(0);
    expect(pace.inTime(withTimeLeft(time + 1_000, time + 2_000), time)).toEqual(withTimeLeft(time + 2_000));
  });
});
