import fc from 'fast-check';
import { firstDayOf, forecastOf } from './forecast.js';

const TODAY = new Date('2026-03-29T15:00:00.000Z');
const used = (day: string, credits: number) => ({ day, credits });

describe('a forecast', () => {
  it('goes by the seven whole days before today', () => {
    const rows = [used('2026-03-22', 10), used('2026-03-28', 4), used('2026-03-21', 999), used('2026-03-29', 999)];
    expect(forecastOf(rows, 25, TODAY)).toEqual({
      credits_per_day: 2,
      basis_days: 7,
      lasts_days: 12,
      empties_on: '2026-04-10',
    });
  });

  it('goes by four weeks where nothing was used in the last one', () => {
    expect(forecastOf([used('2026-03-01', 28)], 5, TODAY)).toMatchObject({
      credits_per_day: 1,
      basis_days: 28,
      lasts_days: 5,
    });
    expect(firstDayOf(TODAY)).toBe('2026-03-01');
  });

  it.each<[string, readonly { day: string; credits: number }[]]>([
    ['nothing was used', []],
    ['what was used lies further back', [used('2026-02-28', 28)]],
    ['only today is known', [used('2026-03-29', 28)]],
    ['all came back', [used('2026-03-28', 0)]],
  ])('says nothing where %s', (_what, rows) => {
    expect(Object.values(forecastOf(rows, 5, TODAY))).toEqual([null, null, null, null]);
  });

  it('ends today with nothing left, and has no date beyond ten years', () => {
    const rows = [used('2026-03-28', 1)];
    expect(forecastOf(rows, 0, TODAY)).toMatchObject({ lasts_days: 0, empties_on: '2026-03-29' });
    expect(forecastOf(rows, 1_000_000, TODAY)).toMatchObject({ lasts_days: 7_000_000, empties_on: null });
  });

  it('lasts as many days as the balance covers at its pace, and no more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 0, max: 100_000 }), (credits, balance) => {
        const { lasts_days: lasts } = forecastOf([used('2026-03-25', credits)], balance, TODAY);
        expect((lasts ?? NaN) * credits).toBeLessThanOrEqual(7 * balance);
        expect(((lasts ?? NaN) + 1) * credits).toBeGreaterThan(7 * balance);
      }),
    );
  });
});
