import { assert, date, double, integer, property } from 'fast-check';
import { isGivenUp, nextTryAt, retryAfterOf } from './schedule.js';

const SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const aTime = date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2030-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const DAY = 86_400_000;

describe('the schedule of tries', () => {
  it('follows the contract within a fifth, whatever the chance', () =>
    assert(
      property(integer({ min: 1, max: 9 }), aTime, double({ min: 0, max: 1, noNaN: true }), (tries, at, random) => {
        const pause = ((nextTryAt(tries, at, random, null)?.getTime() ?? NaN) - at.getTime()) / 1_000;
        const wanted = SECONDS[tries - 1] ?? NaN;
        expect(pause).toBeGreaterThanOrEqual(wanted * 0.8 - 0.001);
        expect(pause).toBeLessThanOrEqual(wanted * 1.2 + 0.001);
      }),
    ));

  it('ends with the tenth try', () => expect(nextTryAt(10, new Date(0), 0.5, null)).toBeUndefined());
});

describe('giving an endpoint up', () => {
  const now = new Date('2026-03-10T00:00:00Z');
  const ago = (days: number): Date => new Date(now.getTime() - days * DAY);
  it('needs five days without a success', () => {
    expect(isGivenUp(null, ago(30), now)).toBe(false);
    expect(isGivenUp(ago(4.99), ago(30), now)).toBe(false);
    expect(isGivenUp(ago(5), ago(30), now)).toBe(true);
  });
  it('counts from its activation', () => expect(isGivenUp(ago(20), ago(1), now)).toBe(false));

  it('asks a receiver no sooner than it wants, a day later at most', () => {
    const now = new Date('2026-11-27T00:00:00.000Z');
    expect(nextTryAt(1, now, 0.5, 20)?.getTime()).toBe(now.getTime() + 20_000);
    expect(nextTryAt(2, now, 0.5, 20)?.getTime()).toBe(now.getTime() + 300_000);
    const fields = [
      '20',
      ' 0 ',
      'soon',
      undefined,
      '999999',
      'Fri, 27 Nov 2026 00:01:00 GMT',
      'Thu, 26 Nov 2026 00:00:00 GMT',
    ];
    expect(fields.map((field) => retryAfterOf(field, now))).toEqual([20, null, null, null, 86_400, 60, null]);
  });
});
