import { type Batch, SubscriptionBuffer, type FeedOptions } from './subscription-buffer.js';

/** Maximum milliseconds between two heartbeats of a leader. */
const HEARTBEAT_MS = 3_000;
/** Minimum milliseconds between two transactions that save only a position. */
const SAVE_AFTER_MS = 500;
const SILENCE_MS = 1_000;

/** Whether a subscription reaches the end of the log without an event. Also false if it does not get there soon. */
const findsNothing = async (feed: SubscriptionBuffer): Promise<boolean> => {
  for (;;) {
    const batch = await feed.next(SILENCE_MS);
    if (batch === undefined || batch.events.length > 0) return false;
    if (batch.caughtUp) return true;
    if (batch.position === undefined) return false;
  }
};

/** Returns batches when they are worth a transaction, and delays those without events. */
export class ThrottledBuffer {
  private readonly feed: SubscriptionBuffer;
  /** The last position that the buffer reported, returned or not. */
  private heard: bigint | undefined;
  private heardBefore: bigint | undefined;
  private unsaved: bigint | undefined;
  private savedAt = 0;
  private woken = false;
  private closed = false;

  constructor(private readonly options: FeedOptions) {
    this.feed = new SubscriptionBuffer(options);
    this.heard = options.after;
  }

  get waiting(): number {
    return this.feed.waiting;
  }

  /** No event at or before this position will be returned. */
  get position(): bigint | undefined {
    return this.heard;
  }

  /**
   * A batch without a position asks for a heartbeat. Undefined once the signal has aborted. Throws the subscription's
   * error.
   */
  async next(): Promise<Batch | undefined> {
    for (;;) {
      const batch = await this.feed.next(this.unsaved === undefined ? HEARTBEAT_MS : SAVE_AFTER_MS);
      if (batch === undefined) return undefined;
      this.heard = batch.position ?? this.heard;
      const position = batch.position ?? this.unsaved;
      const nothingNew = batch.events.length === 0 && !batch.caughtUp && !this.woken;
      this.unsaved = nothingNew && performance.now() - this.savedAt < SAVE_AFTER_MS ? position : undefined;
      if (this.unsaved !== undefined) continue;
      this.woken = false;
      this.savedAt = performance.now();
      return { ...batch, position };
    }
  }

  /** Resolves as soon as a full batch waits. */
  filled(): Promise<void> {
    return this.feed.filled();
  }

  /** Gives a batch at once, empty or not, to the present or the next caller of `next`. */
  wake(): void {
    this.woken = true;
    this.feed.wake();
  }

  /**
   * Checkpoints are rare. If none came since the last look, a second, short subscription checks for matching events up
   * to `head`. If it finds none, `head` is confirmed.
   */
  async confirmIdle(head: bigint): Promise<void> {
    const { heard } = this;
    const quiet = heard === this.heardBefore;
    this.heardBefore = heard;
    if (!quiet || this.waiting > 0 || (heard ?? -1n) >= head) return;
    const second = new SubscriptionBuffer({ ...this.options, after: heard });
    try {
      const idle = await findsNothing(second);
      if (idle && !this.closed && this.heard === heard) this.feed.confirm(head);
    } finally {
      second.close();
    }
  }

  close(): void {
    this.closed = true;
    this.feed.close();
  }
}
