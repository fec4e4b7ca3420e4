/** A natural person as a list gives one. */
export interface Person {
  readonly fullName: string;
  /** YYYY-MM-DD; absent where the list knows less than a whole date. */
  readonly dateOfBirth?: string;
}

/** YYYY-MM-DD where the three make a real calendar date of 1900 or later, the first that the service takes. */
export const calendarDate = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day));
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real && year >= 1900 ? date.toISOString().slice(0, 10) : undefined;
};

/** The date at the start of an ISO 8601 text. */
export const isoDate = (text: string | undefined): string | undefined => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(text?.trim() ?? '') ?? [];
  return day === undefined ? undefined : calendarDate(Number(year), Number(month), Number(day));
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** OFAC's way of writing a whole date: 10 Dec 1948. */
export const writtenDate = (text: string | undefined): string | undefined => {
  const [, day, month, year] = /^(\d{1,2}) ([a-z]{3})[a-z]* (\d{4})$/i.exec(text?.trim() ?? '') ?? [];
  if (month === undefined) return undefined;
  return calendarDate(Number(year), MONTHS.indexOf(month.toLowerCase()) + 1, Number(day));
};

/** Undefined where there is no name. */
export const personOf = (fullName: string, dateOfBirth: string | undefined): Person | undefined => {
  const name = fullName.replace(/\s+/g, ' ').trim();
  if (name === '') return undefined;
  return dateOfBirth === undefined ? { fullName: name } : { fullName: name, dateOfBirth };
};

const SCRIPTS = ['Cyrillic', 'Arabic', 'Greek', 'Han', 'Hangul', 'Hebrew', 'Devanagari'].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const,
);

/** The script that a name is written in; Latin where no other is found in it. */
export const scriptOf = (name: string): string => SCRIPTS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'Latin';
