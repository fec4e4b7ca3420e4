import { type BirthDate } from '../domain/list-entry.js';
import { type DateClass } from './evidence.js';
import { WEIGHTS } from './weights.js';

export interface DateComparison {
  readonly dateClass: DateClass;
  /** What a compliance officer reads; none where nothing was compared. */
  readonly reason?: string;
}

const DAY = 86_400_000;
const NEAR = 366 * DAY;

/** The first and the last day that a date may represent, YYYY-MM-DD. */
interface Period {
  readonly from: string;
  readonly to: string;
}

const lastOfMonth = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
};

/** Of `1952`, `1952-10` or `1952-10-07`. */
const periodOf = (date: string): Period => {
  if (date.length === 4) return { from: `${date}-01-01`, to: `${date}-12-31` };
  return date.length === 7 ? { from: `${date}-01`, to: lastOfMonth(date) } : { from: date, to: date };
};

const isDay = ({ from, to }: Period): boolean => from === to;

const exchanged = (day: string): string => `${day.slice(0, 4)}-${day.slice(8, 10)}-${day.slice(5, 7)}`;

const yearOf = (day: string): number => Number(day.slice(0, 4));

/** Publishers, registries and people write it where they know the year alone. */
const isFirstOfJanuary = (day: string): boolean => day.endsWith('-01-01');

/** How a day may have been written for another one by a slip of the hand: undefined where it takes more. */
const slipBetween = (one: string, other: string): string | undefined => {
  const places = Array.from(one, (_, place) => place).filter((place) => one[place] !== other[place]);
  const [first = 0, second = 0] = places;
  if (places.length === 1) return 'one digit differs';
  const digits = (day: string): string => day.replaceAll('-', '');
  const [ours, theirs] = [digits(one), digits(other)];
  const at = Array.from(ours).findIndex((digit, place) => digit !== theirs[place]);
  const isExchanged =
    places.length === 2 && second - first <= 2 && ours[at] === theirs[at + 1] && ours[at + 1] === theirs[at];
  if (isExchanged) return 'two digits are exchanged';
  return Math.abs(Date.parse(one) - Date.parse(other)) === DAY ? 'it is one day off' : undefined;
};

const daysApart = (one: Period, other: Period): number =>
  Math.max(Date.parse(one.from) - Date.parse(other.to), Date.parse(other.from) - Date.parse(one.to));

/** How near to each other two dates are that may be the same: by the wider of the two. */
const widthOf = (one: Period, other: Period): DateClass => {
  const [first, last] = [one.from < other.from ? one.from : other.from, one.to > other.to ? one.to : other.to];
  if (first.slice(0, 7) === last.slice(0, 7)) return 'month';
  return first.slice(0, 4) === last.slice(0, 4) ? 'year' : 'range';
};

const compareOne = (queryDate: string, listed: BirthDate): DateComparison => {
  const period = periodOf(queryDate);
  const prefix = `Birth date ${queryDate}`;
  if (isDay(period) && isDay(listed) && queryDate === listed.from) {
    return isFirstOfJanuary(queryDate)
      ? {
          dateClass: 'first_of_january',
          reason: `${prefix} is the listed one, but 1 January often means the year alone.`,
        }
      : { dateClass: 'day', reason: `${prefix} is the listed one.` };
  }
  if (period.from <= listed.to && listed.from <= period.to) {
    return {
      dateClass: widthOf(period, listed),
      reason: `${prefix} agrees with the listed “${listed.text}”, which is no exact day.`,
    };
  }
  if (isDay(period) && isDay(listed) && exchanged(queryDate) === listed.from) {
    return { dateClass: 'exchanged', reason: `${prefix} is the listed ${listed.text} with day and month exchanged.` };
  }
  if (isDay(period) && isDay(listed)) {
    if (yearOf(queryDate) === yearOf(listed.from) && (isFirstOfJanuary(queryDate) || isFirstOfJanuary(listed.from)))
      return {
        dateClass: 'january',
        reason: `${prefix} has the year of the listed ${listed.text}; 1 January often means the year alone.`,
      };
    const slip = slipBetween(queryDate, listed.from);
    if (slip !== undefined)
      return { dateClass: 'slip', reason: `${prefix} is nearly the listed ${listed.text}: ${slip}.` };
  }
  const years = Math.max(yearOf(period.from) - yearOf(listed.to), yearOf(listed.from) - yearOf(period.to));
  if (years <= 2 && daysApart(period, listed) <= NEAR) {
    return { dateClass: 'near', reason: `${prefix} is within a year of the listed “${listed.text}”, but differs.` };
  }
  return { dateClass: 'contradicts', reason: `${prefix} contradicts the listed “${listed.text}”.` };
};

/** The listed date that is nearest counts: a list names several where it is not sure. One that could not be read may be the one. */
export const compareBirthDate = (
  queryDate: string | undefined,
  listed: readonly BirthDate[],
  unread: readonly string[] = [],
): DateComparison => {
  if (queryDate === undefined) return { dateClass: 'not_asked' };
  const [best] = listed
    .map((one) => compareOne(queryDate, one))
    .sort((a, b) => WEIGHTS[b.dateClass] - WEIGHTS[a.dateClass]);
  if (best === undefined && unread.length === 0) {
    return { dateClass: 'none_listed', reason: 'The list gives no birth date to compare.' };
  }
  const agrees = best !== undefined && best.dateClass !== 'contradicts' && best.dateClass !== 'near';
  if (agrees || unread.length === 0) return best ?? { dateClass: 'none_listed' };
  return { dateClass: 'none_listed', reason: `The list also says “${unread.join('”, “')}”, which cannot be compared.` };
};
