import { type BirthDate } from '../../domain/list-entry.js';

const DAY = 86_400_000;
/** The Julian day of 1 January 1970. */
const EPOCH = 2_440_588;
/** Days by which the lunar calendar of the tables may differ from the one in use: it is set by sight. */
const SIGHT = 2;

const iso = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The tabular calendar of thirty years. */
const lunarDay = (year: number, month: number, day: number): number =>
  (Math.floor((11 * year + 3) / 30) +
    354 * year +
    30 * month -
    Math.floor((month - 1) / 2) +
    day +
    1_948_440 -
    385 -
    EPOCH) *
  DAY;

/** The calendar of Iran and Afghanistan begins on 20, 21 or 22 March. */
const solarDay = (year: number, month: number, day: number): number =>
  Date.UTC(year + 621, 2, 20) + ((month <= 7 ? 31 * (month - 1) : 186 + 30 * (month - 7)) + day - 1) * DAY;

const lunar = (year: number, month?: number, day?: number): readonly [number, number] => {
  if (month === undefined) return [lunarDay(year, 1, 1) - SIGHT * DAY, lunarDay(year + 1, 1, 1) + DAY];
  if (day === undefined) return [lunarDay(year, month, 1) - SIGHT * DAY, lunarDay(year, month, 30) + SIGHT * DAY];
  return [lunarDay(year, month, day) - SIGHT * DAY, lunarDay(year, month, day) + SIGHT * DAY];
};

const solar = (year: number, month?: number, day?: number): readonly [number, number] => {
  if (month === undefined) return [solarDay(year, 1, 1), solarDay(year + 1, 1, 2)];
  if (day === undefined) return [solarDay(year, month, 1), solarDay(year, month, 31) + 2 * DAY];
  return [solarDay(year, month, day), solarDay(year, month, day) + 2 * DAY];
};

/** A date of an Islamic calendar as a period of ours. Lists do not say whether it is the lunar or the solar one, so both. */
export const islamicDates = (year: number, month?: number, day?: number): BirthDate[] => {
  const sourceText = [year, month, day].filter((part) => part !== undefined).join('-');
  return [
    { name: 'lunar', period: lunar(year, month, day) },
    { name: 'solar', period: solar(year, month, day) },
  ].map(({ name, period: [from, to] }) => ({
    text: `${sourceText} (Islamic calendar, ${name})`,
    from: iso(from),
    to: iso(to),
  }));
};
