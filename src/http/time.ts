const DAY = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const INSTANT =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;

/** Midnight UTC of a real calendar date YYYY-MM-DD from year 1 on; undefined for any other text. */
export const dayOf = (text: string): Date | undefined => {
  const match = DAY.exec(text);
  if (match === null || match[1] === '0000') return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  // Date turns 30 February into a date in March.
  return Number.isNaN(day.getTime()) || day.getUTCDate() !== Number(match[3]) ? undefined : day;
};

/** Moments of the years 1 to 9999 UTC. Their ISO texts have equal length, so they compare as text. */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** The moment of an ISO 8601 timestamp with offset, to the millisecond; undefined for any other text. */
export const instantOf = (text: string): Date | undefined => {
  const match = INSTANT.exec(text);
  if (match?.[1] === undefined || dayOf(match[1]) === undefined) return undefined;
  const instant = new Date(text.toUpperCase());
  const time = instant.getTime();
  return time >= FIRST_INSTANT && time <= LAST_INSTANT ? instant : undefined;
};
