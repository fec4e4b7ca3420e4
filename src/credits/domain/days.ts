export const DAY_MS = 86_400_000;

/** UTC day, YYYY-MM-DD. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The days of a range that ends with `today`, oldest first. */
export const daysUntil = (today: Date, days: number): string[] =>
  Array.from({ length: days }, (_, index) => dayOf(new Date(today.getTime() - (days - 1 - index) * DAY_MS)));
