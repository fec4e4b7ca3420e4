/** Time is injected everywhere, so that tests move a clock and never wait. */
export interface Clock {
  /** Wall time. */
  now(): Date;
  /** Milliseconds on a clock that never jumps; only differences have a meaning. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
};

/** The clocks of instances, of the event store and of Postgres differ by at most this, milliseconds. */
export const CLOCK_SLACK_MS = 60_000;
