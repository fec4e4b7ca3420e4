import fc from 'fast-check';
import { daysLeft, type ExpiryNotice, isNoticeDue } from './expiry-notices.js';

const DAYS = { first: 30, last: 7 } as const;
const DAY = 86_400_000;
const EXPIRY = Date.parse('2026-12-31T00:00:00.000Z');
const expiresAt = new Date(EXPIRY).toISOString();

/** Looks at these moments, the last notice first each time, as the jobs do. */
const heardAt = (moments: readonly number[]): readonly (readonly [ExpiryNotice, number])[] => {
  let noticed: ExpiryNotice | null = null;
  const heard: [ExpiryNotice, number][] = [];
  for (const moment of [...moments].sort((one, other) => one - other)) {
    for (const notice of ['last', 'first'] as const) {
      const now = new Date(moment);
      if (!isNoticeDue({ expiresAt, noticed }, notice, { days: DAYS[notice], now })) continue;
      noticed = notice;
      heard.push([notice, EXPIRY - moment]);
    }
  }
  return heard;
};

it('is heard once each, in their order, in their time and never after the expiry', () => {
  const moment = fc.integer({ min: EXPIRY - 60 * DAY, max: EXPIRY + 10 * DAY });
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 20 }), (moments) => {
      const heard = heardAt(moments);
      expect(['', 'first', 'last', 'first,last']).toContain(heard.map(([notice]) => notice).join());
      for (const [notice, left] of heard) {
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThanOrEqual(DAYS[notice] * DAY);
      }
      const within = (days: number): boolean => moments.some((at) => at < EXPIRY && EXPIRY - at <= days * DAY);
      expect(heard.some(([notice]) => notice === 'last')).toBe(within(DAYS.last));
      expect(heard.length > 0).toBe(within(DAYS.first));
    }),
  );
});

it('counts the days that are left, begun ones included', () => {
  expect(daysLeft(expiresAt, '2026-12-24T00:00:00.000Z')).toBe(7);
  expect(daysLeft(expiresAt, '2026-12-24T00:00:00.001Z')).toBe(7);
  expect(daysLeft(expiresAt, '2026-12-30T23:59:59.999Z')).toBe(1);
});
