/** Time is injected everywhere, so that tests move a clock and never wait. */
export interface Clock {
  /** Wall time. */
  now(): Date;
  /** Milliseconds on a clock that never jumps; only differences mean something. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
};
