const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds from each failed try to the next. The try after the last of them is the tenth and the last. */
const PAUSES: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** A receiver that recovers is not met by all tries at once. */
const JITTER = 0.2;

/** An endpoint without a success for this long is disabled. */
const GIVE_UP_AFTER = 5 * 24 * HOUR;

/**
 * `tries`: failed ones. `random`: from 0 to 1. `retryAfter`: seconds that the receiver asked for; it is not asked sooner. Undefined
 * where no further try follows.
 */
export const nextTryAt = (
  tries: number,
  failedAt: Date,
  random: number,
  retryAfter: number | null,
): Date | undefined => {
  const pause = PAUSES[tries - 1];
  if (pause === undefined) return undefined;
  const planned = Math.round(pause * (1 - JITTER + 2 * JITTER * random));
  return new Date(failedAt.getTime() + Math.max(planned, (retryAfter ?? 0) * SECOND));
};

const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** A receiver is believed that it wants to be left alone for so long, seconds. */
const MAX_RETRY_AFTER = (24 * HOUR) / SECOND;

/** The seconds of a Retry-After field: a number, or an HTTP date (RFC 9110, section 10.2.3). Null where it says neither. */
export const retryAfterOf = (field: string | undefined, now: Date): number | null => {
  const text = field?.trim() ?? '';
  const date = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((date - now.getTime()) / SECOND);
  return Number.isNaN(seconds) || seconds <= 0 ? null : Math.min(seconds, MAX_RETRY_AFTER);
};

/** `failingSince`: the first failure after the last success. Failures before the endpoint was enabled do not count. */
export const isGivenUp = (failingSince: Date | null, activeSince: Date, now: Date): boolean =>
  failingSince !== null && now.getTime() - Math.max(failingSince.getTime(), activeSince.getTime()) >= GIVE_UP_AFTER;
