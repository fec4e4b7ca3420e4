import { type BirthDate } from '../../domain/list-entry.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const two = (value: number): string => String(value).padStart(2, '0');

const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const year = (text: string): BirthDate => ({ text, from: `${text}-01-01`, to: `${text}-12-31` });

const month = (of: string, index: number): BirthDate => {
  const text = `${of}-${two(index + 1)}`;
  return { text, from: `${text}-01`, to: `${text}-${two(lastDayOf(Number(of), index + 1))}` };
};

/** A real calendar day. */
export const isoDay = (text: string): string | undefined => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
};

export const birthDay = (text: string): BirthDate | undefined =>
  isoDay(text) === undefined ? undefined : { text, from: text, to: text };

const monthIndex = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase());

/** `1952`, `1952-10`, `1952-10-07`, `Oct 1952`, `07 Oct 1952`. */
const single = (text: string): BirthDate | undefined => {
  if (/^\d{4}$/.test(text)) return year(text);
  const [, isoYear = '', isoMonth = ''] = /^(\d{4})-(\d{2})$/.exec(text) ?? [];
  if (Number(isoMonth) >= 1 && Number(isoMonth) <= 12) return month(isoYear, Number(isoMonth) - 1);
  const [, day, name = '', of = ''] = /^(?:(\d{1,2}) )?([A-Za-z]{3,9}) (\d{4})$/.exec(text) ?? [];
  const index = monthIndex(name);
  if (of === '' || index === -1) return birthDay(text);
  return day === undefined ? month(of, index) : birthDay(`${of}-${two(index + 1)}-${two(Number(day))}`);
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

/** A birth date as the lists write it; undefined where it cannot be read. */
export const birthDateOf = (text: string): BirthDate | undefined => {
  const plain = text.trim();
  const [about, rest] = /^(?:circa|approximately|c\.) (.+)$/i.exec(plain) ?? [];
  if (about !== undefined && rest !== undefined) {
    const date = birthDateOf(rest);
    return date && circa(date);
  }
  const [first = '', last] = plain.split(/ to | - |\//);
  if (last === undefined) return single(plain);
  const [from, to] = [single(first.trim()), single(last.trim())];
  return from && to && between(from, to);
};
