/**
 * nghttp2 ends a connection whose client resets (cancels) more streams than these, whatever else runs over it, and Node 20
 * cannot set them otherwise.
 */
const BURST = 1_000;
const A_SECOND = 33;
/** Streams that may still be reset on a connection that takes no new ones. */
const RESERVE = 400;

/** Counts the resets of one connection as nghttp2 does. */
export class ResetAllowance {
  private left = BURST;
  private at: number;

  constructor(private readonly monotonic: () => number) {
    this.at = monotonic();
  }

  /** One more stream was reset; answers whether the connection should be replaced before nghttp2 ends it. */
  spend(): boolean {
    const now = this.monotonic();
    this.left = Math.min(BURST, this.left + ((now - this.at) / 1_000) * A_SECOND) - 1;
    this.at = now;
    return this.left < RESERVE;
  }
}
