import { type Batch, SubscriptionBuffer, type FeedOptions } from './subscription-buffer.js';

/** A leader says at least this often that it lives. */
const HEARTBEAT_MS = 3_000;
/** A position without events is worth a transaction only now and then. */
const SAVE_AFTER_MS = 500;
const SILENCE_MS = 1_000;

/** Whether a feed comes to the end of the log without an event; false also where it does not get there soon. */
const findsNothing = async (feed: SubscriptionBuffer): Promise<boolean> => {
  for (;;) {
    const batch = await feed.next(SILENCE_MS);
    if (batch === undefined || batch.events.length > 0) return false;
    if (batch.caughtUp) return true;
    if (batch.position === undefined) return false;
  }
};

/** A feed that hands out what is worth writing down, when it is. */
export class ThrottledBuffer {
  private readonly feed: SubscriptionBuffer;
  /** The last position that the feed told of, handed out or not. */
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

  /** How many events wait. */
  get waiting(): number {
    return this.feed.waiting;
  }

  /** No event at or before this position will be handed out. */
  get position(): bigint | undefined {
    return this.heard;
  }

  /** A batch without a position asks for a heartbeat; undefined once the signal has aborted. Throws what the subscription threw. */
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

  /** Resolves as soon as a whole batch waits. */
  filled(): Promise<void> {
    return this.feed.filled();
  }

  /** Lets who waits for a batch, or comes next, have one at once, empty or not. */
  wake(): void {
    this.woken = true;
    this.feed.wake();
  }

  /**
   * Checkpoints come only now and then: where nothing was heard since the last look, a second, short feed makes sure that
   * nothing between the last checkpoint and `head` is meant for this one.
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
