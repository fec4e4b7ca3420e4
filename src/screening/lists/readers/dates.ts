import { type BirthDate } from '../../domain/list-entry.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const two = (value: number): string => String(value).padStart(2, '0');

const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** A year outside is of another calendar: such a date is kept unread, so that it contradicts no birth date. */
const [FIRST_YEAR, LAST_YEAR] = [1850, 2100];

const isOurs = (date: string): boolean => {
  const number = Number(date.slice(0, 4));
  return number >= FIRST_YEAR && number <= LAST_YEAR;
};

const year = (text: string): BirthDate | undefined =>
  isOurs(text) ? { text, from: `${text}-01-01`, to: `${text}-12-31` } : undefined;

const month = (of: string, index: number): BirthDate | undefined => {
  if (!isOurs(of)) return undefined;
  const text = `${of}-${two(index + 1)}`;
  return { text, from: `${text}-01`, to: `${text}-${two(lastDayOf(Number(of), index + 1))}` };
};

/** A real calendar day. */
export const isoDay = (text: string): string | undefined => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
};

export const birthDay = (text: string): BirthDate | undefined =>
  isoDay(text) === undefined || !isOurs(text) ? undefined : { text, from: text, to: text };

const monthIndex = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase());

const dayOf = (of: string, index: number, day: string): BirthDate | undefined =>
  birthDay(`${of}-${two(index + 1)}-${day.padStart(2, '0')}`);

/** `07/10/1952` may be of July or October, so that only a day that no month has can be read. */
const withSlashes = (text: string): BirthDate | undefined => {
  const [, first = '', second = '', of = ''] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(text) ?? [];
  if (of === '') return undefined;
  if (first === second || Number(first) > 12) return dayOf(of, Number(second) - 1, first);
  return Number(second) > 12 ? dayOf(of, Number(first) - 1, second) : undefined;
};

/** `1952`, `1952-10`, `1952-10-07`, `1952/10/07`, `Oct 1952`, `07 Oct. 1952`, `October 7, 1952`. */
const single = (text: string): BirthDate | undefined => {
  if (/^\d{4}$/.test(text)) return year(text);
  const [, decade] = /^(\d{3}0)s$/.exec(text) ?? [];
  if (decade !== undefined && isOurs(decade))
    return { text, from: `${decade}-01-01`, to: `${Number(decade) + 9}-12-31` };
  const [, isoYear = '', isoMonth = ''] = /^(\d{4})-(\d{2})$/.exec(text) ?? [];
  if (Number(isoMonth) >= 1 && Number(isoMonth) <= 12) return month(isoYear, Number(isoMonth) - 1);
  const [, day, name = '', of = ''] =
    /^(?:(\d{1,2})[ -])?([A-Za-z]{3,9})(?:\.| |-|\. )(\d{4})$/.exec(text) ??
    [...(/^([A-Za-z]{3,9})\.? (\d{1,2}), (\d{4})$/.exec(text) ?? [])].map((part, at, parts) =>
      at === 1 ? parts[2] : at === 2 ? parts[1] : part,
    );
  const index = monthIndex(name);
  if (of === '' || index === -1) return birthDay(text.replaceAll('/', '-')) ?? withSlashes(text);
  return day === undefined ? month(of, index) : dayOf(of, index, day);
};

const shifted = (day: string, years: number): string => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;

/** Years that a date given as about may be off. */
const CIRCA = 2;

export const circa = ({ text, from, to }: BirthDate): BirthDate => ({
  text: `circa ${text}`,
  from: shifted(`${from.slice(0, 4)}-01-01`, -CIRCA),
  to: shifted(`${to.slice(0, 4)}-12-31`, CIRCA),
});

export const between = (first: BirthDate, last: BirthDate): BirthDate => ({
  text: `${first.text} to ${last.text}`,
  from: first.from < last.from ? first.from : last.from,
  to: first.to > last.to ? first.to : last.to,
});

const ABOUT = /^(?:circa|approximately|approx\.|about|around|ca\.?|c\.) (.+)$/i;
/** The two ends of a period; a first month without its year has that of the last. */
const PERIOD = /^(?:between )?(.+?)(?: to | and | or | - |\/(?=\d{4}$)|(?<=^(?:between )?\d{4})-(?=\d{4}$))(.+)$/i;

/** A birth date as the lists write it; undefined where it cannot be read. */
export const birthDateOf = (text: string): BirthDate | undefined => {
  const plain = text.trim().replace(/\s+/g, ' ');
  const [, about] = ABOUT.exec(plain) ?? [];
  if (about !== undefined) {
    const date = birthDateOf(about);
    return date && circa(date);
  }
  const alone = single(plain);
  const [, first = '', last] = PERIOD.exec(plain) ?? [];
  if (alone !== undefined || last === undefined) return alone;
  const to = single(last.trim());
  const from = single(first.trim()) ?? single(`${first.trim()} ${last.slice(-4)}`);
  return from && to && between(from, to);
};

/** Dates that were read, and the texts of those that were not. */
export interface ReadDates {
  readonly dates: readonly BirthDate[];
  readonly unread: readonly string[];
}

export const readDates = (texts: readonly string[]): ReadDates => {
  const read = texts.filter((text) => text.trim() !== '').map((text) => ({ text, date: birthDateOf(text) }));
  return {
    dates: read.flatMap(({ date }) => date ?? []),
    unread: read.flatMap(({ text, date }) => (date === undefined ? [text] : [])),
  };
};

export const together = (...all: readonly ReadDates[]): ReadDates => ({
  dates: all.flatMap(({ dates }) => dates),
  unread: [...new Set(all.flatMap(({ unread }) => unread))],
});
