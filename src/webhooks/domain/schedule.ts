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

/** `tries`: failed ones. `random`: from 0 to 1. Undefined where no further try follows. */
export const nextTryAt = (tries: number, failedAt: Date, random: number): Date | undefined => {
  const pause = PAUSES[tries - 1];
  if (pause === undefined) return undefined;
  return new Date(failedAt.getTime() + Math.round(pause * (1 - JITTER + 2 * JITTER * random)));
};

/** `failingSince`: the first failure after the last success. Failures before the endpoint was enabled do not count. */
export const isGivenUp = (failingSince: Date | null, activeSince: Date, now: Date): boolean =>
  failingSince !== null && now.getTime() - Math.max(failingSince.getTime(), activeSince.getTime()) >= GIVE_UP_AFTER;
