/**
 * nghttp2 ends a connection, with all its calls, when its client resets (cancels) more streams than these limits. Node 20
 * cannot change them.
 */
const BURST = 1_000;
const A_SECOND = 33;
/** Number of resets that remain for a connection that takes no new streams. */
const RESERVE = 400;

/** Counts the resets of one connection as nghttp2 does. */
export class ResetAllowance {
  private left = BURST;
  private at: number;

  constructor(private readonly monotonic: () => number) {
    this.at = monotonic();
  }

  /** Counts one more reset. Returns true when the connection should be replaced before nghttp2 ends it. */
  spend(): boolean {
    const now = this.monotonic();
    this.left = Math.min(BURST, this.left + ((now - this.at) / 1_000) * A_SECOND) - 1;
    this.at = now;
    return this.left < RESERVE;
  }
}
